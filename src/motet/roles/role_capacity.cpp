#include "motet/roles/role_capacity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/lot.h"
#include "motet/roles/bit_product.h"
#include "motet/roles/set_unions.h"

namespace motet {
namespace {

constexpr double least_q = 1e-9;
constexpr std::size_t block_rows = 512;

BitMatrix thinned(const BitMatrix& held, std::size_t most, Rng rng) {
  if (held.rows() <= most) return held;
  return held.rows_of(drawn_by_lot(held.rows(), most, rng));
}

// R = -log p(x | L) of the given sets, weights by permission and set.
struct SetCosts {
  std::size_t sets = 0;
  std::vector<double> base;
  std::vector<double> held;  // [permission * sets + set]

  SetCosts(const RoleModel& model, std::span<const std::uint32_t> chosen, bool rounded)
      : sets(chosen.size()), base(sets), held(model.permission_count() * sets) {
    for (std::size_t d = 0; d < model.permission_count(); ++d) {
      const double p1 = model.p1_of(d);
      const double p0 = model.p0_of(d);
      for (std::size_t c = 0; c < sets; ++c) {
        double beta = 1.0;
        for (const std::uint32_t k : model.sets[chosen[c]]) {
          beta *= rounded ? (model.has(k, d) ? 0.0 : 1.0) : model.beta(k, d);
        }
        const double q = std::clamp(p1 - (p1 - p0) * beta, least_q, 1.0 - least_q);
        base[c] -= std::log(1.0 - q);
        held[d * sets + c] = std::log(1.0 - q) - std::log(q);
      }
    }
  }

  std::vector<double> of(const BitMatrix& users, const RunContext& run) const {
    std::vector<double> costs(users.rows() * sets);
    for_each_task((users.rows() + block_rows - 1) / block_rows, run.threads, [&](std::size_t task) {
      if (run.cancelled()) return;
      const std::size_t begin = task * block_rows;
      const std::size_t end = std::min(users.rows(), begin + block_rows);
      const std::span<double> rows = std::span(costs).subspan(begin * sets, (end - begin) * sets);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = base[i % sets];
      add_bit_product(users, begin, end, held, sets, rows);
    });
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while measuring the capacity");
    return costs;
  }
};

// The model with those label sets alone whose union some user is expected to have.
RoleModel with_used_sets(const RoleModel& model, double users, double least_users) {
  const DistinctRows groups = distinct_rows(set_unions(model));
  const std::vector<double> shares = merge_shares(model.set_share, groups);
  // The most common union stays whatever the limit.
  const double limit = std::min(least_users / users, *std::max_element(shares.begin(), shares.end()));
  RoleModel used = model;
  used.sets = {};
  used.set_share.clear();
  double sum = 0.0;
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    if (shares[groups.group_of[l]] < limit) continue;
    used.sets.add(model.sets[l]);
    used.set_share.push_back(model.set_share[l]);
    sum += model.set_share[l];
  }
  for (double& share : used.set_share) share /= sum;
  return used;
}

// A model without noise is too sure of the sets to draw pairs from them. Here its noise
// is estimated for its centroids by EM on the first data: p1 is the share of held cells
// within the unions, p0 that outside.
RoleModel with_noise(const RoleModel& model, const BitMatrix& users, const DistinctRows& groups,
                     const RunContext& run) {
  constexpr int steps = 20;
  const BitMatrix unions = set_unions(model).rows_of(groups.first);
  const std::vector<double> shares = merge_shares(model.set_share, groups);
  RoleModel noisy = model;
  noisy.p0 = {0.1};
  noisy.p1 = {0.9};
  std::vector<std::uint32_t> common(unions.rows());
  for (int step = 0; step < steps; ++step) {
    const std::vector<double> gamma = responsibilities(SetCosts(noisy, groups.first, true).of(users, run), shares);
    double inside = 0.0;  // cells within the unions, and held ones among them
    double held_inside = 0.0;
    for (std::size_t n = 0; n < users.rows(); ++n) {
      count_common_ones(users.row(n), unions, common);
      for (std::size_t c = 0; c < unions.rows(); ++c) {
        inside += gamma[n * unions.rows() + c] * static_cast<double>(unions.count(c));
        held_inside += gamma[n * unions.rows() + c] * common[c];
      }
    }
    const double outside = static_cast<double>(users.rows() * users.columns()) - inside;
    const double held_outside = static_cast<double>(users.count()) - held_inside;
    if (inside > 0.0) noisy.p1[0] = held_inside / inside;
    if (outside > 0.0) noisy.p0[0] = std::min(held_outside / outside, noisy.p1[0]);
  }
  return noisy;
}

}  // namespace

Capacity role_capacity(const RoleModel& all_sets, const BitMatrix& first, const BitMatrix& second,
                       const RoleCapacityOptions& options, const RunContext& run) {
  if (first.rows() == 0 || second.rows() == 0) fail(ErrorKind::unanswerable, "capacity: there are no users to compare");
  const Rng root = Rng(run.seed).child(0xCA9A);
  const BitMatrix users[] = {thinned(first, options.most_users, root.child(0)),
                             thinned(second, options.most_users, root.child(1))};
  const RoleModel model = with_used_sets(all_sets, static_cast<double>(first.rows()), options.least_users);
  const DistinctRows groups = distinct_rows(set_unions(model));
  const std::vector<double> shares = merge_shares(model.set_share, groups);
  std::vector<std::uint32_t> all(model.sets.size());
  std::iota(all.begin(), all.end(), 0U);
  const auto costs_under = [&](const RoleModel& chosen, bool rounded, const BitMatrix& held) {
    if (rounded) return SetCosts(chosen, groups.first, true).of(held, run);
    return merge_costs(SetCosts(chosen, all, false).of(held, run), chosen.set_share, groups);
  };
  const std::vector<double> costs[] = {costs_under(model, options.rounded, users[0]),
                                       costs_under(model, options.rounded, users[1])};
  std::vector<double> responsibility[] = {responsibilities(costs[0], shares), responsibilities(costs[1], shares)};
  if (model.noise == RoleNoise::none) {
    const RoleModel noisy = with_noise(model, users[0], groups, run);
    for (std::size_t q = 0; q < 2; ++q)
      responsibility[q] = responsibilities(costs_under(noisy, true, users[q]), shares);
  }
  const std::vector<UserPair> pairs =
      pair_by_label(responsibility[0], responsibility[1], shares.size(), options.draws, root.child(2));
  if (pairs.empty()) fail(ErrorKind::unanswerable, "capacity: no set of roles of the first users occurs in the second");
  return approximation_capacity({costs[0], costs[1], shares.size(), pairs, type_entropy(shares)}, run.threads);
}

}  // namespace motet
