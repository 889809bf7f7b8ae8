#include "motet/roles/choice/role_capacity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/lot.h"
#include "motet/base/streams.h"
#include "motet/roles/mac/bit_product.h"
#include "motet/roles/mac/m_step.h"
#include "motet/roles/mac/set_unions.h"

namespace motet::roles {
namespace {

BitMatrix thinned(const BitMatrix& held, std::size_t most, Rng rng) {
  return held.rows() <= most ? held : held.rows_of(drawn_by_lot(held.rows(), most, rng));
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
// is estimated for its centroids by EM on some users: p1 is the share of held cells
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

PairedUsers pair_nearest_users(const BitMatrix& first, const BitMatrix& second, const RunContext& run,
                               std::size_t most) {
  const Rng root = stream(run.seed, Stream::roles_pairs);
  const std::size_t count = std::min({first.rows(), second.rows(), most});
  PairedUsers users{thinned(first, count, root.child(0)), thinned(second, count, root.child(1)), {}};
  users.pairs = pair_nearest(users.first, users.second);
  return users;
}

PairedUsers pair_users_by(const RoleModel& reference, const BitMatrix& first, const BitMatrix& second,
                          const RunContext& run, std::size_t most) {
  constexpr std::size_t draws = 4;  // partners of a user
  const Rng root = stream(run.seed, Stream::roles_pairs);
  PairedUsers users{thinned(first, most, root.child(0)), thinned(second, most, root.child(1)), {}};
  if (users.first.rows() == 0 || users.second.rows() == 0) return users;
  const DistinctRows groups = distinct_rows(set_unions(reference));
  const std::vector<double> shares = merge_shares(reference.set_share, groups);
  const RoleModel noisy =
      reference.noise == RoleNoise::none ? with_noise(reference, users.first, groups, run) : reference;
  const SetCosts costs(noisy, groups.first, true);
  users.pairs =
      pair_by_label(responsibilities(costs.of(users.first, run), shares),
                    responsibilities(costs.of(users.second, run), shares), shares.size(), draws, root.child(2));
  return users;
}

Capacity role_capacity(const RoleModel& all_sets, const PairedUsers& users, const RoleCapacityOptions& options,
                       const RunContext& run) {
  if (users.pairs.empty()) fail(ErrorKind::unanswerable, "capacity: there are no pairs of users to compare");
  const RoleModel model = with_used_sets(all_sets, static_cast<double>(users.first.rows()), options.least_users);
  const DistinctRows groups = distinct_rows(set_unions(model));
  const std::vector<double> shares = merge_shares(model.set_share, groups);
  std::vector<std::uint32_t> all(model.sets.size());
  std::iota(all.begin(), all.end(), 0U);
  const SetCosts costs(model, options.rounded ? groups.first : all, options.rounded);
  const auto costs_of = [&](const BitMatrix& held) {
    std::vector<double> found = costs.of(held, run);
    return options.rounded ? found : merge_costs(found, model.set_share, groups);
  };
  const std::vector<double> first = costs_of(users.first);
  const std::vector<double> second = costs_of(users.second);
  return approximation_capacity({first, second, shares.size(), users.pairs, type_entropy(shares)}, run.threads);
}

}  // namespace motet::roles
