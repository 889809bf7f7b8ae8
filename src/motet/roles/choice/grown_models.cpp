#include "motet/roles/choice/grown_models.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/roles/mac/search_starts.h"

namespace motet::roles {
namespace {

constexpr std::size_t grown_steps = 30;
constexpr double grown_tolerance = 1e-3;          // of the parameters, in a step of EM
constexpr std::size_t steps_on_all_sets = 1;      // on all sets
constexpr double least_users_in_use = 0.1;        // of a set in use
constexpr double unused_share = 1e-3;             // of users, given back to sets not in use
constexpr std::size_t sweep_trial_steps = 4;      // before the better of two is chosen
constexpr std::size_t weakest_tried = 2;          // roles of which one is taken away on the way back
constexpr std::size_t most_rounds_of_sweeps = 3;  // back and forth
constexpr double least_sweep_rise = 1e-6;         // of the objective, relative, that counts as better

// Sets that hold two roles or more and nobody has: most of them, and what EM takes longest for.
LabelSets sets_in_use(const LabelSets& all, std::span<const double> share, double users,
                      std::vector<std::size_t>& kept) {
  LabelSets some;
  for (std::size_t l = 0; l < all.size(); ++l) {
    if (all[l].size() > 1 && share[l] * users < least_users_in_use) continue;
    some.add(all[l]);
    kept.push_back(l);
  }
  return some;
}

// EM on the sets in use alone.
RoleState improved_on_used_sets(RoleSearch& search, RoleState state, std::size_t steps, const RunContext& run) {
  const MergedMatrix& data = search.data();
  MacShape shape = search.shape(state.count());
  std::vector<std::size_t> kept;
  shape.sets =
      sets_in_use(search.shape(state.count()).sets, state.share, static_cast<double>(data.row_of.size()), kept);
  const std::size_t columns = data.bits.columns();
  const MacParts parts = mac_parts(shape, columns);
  std::vector<double> start = mac_start(shape, absence_of(state.roles), columns, state.p0, state.p1);
  double sum = 0.0;
  for (const std::size_t l : kept) sum += state.share[l];
  for (std::size_t i = 0; i < kept.size(); ++i) start[parts.prior() + i] = state.share[kept[i]] / sum;
  EmRule rule;
  rule.max_iterations = steps;
  rule.tolerance = grown_tolerance;
  rule.accelerate = false;
  RunContext own = unheard(run);
  own.threads = search.threads(state.count());
  const EmResult result = run_em(mac_problem(data, shape, own.threads), std::move(start), rule, own);
  if (result.summary.stop == Stop::interrupted) fail(ErrorKind::interrupted, "interrupted");
  for (std::size_t k = 0; k < state.count(); ++k) {
    for (std::size_t d = 0; d < columns; ++d) state.roles.set(k, d, result.parameters[k * columns + d] < 0.5);
  }
  state.p0 = result.parameters[parts.p0()];
  state.p1 = result.parameters[parts.p1()];
  for (double& share : state.share) share = unused_share / static_cast<double>(state.share.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    state.share[kept[i]] += (1.0 - unused_share) * result.parameters[parts.prior() + i];
  }
  state.objective = result.objective();
  return state;
}

// To the end of EM, and then a few steps on all sets: some come into use, and only objectives of the same sets compare.
RoleState settled(RoleSearch& search, RoleState state, const RunContext& run) {
  return search.improve(improved_on_used_sets(search, std::move(state), grown_steps, run), steps_on_all_sets);
}

bool is_better_state(const RoleState& a, const RoleState& b) {
  return a.objective > b.objective + least_sweep_rise * std::abs(b.objective);
}

// The better of two models with one role less: of the roles that are missed least.
RoleState with_one_less(RoleSearch& search, const RoleState& state, const RunContext& run) {
  const std::vector<double> loss = search.removal_loss(state);
  std::vector<std::size_t> order(loss.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return loss[a] < loss[b]; });
  RoleState best;
  for (std::size_t i = 0; i < std::min(weakest_tried, order.size()); ++i) {
    if (std::isinf(loss[order[i]])) break;
    RoleState trial = improved_on_used_sets(search, search.without(state, order[i]), sweep_trial_steps, run);
    if (best.count() == 0 || trial.objective > best.objective) best = std::move(trial);
  }
  return best.count() == 0 ? best : settled(search, std::move(best), run);
}

// A role that was found early may stand for two that come together: with more roles both are found and it is not
// needed. So models are also made by taking roles away from larger ones, and larger ones by growing those, until none
// gets better.
class Sweeps {
 public:
  Sweeps(RoleSearch& search, std::vector<RoleState>& path, std::size_t from, Rng& rng, const RunContext& run)
      : search_(search), path_(path), from_(from), rng_(rng), run_(run), is_new_(path.size(), 1) {}

  void go() {
    for (std::size_t round = 0; round < most_rounds_of_sweeps; ++round) {
      back();
      forth();
      if (std::count(is_new_.begin(), is_new_.end(), 1) == 0) return;
    }
  }

 private:
  // From models that nothing was made of since they changed.
  void back() {
    std::vector<std::uint8_t> changed(path_.size(), 0);
    for (std::size_t k = path_.size() - 1; k > 0 && path_[k].count() > from_; --k) {
      if (is_new_[k] == 0 && changed[k] == 0) continue;
      changed[k - 1] = take(k - 1, with_one_less(search_, path_[k], run_));
    }
    is_new_ = std::move(changed);
  }

  void forth() {
    std::vector<std::uint8_t> changed(path_.size(), 0);
    for (std::size_t k = 1; k < path_.size(); ++k) {
      if (path_[k - 1].count() < from_ || (is_new_[k - 1] == 0 && changed[k - 1] == 0)) continue;
      changed[k] = take(k, settled(search_, search_.grow(path_[k - 1], 1, true, rng_), run_));
    }
    is_new_ = std::move(changed);
  }

  std::uint8_t take(std::size_t at, RoleState found) {
    if (found.count() != path_[at].count() || !is_better_state(found, path_[at])) return 0;
    path_[at] = std::move(found);
    return 1;
  }

  RoleSearch& search_;
  std::vector<RoleState>& path_;
  std::size_t from_;
  Rng& rng_;
  const RunContext& run_;
  std::vector<std::uint8_t> is_new_;
};

RoleModel model_of(const RoleState& state, RoleSearch& search, const MergedMatrix& merged,
                   const std::vector<std::string>& permissions) {
  RoleModel model;
  model.permissions = permissions;
  const std::size_t columns = model.permissions.size();
  model.roles.resize(state.count());
  model.frozen.assign(state.count(), 0);
  model.absence.resize(state.count() * columns);
  for (std::size_t k = 0; k < state.count(); ++k) {
    for (std::size_t d = 0; d < columns; ++d) {
      model.absence[k * columns + d] = state.roles(k, merged.column_of[d]) ? 0.0 : 1.0;
    }
  }
  model.p0 = {state.p0};
  model.p1 = {state.p1};
  model.sets = search.shape(state.count()).sets;
  model.set_share = state.share;
  model.users = static_cast<double>(merged.row_of.size());
  return model;
}

}  // namespace

std::vector<RoleModel> grown_models(const BitMatrix& held, const std::vector<std::string>& permissions,
                                    const GrownRange& range, const SearchRules& rules, Rng rng, const RunContext& run) {
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  const MergedMatrix merged = merge_equal(held);
  RoleSearch search(merged, rules, run);
  if (run.observer) search.tell([&] { run.observer({"growing roles", 0.0, 0.0, "roles"}); });
  std::vector<RoleState> path = growth_path(search, range.most, rng);
  const bool is_range = range.settled_from < range.most;
  for (RoleState& state : path) {
    if (state.count() < range.settled_from) continue;
    state = is_range ? settled(search, std::move(state), run) : search.improve(std::move(state), grown_steps);
  }
  if (is_range && path.size() > 1) Sweeps(search, path, range.settled_from, rng, run).go();
  std::vector<RoleModel> models;
  models.reserve(path.size());
  for (const RoleState& state : path) models.push_back(model_of(state, search, merged, permissions));
  return models;
}

}  // namespace motet::roles
