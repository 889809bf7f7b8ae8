#include "motet/roles/role_model.h"

#include <algorithm>
#include <numeric>

namespace motet::roles {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::string_view name_of(RoleNoise noise) {
  constexpr std::string_view words[] = {"mixture", "none", "flip", "symmetric-flip"};
  return words[static_cast<std::size_t>(noise)];
}

std::string_view name_of(NoiseScope scope) {
  constexpr std::string_view words[] = {"global", "permission", "user"};
  return words[static_cast<std::size_t>(scope)];
}

std::string_view name_of(RoleMethod method) {
  constexpr std::string_view words[] = {"mac", "sac", "asso", "dbps", "bica", "ino", "cover"};
  return words[static_cast<std::size_t>(method)];
}

bool is_frozen(const RoleModel& model, std::size_t role) {
  return role < model.frozen.size() && model.frozen[role] != 0;
}

double union_beta(const RoleModel& model, std::size_t set, std::size_t permission) {
  double beta = 1.0;
  for (const std::uint32_t k : model.sets[set]) beta *= model.beta(k, permission);
  return beta;
}

double held_probability(const RoleModel& model, std::size_t permission, double beta) {
  const double p1 = model.p1_of(permission);
  return std::clamp(p1 - (p1 - model.p0_of(permission)) * beta, least_q, 1.0 - least_q);
}

BitMatrix rounded_roles(const RoleModel& model) {
  BitMatrix roles(model.role_count(), model.permission_count());
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    for (std::size_t d = 0; d < model.permission_count(); ++d) roles.set(k, d, model.has(k, d));
  }
  return roles;
}

// In this order, so that p1 = 1 leaves p0 as it is and their ratio below stays within 1.
double noise_fraction(const RoleModel& model) { return mean(model.p0) + (1.0 - mean(model.p1)); }

double set_probability(const RoleModel& model) {
  const double fraction = noise_fraction(model);
  return fraction > 0.0 ? mean(model.p0) / fraction : 0.5;
}

RoleModel with_role_order(const RoleModel& model, const std::vector<std::size_t>& order) {
  RoleModel result = model;
  const std::size_t columns = model.permission_count();
  std::vector<std::uint32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<std::uint32_t>(i);
    result.roles[i] = model.roles[order[i]];
    result.frozen[i] = model.frozen[order[i]];
    for (std::size_t d = 0; d < columns; ++d) result.absence[i * columns + d] = model.beta(order[i], d);
  }
  result.sets = {};
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t k : model.sets[l]) members.push_back(place[k]);
    std::sort(members.begin(), members.end());
    result.sets.add(members);
  }
  if (result.grown) {
    for (std::size_t i = 0; i < order.size(); ++i) result.grown->role_share[i] = model.grown->role_share[order[i]];
    for (auto& [one, other] : result.grown->never_together) {
      one = place[one];
      other = place[other];
    }
  }
  return result;
}

std::vector<std::size_t> order_by_members(const RoleModel& model) {
  const std::vector<double>& share = model.attributes ? model.attributes->marginal : model.set_share;
  std::vector<double> members(model.role_count());
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    for (const std::uint32_t k : model.sets[l]) members[k] += share[l];
  }
  std::vector<std::size_t> order(model.role_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (model.frozen[a] != model.frozen[b]) return model.frozen[a] > model.frozen[b];
    return model.frozen[a] == 0 && members[a] > members[b];
  });
  return order;
}

}  // namespace motet::roles
