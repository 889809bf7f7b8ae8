#include "motet/roles/mac/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/roles/mac/residual.h"

namespace motet::roles {
namespace {

constexpr double search_tolerance = 1e-3;  // of the parameters, in a step of EM
constexpr double least_rise = 1e-6;        // of the objective, relative, that counts as better
constexpr std::size_t trial_steps = 2;
constexpr std::size_t grow_steps = 6;
constexpr std::size_t prune_steps = 4;
constexpr std::size_t settle_steps = 20;
constexpr std::size_t trials_a_move = 2;
constexpr double new_role_share = 0.1;  // of users, to begin with

using SetNumbers = std::map<std::vector<std::uint32_t>, std::size_t>;

SetNumbers numbers_of(const LabelSets& sets) {
  SetNumbers numbers;
  for (std::size_t l = 0; l < sets.size(); ++l) numbers.emplace(std::vector(sets[l].begin(), sets[l].end()), l);
  return numbers;
}

bool is_better(double a, double b) { return a > b + least_rise * std::abs(b); }

}  // namespace

std::size_t feasible_degree(std::size_t roles, std::size_t degree) {
  while (degree > 1 && label_set_count(roles, degree) > static_cast<double>(most_label_sets)) --degree;
  return degree;
}

MacShape shape_of(const SearchRules& rules, std::size_t roles) {
  MacShape shape;
  shape.roles = roles;
  shape.rounded = true;
  shape.noise = rules.noise;
  shape.has_uniform_sets = rules.has_uniform_sets;
  shape.level_users = 1.0;
  shape.sets =
      LabelSets::up_to(roles, feasible_degree(roles, rules.degree), rules.never_with_one_user, 10 * most_label_sets);
  if (rules.keep.rows() > 0) {
    shape.frozen.assign(roles, 0);
    std::fill_n(shape.frozen.begin(), std::min(roles, rules.keep.rows()), std::uint8_t{1});
  }
  shape.never_with = rules.never_with;
  return shape;
}

RoleSearch::RoleSearch(const MergedMatrix& data, SearchRules rules, const RunContext& run)
    : data_(data), rules_(std::move(rules)), run_(unheard(run)) {
  double ones = 0.0;
  double users = 0.0;
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    users += data.row_weight[n];
    for_each_bit(data.bits.row(n), [&](std::size_t d) { ones += data.row_weight[n] * data.column_weight[d]; });
  }
  const double columns = std::accumulate(data.column_weight.begin(), data.column_weight.end(), 0.0);
  density_ = std::clamp(ones / (users * columns), 1e-5, 1.0 - 1e-5);
}

const MacShape& RoleSearch::shape(std::size_t roles) {
  const auto found = shapes_.find(roles);
  return found != shapes_.end() ? found->second : shapes_.emplace(roles, shape_of(rules_, roles)).first->second;
}

Threads RoleSearch::threads(std::size_t roles) {
  return threads_for(run_.threads, static_cast<double>(data_.bits.rows()) * static_cast<double>(data_.bits.columns()) *
                                       static_cast<double>(shape(roles).sets.size()));
}

RoleState RoleSearch::state_of(BitMatrix roles, double p0, double p1) {
  const std::size_t sets = shape(roles.rows()).sets.size();
  for (std::size_t k = 0; k < std::min(rules_.keep.rows(), roles.rows()); ++k) {
    std::copy(rules_.keep.row(k).begin(), rules_.keep.row(k).end(), roles.row(k).begin());
  }
  if (!rules_.never_with.empty()) {
    for (std::size_t k = rules_.keep.rows(); k < roles.rows(); ++k) {
      for (std::size_t d = 0; d < roles.columns(); ++d) {
        if (!roles(k, d)) continue;
        for (const std::uint32_t e : rules_.never_with[d]) roles.set(k, e, false);
      }
    }
  }
  return {std::move(roles), std::clamp(p0, least_noise, 1.0 - 2.0 * least_noise),
          std::clamp(p1, 2.0 * least_noise, 1.0 - least_noise),
          std::vector<double>(sets, 1.0 / static_cast<double>(sets)), -std::numeric_limits<double>::infinity()};
}

RoleState RoleSearch::kept_only() {
  return improve(state_of(rules_.keep.rows() > 0 ? rules_.keep : BitMatrix(0, data_.bits.columns()), 0.5 * density_,
                          0.5 + 0.5 * density_),
                 settle_steps);
}

RoleState RoleSearch::improve(RoleState state, std::size_t steps) {
  if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  if (told_) told_();
  const MacShape& here = shape(state.count());
  const std::size_t columns = data_.bits.columns();
  const MacParts parts = mac_parts(here, columns);
  std::vector<double> start = mac_start(here, absence_of(state.roles), columns, state.p0, state.p1);
  std::copy(state.share.begin(), state.share.end(), start.begin() + static_cast<std::ptrdiff_t>(parts.prior()));
  EmRule rule;
  rule.max_iterations = steps;
  rule.tolerance = search_tolerance;
  rule.accelerate = false;
  RunContext run = run_;
  run.threads = threads(state.count());
  const EmResult result = run_em(mac_problem(data_, here, run.threads), std::move(start), rule, run);
  for (std::size_t k = 0; k < state.count(); ++k) {
    for (std::size_t d = 0; d < columns; ++d) state.roles.set(k, d, result.parameters[k * columns + d] < 0.5);
  }
  state.p0 = result.parameters[parts.p0()];
  state.p1 = result.parameters[parts.p1()];
  state.share.assign(result.parameters.begin() + static_cast<std::ptrdiff_t>(parts.prior()), result.parameters.end());
  state.objective = result.objective();
  return state;
}

RoleState RoleSearch::with_role(const RoleState& state, std::span<const std::uint64_t> role,
                                std::ptrdiff_t taken_from) {
  const std::size_t count = state.count();
  BitMatrix roles(count + 1, data_.bits.columns());
  for (std::size_t k = 0; k < count; ++k) {
    std::copy(state.roles.row(k).begin(), state.roles.row(k).end(), roles.row(k).begin());
  }
  std::copy(role.begin(), role.end(), roles.row(count).begin());
  if (taken_from >= 0) {
    const std::span<std::uint64_t> rest = roles.row(static_cast<std::size_t>(taken_from));
    for (std::size_t w = 0; w < rest.size(); ++w) rest[w] &= ~role[w];
  }
  RoleState next = state_of(std::move(roles), state.p0, state.p1);
  // Half of the prior as it was, a tenth of each set with the new role; half alike.
  const SetNumbers before = numbers_of(shape(count).sets);
  const LabelSets& sets = shape(count + 1).sets;
  double total = 0.0;
  std::vector<double> share(sets.size());
  for (std::size_t l = 0; l < sets.size(); ++l) {
    std::vector<std::uint32_t> members(sets[l].begin(), sets[l].end());
    const bool is_new = !members.empty() && members.back() == count;
    if (is_new) members.pop_back();
    const auto found = before.find(members);
    share[l] =
        (found == before.end() ? 1e-6 : state.share[found->second]) * (is_new ? new_role_share : 1.0 - new_role_share);
    total += share[l];
  }
  for (std::size_t l = 0; l < sets.size(); ++l) {
    next.share[l] = 0.5 * share[l] / total + 0.5 / static_cast<double>(sets.size());
  }
  return next;
}

RoleState RoleSearch::without(const RoleState& state, std::size_t role) {
  BitMatrix roles(state.count() - 1, data_.bits.columns());
  for (std::size_t k = 0; k + 1 < state.count(); ++k) {
    const std::span<const std::uint64_t> from = state.roles.row(k < role ? k : k + 1);
    std::copy(from.begin(), from.end(), roles.row(k).begin());
  }
  RoleState next = state_of(std::move(roles), state.p0, state.p1);
  const SetNumbers after = numbers_of(shape(next.count()).sets);
  const LabelSets& sets = shape(state.count()).sets;
  for (double& share : next.share) share *= 0.1;
  for (std::size_t l = 0; l < sets.size(); ++l) {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t k : sets[l]) {
      if (k != role) members.push_back(k < role ? k : k - 1);
    }
    const auto found = after.find(members);
    if (found != after.end()) next.share[found->second] += 0.9 * state.share[l];
  }
  return next;
}

namespace {

// Visits the scores of all rows, a block at a time.
template <class Visit>
void for_each_row(const MergedMatrix& data, const MacShape& shape, const RoleState& state, Threads threads,
                  const Visit& visit) {
  constexpr std::size_t block = 256;
  const std::size_t columns = data.bits.columns();
  const MacParts parts = mac_parts(shape, columns);
  std::vector<double> parameters = mac_start(shape, absence_of(state.roles), columns, state.p0, state.p1);
  std::copy(state.share.begin(), state.share.end(), parameters.begin() + static_cast<std::ptrdiff_t>(parts.prior()));
  const MacScores scores(data, shape, parameters);
  const std::size_t rows = data.bits.rows();
  const std::size_t sets = shape.sets.size();
  for_each_task((rows + block - 1) / block, threads, [&](std::size_t task) {
    const std::size_t begin = task * block;
    const std::size_t end = std::min(rows, begin + block);
    std::vector<double> of_block;
    scores.compute(begin, end, of_block);
    for (std::size_t n = begin; n < end; ++n) {
      visit(task, n, std::span<const double>(of_block).subspan((n - begin) * sets, sets));
    }
  });
}

}  // namespace

std::vector<std::uint32_t> RoleSearch::best_sets(const RoleState& state) {
  std::vector<std::uint32_t> best(data_.bits.rows());
  for_each_row(data_, shape(state.count()), state, threads(state.count()),
               [&](std::size_t, std::size_t n, std::span<const double> scores) {
                 best[n] = static_cast<std::uint32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
               });
  return best;
}

std::vector<double> RoleSearch::removal_loss(const RoleState& state) {
  const MacShape& here = shape(state.count());
  const std::size_t count = state.count();
  std::vector<std::vector<double>> by_row(data_.bits.rows());
  for_each_row(data_, here, state, threads(count), [&](std::size_t, std::size_t n, std::span<const double> scores) {
    const double best = *std::max_element(scores.begin(), scores.end());
    double total = 0.0;
    std::vector<double> with(count);  // mass of the sets that hold a role
    double next_best = -std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < scores.size(); ++l) {
      const double mass = std::exp(scores[l] - best);
      total += mass;
      if (mass < 1e-12) continue;
      for (const std::uint32_t k : here.sets[l]) with[k] += mass;
    }
    std::vector<double> loss(count);
    for (std::size_t k = 0; k < count; ++k) {
      if (with[k] == 0.0) continue;
      const double rest = total - with[k];
      if (rest > 1e-9 * total) {
        loss[k] = std::log(total / rest);
        continue;
      }
      next_best = -std::numeric_limits<double>::infinity();
      for (std::size_t l = 0; l < scores.size(); ++l) {
        if (std::find(here.sets[l].begin(), here.sets[l].end(), k) == here.sets[l].end()) {
          next_best = std::max(next_best, scores[l]);
        }
      }
      loss[k] = best + std::log(total) - next_best;
    }
    by_row[n] = std::move(loss);
  });
  std::vector<double> loss(count);
  for (std::size_t n = 0; n < by_row.size(); ++n) {
    for (std::size_t k = 0; k < count; ++k) loss[k] += data_.row_weight[n] * by_row[n][k];
  }
  for (std::size_t k = 0; k < std::min(count, rules_.keep.rows()); ++k) {
    loss[k] = std::numeric_limits<double>::infinity();
  }
  return loss;
}

RoleState RoleSearch::grow(const RoleState& state, std::size_t trials, bool may_split, Rng& rng) {
  const MacShape& here = shape(state.count());
  const std::vector<std::uint32_t> best = best_sets(state);
  BitMatrix covered(data_.bits.rows(), data_.bits.columns());
  std::vector<std::vector<std::uint32_t>> members(state.count());
  for (std::size_t n = 0; n < data_.bits.rows(); ++n) {
    for (const std::uint32_t k : here.sets[best[n]]) {
      members[k].push_back(static_cast<std::uint32_t>(n));
      for (std::size_t w = 0; w < covered.words(); ++w) covered.row(n)[w] |= state.roles.row(k)[w];
    }
  }
  std::vector<RoleState> tried;
  for (const std::vector<std::uint64_t>& role :
       residual_candidates(data_, covered, state.p0, state.p1, trials, threads(state.count()), rng)) {
    tried.push_back(with_role(state, role, -1));
  }
  if (may_split) {
    std::vector<RoleSplit> splits(state.count());
    for_each_task(state.count(), threads(state.count()), [&](std::size_t k) {
      if (k >= rules_.keep.rows()) splits[k] = split_role(data_, state.roles.row(k), members[k], state.p0, state.p1);
    });
    std::vector<std::size_t> order(splits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return splits[a].worth > splits[b].worth; });
    for (std::size_t i = 0; i < std::min(trials, order.size()); ++i) {
      const RoleSplit& split = splits[order[i]];
      if (split.worth > 0.0) tried.push_back(with_role(state, split.part, static_cast<std::ptrdiff_t>(order[i])));
    }
  }
  if (tried.empty()) return state;
  if (tried.size() > 1) {
    for (RoleState& trial : tried) trial = improve(std::move(trial), trial_steps);
  }
  const auto winner = std::max_element(
      tried.begin(), tried.end(), [](const RoleState& a, const RoleState& b) { return a.objective < b.objective; });
  return improve(std::move(*winner), grow_steps);
}

namespace {

// Users with role k to whom no other of their roles grants column d: those who hold it, less those who do not.
double held_less_granted(const MergedMatrix& data, const LabelSets& sets, const std::vector<std::uint32_t>& best,
                         const BitMatrix& roles, std::size_t k, std::size_t d) {
  double balance = 0.0;
  for (std::size_t n = 0; n < best.size(); ++n) {
    const std::span<const std::uint32_t> set = sets[best[n]];
    if (std::find(set.begin(), set.end(), k) == set.end()) continue;
    const bool has_other = std::any_of(set.begin(), set.end(), [&](std::uint32_t j) { return j != k && roles(j, d); });
    if (!has_other) balance += data.bits(n, d) ? data.row_weight[n] : -data.row_weight[n];
  }
  return balance;
}

}  // namespace

RoleState RoleSearch::without_moved(RoleState state) {
  constexpr std::size_t most_moved_rounds = 10;  // the M-step may put one back where users are in doubt
  for (std::size_t round = 0; round <= most_moved_rounds && !rules_.never_with.empty(); ++round) {
    const std::vector<std::uint32_t> best = best_sets(state);
    const LabelSets& sets = shape(state.count()).sets;
    bool has_changed = false;
    for (std::size_t d = 0; d < rules_.never_with.size(); ++d) {
      for (std::size_t k = rules_.keep.rows(); k < state.count() && !rules_.never_with[d].empty(); ++k) {
        if (!state.roles(k, d) || held_less_granted(data_, sets, best, state.roles, k, d) >= 0.0) continue;
        state.roles.set(k, d, false);
        has_changed = true;
      }
    }
    if (!has_changed || round == most_moved_rounds) break;
    state = improve(std::move(state), settle_steps);
  }
  return state;
}

RoleState RoleSearch::grow_and_prune(RoleState state, std::size_t rounds, Rng& rng) {
  for (std::size_t round = 0; round < rounds; ++round) {
    const RoleState larger = grow(state, trials_a_move, true, rng);
    if (larger.count() == state.count()) break;
    const std::vector<double> loss = removal_loss(larger);
    std::vector<std::size_t> order(loss.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return loss[a] < loss[b]; });
    RoleState best;
    best.objective = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(trials_a_move, order.size()); ++i) {
      if (std::isinf(loss[order[i]])) break;
      RoleState trial = improve(without(larger, order[i]), prune_steps);
      if (trial.objective > best.objective) best = std::move(trial);
    }
    if (best.count() == 0) break;
    best = improve(std::move(best), settle_steps);
    if (!is_better(best.objective, state.objective)) break;
    state = std::move(best);
  }
  return state;
}

RoleState RoleSearch::replace_weakest(RoleState state, std::size_t roles, Rng& rng) {
  for (bool improved = true; improved;) {
    improved = false;
    const std::vector<double> loss = removal_loss(state);
    std::vector<std::size_t> order(loss.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return loss[a] < loss[b]; });
    for (std::size_t i = 0; i < std::min(roles, order.size()) && !improved; ++i) {
      if (std::isinf(loss[order[i]])) break;
      const RoleState fewer = improve(without(state, order[i]), trial_steps);
      RoleState again = grow(fewer, trials_a_move, false, rng);
      if (again.count() < state.count()) continue;
      again = improve(std::move(again), settle_steps);
      if (!is_better(again.objective, state.objective)) continue;
      state = std::move(again);
      improved = true;
    }
  }
  return state;
}

}  // namespace motet::roles
