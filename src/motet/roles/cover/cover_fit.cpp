#include "motet/roles/cover/cover_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "motet/base/error.h"
#include "motet/measure/boolean.h"
#include "motet/roles/attribute_profile.h"
#include "motet/roles/baselines/factorization.h"
#include "motet/roles/changes.h"
#include "motet/roles/cover/coverage_curve.h"
#include "motet/roles/cover/exact_cover.h"
#include "motet/roles/cover/granted_exactly.h"
#include "motet/roles/cover/near_members.h"
#include "motet/roles/naming.h"

namespace motet::roles {
namespace {

constexpr double curve_shares[] = {0.5, 0.8, 0.9, 0.95, 0.99, 1.0};

// The exact roles in the order of what they add, and others that may do with fewer when something stays uncovered.
class RoleLists {
 public:
  RoleLists(const MergedMatrix& data, const BitMatrix& exact, const RunContext& run)
      : data_(data),
        run_(run),
        exact_(greedy_order(data, exact, run)),
        any_(greedy_order(data, cover_candidates(data, exact, run), run)) {}

  // Few roles that cover as many held cells. Ask for most first: a list that covers more may be the shorter one.
  ShortList for_cells(double cells) {
    for (const RolesByGain* order : {&exact_, &any_}) lists_.push_back(short_list(data_, *order, cells, run_));
    return *std::min_element(lists_.begin(), lists_.end(), [](const ShortList& one, const ShortList& other) {
      return one.roles.rows() < other.roles.rows();
    });
  }

  // The shortest beginning of a list with at most so many errors, when at most so many of them are over-grants.
  Factorization with_over_grants(double errors, double over_grants) const {
    std::optional<Factorization> best;
    for (const RolesByGain* order : {&exact_, &any_}) {
      std::size_t fails = 0;  // so few roles are too few
      std::size_t works = roles_for(*order, std::max(1.0, order->covered.back() - errors));
      Factorization found = beginning(*order, works, over_grants).first;
      while (fails + 1 < works) {
        const std::size_t middle = (fails + works) / 2;
        auto [factors, wrong] = beginning(*order, middle, over_grants);
        (wrong <= errors ? works : fails) = middle;
        if (wrong <= errors) found = std::move(factors);
      }
      if (!best || found.roles.rows() < best->roles.rows()) best = std::move(found);
    }
    return std::move(*best);
  }

 private:
  // The first roles with all members that repay, and how many cells are wrong.
  std::pair<Factorization, double> beginning(const RolesByGain& order, std::size_t count, double over_grants) const {
    std::vector<std::uint32_t> first(count);
    std::iota(first.begin(), first.end(), 0U);
    BitMatrix roles = order.roles.rows_of(first);
    NearMembers near = with_near_members(data_, roles, granted_exactly(data_.bits, roles, run_), over_grants);
    return {{std::move(roles), std::move(near.assignments)}, near.uncovered + near.over_granted};
  }

  const MergedMatrix& data_;
  const RunContext& run_;
  RolesByGain exact_;
  RolesByGain any_;
  std::vector<ShortList> lists_;
};

// A number of cells, or below 1 a share of them.
double cells_of(double allowed, double cells) { return std::floor(allowed < 1.0 ? allowed * cells : allowed); }

// For more and more of the cells; and the roles that leave as many cells as allowed.
BitMatrix roles_by_share(RoleLists& lists, double cells, double goal, std::vector<CoverPoint>& curve) {
  std::optional<BitMatrix> roles;
  for (auto share = std::rbegin(curve_shares); share != std::rend(curve_shares); ++share) {
    const double wanted = std::ceil(*share * cells);
    if (!roles && wanted <= goal) roles = lists.for_cells(goal).roles;
    const ShortList list = lists.for_cells(wanted);
    curve.push_back({*share, list.roles.rows(), static_cast<std::size_t>(cells - list.covered)});
  }
  std::reverse(curve.begin(), curve.end());
  return roles ? *roles : lists.for_cells(goal).roles;
}

RoleModel model_of(const Access& access, const Factorization& factors) {
  RoleModel model;
  model.method = RoleMethod::cover;
  model.noise = RoleNoise::none;
  model.permissions = access.permissions.to_vector();
  model.roles.resize(factors.roles.rows());
  model.frozen.assign(factors.roles.rows(), 0);
  model.absence.assign(factors.roles.rows() * access.permission_count(), 1.0);
  for (std::size_t k = 0; k < factors.roles.rows(); ++k) {
    for_each_bit(factors.roles.row(k), [&](std::size_t d) { model.absence[k * access.permission_count() + d] = 0.0; });
  }
  model.p0 = {least_noise};
  model.p1 = {1.0 - least_noise};
  model.users = static_cast<double>(access.user_count());
  return model;
}

// The sets of roles that users have, the empty one first, with the share of users; and each user's own.
void take_sets(RoleFit& fit, const BitMatrix& assignments) {
  RoleModel& model = fit.model;
  std::map<std::vector<std::uint32_t>, std::uint32_t> number;
  std::vector<double> users;
  const auto set_of = [&](const std::vector<std::uint32_t>& members) {
    const auto [place, is_new] = number.try_emplace(members, static_cast<std::uint32_t>(users.size()));
    if (is_new) {
      model.sets.add(members);
      users.push_back(0.0);
    }
    return place->second;
  };
  set_of({});
  std::vector<std::uint32_t> members;
  for (std::size_t n = 0; n < assignments.rows(); ++n) {
    members.clear();
    for_each_bit(assignments.row(n), [&](std::size_t k) { members.push_back(static_cast<std::uint32_t>(k)); });
    const std::uint32_t set = set_of(members);
    users[set] += 1.0;
    fit.users.shares.push_back({set, 1.0});
    fit.users.ends.push_back(n + 1);
  }
  for (const double count : users) model.set_share.push_back(count / model.users);
  for (const SetShare& share : fit.users.shares) {
    fit.users.log_likelihood.push_back(std::log(model.set_share[share.set]));
  }
}

void take_names(RoleFit& fit, const MineData& data) {
  std::vector<std::string> words;
  if (data.attributes != nullptr) {
    const std::vector<double> membership = role_shares(fit.model, fit.users);
    words = naming_values(attribute_profile(membership, fit.model.role_count(), *data.attributes));
  }
  fit.model.roles = role_names(fit.model, words);
  if (data.previous != nullptr) fit.model.roles = carried_names(fit.model, role_changes(*data.previous, fit.model));
  fit.model.roles = unique_names(std::move(fit.model.roles));
}

void take_members(RoleFit& fit, const BitMatrix& assignments) {
  fit.roles.assign(fit.model.role_count(), {});
  const std::vector<std::vector<std::uint32_t>> telling = telling_permissions(fit.model);
  const BitMatrix members = assignments.transposed();
  for (std::size_t k = 0; k < fit.roles.size(); ++k) {
    const std::size_t count = members.count(k);
    fit.roles[k] = {count, static_cast<double>(count), 1.0, telling[k]};
  }
}

void take_exceptions(RoleFit& fit, const BitMatrix& held, const BitMatrix& granted) {
  for (std::uint32_t n = 0; n < held.rows(); ++n) {
    for (std::size_t w = 0; w < held.words(); ++w) {
      for (std::uint64_t wrong = held.row(n)[w] ^ granted.row(n)[w]; wrong != 0; wrong &= wrong - 1) {
        const auto d = static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(wrong)));
        fit.users.log_likelihood[n] += std::log(least_noise);
        fit.exceptions.push_back({n, d, held(n, d) ? ExceptionKind::extra : ExceptionKind::missing, 1.0});
      }
    }
  }
}

RoleFit fit_of(const MineData& data, Factorization factors) {
  const Access& access = *data.access;
  const BitMatrix members = factors.assignments.transposed();
  std::vector<std::uint32_t> order(members.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return members.count(a) > members.count(b); });
  factors = {factors.roles.rows_of(order), factors.assignments.columns_of(order)};
  RoleFit fit;
  fit.model = model_of(access, factors);
  take_sets(fit, factors.assignments);
  take_names(fit, data);
  take_members(fit, factors.assignments);
  fit.told = factors.assignments;
  const BitMatrix granted = boolean_product(factors.assignments, factors.roles);
  fit.training_error = reconstruction_error(granted, access.held);
  fit.coverage = coverage(granted, access.held, true);
  take_exceptions(fit, access.held, granted);
  fit.log_likelihood = std::accumulate(fit.users.log_likelihood.begin(), fit.users.log_likelihood.end(), 0.0);
  fit.free_energy = -fit.log_likelihood;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  fit.capacity_bits = unknown;
  fit.noise_fraction = fit.set_probability = {unknown, unknown};
  return fit;
}

}  // namespace

CoverFit cover_roles(const MineData& data, const CoverOptions& options, const RunContext& run) {
  check_ranges(options);
  const Access& access = *data.access;
  const auto cells = static_cast<double>(access.held.count());
  if (cells == 0.0) fail(ErrorKind::unanswerable, "nobody holds anything; there are no roles to find");
  const double errors = cells_of(options.errors, cells);
  const double goal = cells - errors;
  if (options.over_grants > 0.0 && errors == 0.0) {
    fail(ErrorKind::usage, "--cover-over-grants: needs --cover-errors, of which they are a part");
  }
  if (goal <= 0.0) {
    fail(ErrorKind::usage, fmt::format("--cover-errors {} lets all {} held cells stay without a role; allow fewer",
                                       options.errors, cells));
  }
  const MergedMatrix merged = merge_equal(access.held);
  ExactCover exact = exact_cover(merged, run);
  // What follows is short, and makes the result of an interrupted search one that can be used.
  RunContext rest = run;
  rest.cancel = nullptr;
  RoleLists lists(merged, exact.roles, rest);
  CoverFit found;
  BitMatrix roles = roles_by_share(lists, cells, goal, found.curve);
  found.exact_roles = found.curve.back().roles;
  found.at_least = exact.at_least;
  found.cells = exact.cells;
  found.remaining = exact.remaining;
  found.parts = exact.parts;
  Factorization factors = {std::move(exact.roles), std::move(exact.assignments)};
  if (options.over_grants > 0.0) {
    factors = lists.with_over_grants(errors, std::min(errors, cells_of(options.over_grants, cells)));
  } else if (roles.rows() < factors.roles.rows()) {
    factors.roles = std::move(roles);
    factors.assignments = granted_exactly(merged.bits, factors.roles, rest);
  }
  found.fit = fit_of(data, unmerged(factors, merged));
  for (const FoundException& exception : found.fit.exceptions) {
    found.over_grants += exception.kind == ExceptionKind::missing ? 1 : 0;
  }
  for (const RoleEstimate& role : found.fit.roles) found.assignments += role.members;
  found.fit.summary = std::move(exact.summary);
  if (found.fit.summary.stop == Stop::interrupted) {
    found.fit.warnings.emplace_back("the search was interrupted: fewer roles may be possible");
  }
  return found;
}

}  // namespace motet::roles
