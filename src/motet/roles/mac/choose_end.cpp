#include "motet/roles/mac/choose_end.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/roles/baselines/from_factors.h"
#include "motet/roles/mac/mac_fit.h"
#include "motet/roles/mac/mac_starts.h"
#include "motet/roles/mac/soft_starts.h"
#include "motet/roles/mac/weigh_ends.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_judged = 3;  // ends of the search that are fitted without the held-out users
constexpr std::size_t judged_steps = 30;
constexpr std::size_t screening_steps = 8;
constexpr std::size_t most_soft = 4;        // ends that differ
constexpr std::size_t most_soft_large = 1;  // where a step is dear
constexpr double dear_step = 5e8;           // rows, columns and sets multiplied
constexpr std::size_t soft_single = 1;      // of those with one role per user
constexpr std::size_t fold = 5;             // one user in five is held out
constexpr std::size_t least_held_out = 4;
constexpr std::size_t enough_held_out = 500;  // in all parts together

double sum(std::span<const double> numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

class EndChoice {
 public:
  EndChoice(const MacSetting& setting, const MergedMatrix& all, const SearchedUsers& users)
      : setting_(setting),
        run_(setting.run()),
        all_(all),
        users_(users),
        can_judge_(users.access.held.rows() >= fold * least_held_out) {
    for (const SearchStart& end : users.ends) {
      chosen_.starts.push_back(
          {end.name, true, no_number, end.state.objective / static_cast<double>(users.access.held.rows())});
    }
  }

  ChosenEnd go() {
    if (setting_.options().centroids == Centroids::soft) {
      make_soft();
      return std::move(take_soft());
    }
    choose_rounded();
    if (can_judge_ && setting_.allows_soft() && !is_soft_worse()) {
      make_soft();
      if (has_readable() && predicts_as_well()) return std::move(take_soft());
    }
    return std::move(take_rounded());
  }

 private:
  // Ends near the best, each fitted without a fifth of the users; the first (the best on all users) stays unless
  // another predicts better.
  void choose_rounded() {
    const std::vector<std::size_t> near = near_ties(users_.ends, most_judged, [&](std::size_t end) {
      const MacShape shape = setting_.shape_for(users_.data, true);
      return user_log_likelihoods(setting_.model_of(shape, start_of(shape, users_.ends[end].state), users_.data),
                                  users_.access.held, run_);
    });
    near_best_ = near.front();
    if (!can_judge_) return;
    cut_ = cut_by_lot(users_.access.held.rows(), users_.access.held.rows(), fold, Cut::spread,
                      stream(run_.seed, Stream::roles_held_out_users));
    for (const std::size_t end : near) {
      std::vector<double> scores = predicted(users_.ends[end].state, true, cut_.rest, cut_.aside);
      chosen_.starts[end].held_out = mean_sd(scores).mean;
      if (by_rounded_.empty() || predicts_better(scores, by_rounded_)) {
        by_rounded_ = std::move(scores);
        rounded_ = end;
      }
    }
  }

  // A look at the best end as probabilities, with its noise or without: where they predict the same users worse, other
  // starts would not help.
  bool is_soft_worse() {
    const SearchStart& end = users_.ends[near_best_];
    const MergedMatrix training = setting_.merged(users_.access.held.rows_of(cut_.rest));
    const MacShape shape = setting_.shape_for(training, false);
    EmResult best;
    for (const SoftStart& start : soft_starts({end}, 1, setting_.options().noise != RoleNoise::none)) {
      EmResult result = few_steps(training, shape, start_on(training, shape, start.state), screening_steps);
      if (best.parameters.empty() || result.objective() > best.objective()) best = std::move(result);
    }
    best = few_steps(training, shape, std::move(best.parameters), judged_steps - screening_steps);
    const std::vector<double> scores = scores_of(training, shape, best, cut_.aside);
    chosen_.starts.push_back({end.name, false, mean_sd(scores).mean, no_number});
    return predicts_better(by_rounded_, scores);
  }

  void make_soft() {
    const bool has_noise = setting_.options().noise != RoleNoise::none;
    const MacShape shape = setting_.shape_for(users_.data, false);
    const BitMatrix& bits = users_.data.bits;
    const double step = static_cast<double>(bits.rows() * bits.columns()) * static_cast<double>(shape.sets.size());
    soft_starts_ = soft_starts(users_.ends, step > dear_step ? most_soft_large : most_soft, has_noise);
    for (SoftStart& start : soft_starts(users_.single, soft_single, has_noise)) {
      soft_starts_.push_back(std::move(start));
    }
    std::vector<std::vector<double>> starts;
    for (const SoftStart& start : soft_starts_) starts.push_back(start_of(shape, start.state));
    soft_ = best_soft(starts, [&](std::vector<double> start, std::size_t steps) {
      return few_steps(users_.data, shape, std::move(start), steps);
    });
    choose_soft(0);
  }

  void choose_soft(std::size_t fit) {
    chosen_soft_ = fit;
    chosen_.starts.resize(users_.ends.size());
    chosen_.starts.push_back({soft_starts_[soft_[fit].start].name, false, no_number,
                              soft_[fit].objective / static_cast<double>(users_.access.held.rows())});
  }

  double wrong_by(const MacShape& shape, std::span<const double> parameters) const {
    return sum(wrong_cells(setting_.model_of(shape, parameters, users_.data), users_.access.held, run_));
  }

  // As --method asso would tell its roles.
  std::optional<double> wrong_by_association() const {
    for (const SearchStart& end : users_.ends) {
      if (!end.factors) continue;
      const RoleModel model = model_from_factors(users_.access, unmerged(*end.factors, users_.data),
                                                 setting_.options().max_roles_per_user, RoleMethod::asso);
      return sum(wrong_cells(model, users_.access.held, run_));
    }
    return {};
  }

  // The likeliest of those that, read as yes and no, leave no more wrong cells than the greedy method. Where none does
  // and the yes/no roles leave more as well, the likeliest of those that leave no more than these.
  bool has_readable() {
    const MacShape shape = setting_.shape_for(users_.data, true);
    const RoleState& state = users_.ends[rounded_].state;
    const double by_rounded =
        wrong_by(shape, few_steps(users_.data, shape, start_of(shape, state), judged_steps).parameters);
    const double most = wrong_by_association().value_or(by_rounded);
    const MacShape soft = setting_.shape_for(users_.data, false);
    std::vector<double> by_soft;
    for (const SoftFit& fit : soft_) by_soft.push_back(wrong_by(soft, fit.parameters));
    for (const double limit : {most, std::max(most, by_rounded)}) {
      for (std::size_t i = 0; i < soft_.size(); ++i) {
        if (by_soft[i] > limit || !(soft_[i].objective > state.objective)) continue;
        choose_soft(i);
        return true;
      }
    }
    return false;
  }

  // By users held out, each once or until they are enough. Near ties go to the yes/no roles, which are simpler.
  bool predicts_as_well() {
    const RoleState& rounded = users_.ends[rounded_].state;
    const RoleState& soft = soft_starts_[soft_[chosen_soft_].start].state;
    const Parts parts =
        random_parts(users_.access.held.rows(), fold, stream(run_.seed, Stream::roles_held_out_users, held_out_parts));
    std::vector<double> of_rounded;
    std::vector<double> of_soft;
    for (std::size_t part = 0; part < fold && of_soft.size() < enough_held_out; ++part) {
      const std::vector<std::uint32_t> rest = parts.others(part);
      const std::vector<std::uint32_t> aside = parts.rows_of(part);
      const auto add = [&](std::vector<double>& to, const RoleState& state, bool is_rounded) {
        const std::vector<double> scores = predicted(state, is_rounded, rest, aside);
        to.insert(to.end(), scores.begin(), scores.end());
      };
      add(of_rounded, rounded, true);
      add(of_soft, soft, false);
    }
    chosen_.starts[rounded_].held_out = mean_sd(of_rounded).mean;
    chosen_.starts.back().held_out = mean_sd(of_soft).mean;
    return is_near_tie(soft_[chosen_soft_].objective, rounded.objective) ? predicts_better(of_soft, of_rounded)
                                                                         : !predicts_better(of_rounded, of_soft);
  }

  ChosenEnd& take_rounded() {
    chosen_.rounded = true;
    chosen_.winner = rounded_;
    const RoleState& state = users_.ends[rounded_].state;
    const BitMatrix roles = compressed(expanded(state.roles, users_.data), all_);
    chosen_.parameters = motet::roles::start_of(setting_.shape_for(all_, true), roles, state, all_.bits.columns());
    return chosen_;
  }

  ChosenEnd& take_soft() {
    chosen_.rounded = false;
    chosen_.winner = chosen_.starts.size() - 1;
    chosen_.parameters = carried_over(soft_[chosen_soft_].parameters, setting_.roles(), users_.data, all_);
    return chosen_;
  }

  std::vector<double> start_of(const MacShape& shape, const RoleState& state) const {
    return motet::roles::start_of(shape, state.roles, state, users_.data.bits.columns());
  }

  // By user of `aside`: log-likelihood after a fit of the others.
  std::vector<double> predicted(const RoleState& state, bool is_rounded, std::span<const std::uint32_t> rest,
                                std::span<const std::uint32_t> aside) const {
    const MergedMatrix training = setting_.merged(users_.access.held.rows_of(rest));
    const MacShape shape = setting_.shape_for(training, is_rounded);
    return scores_of(training, shape, few_steps(training, shape, start_on(training, shape, state), judged_steps),
                     aside);
  }

  std::vector<double> start_on(const MergedMatrix& training, const MacShape& shape, const RoleState& state) const {
    const BitMatrix roles = compressed(expanded(state.roles, users_.data), training);
    return motet::roles::start_of(shape, roles, state, training.bits.columns());
  }

  std::vector<double> scores_of(const MergedMatrix& training, const MacShape& shape, const EmResult& fit,
                                std::span<const std::uint32_t> aside) const {
    return user_log_likelihoods(setting_.model_of(shape, fit.parameters, training), users_.access.held.rows_of(aside),
                                unheard(run_));
  }

  EmResult few_steps(const MergedMatrix& data, const MacShape& shape, std::vector<double> start,
                     std::size_t steps) const {
    EmRule rule;
    rule.max_iterations = steps;
    rule.tolerance = 1e-4;
    RunContext quiet = unheard(run_);
    if (run_.observer) {
      quiet.observer = [this](const Progress& progress) {
        run_.observer({"weighing ends of the search", progress.done, progress.total, progress.unit});
      };
    }
    EmResult result = run_em(mac_problem(data, shape, run_.threads), std::move(start), rule, quiet, "weighing");
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
    return result;
  }

  static constexpr std::uint64_t held_out_parts = 1;  // of the stream; 0 is the cut for yes/no roles

  const MacSetting& setting_;
  const RunContext& run_;
  const MergedMatrix& all_;
  const SearchedUsers& users_;
  bool can_judge_;
  std::size_t near_best_ = 0;       // the best of the ends
  std::size_t rounded_ = 0;         // the one that is chosen
  CutRows cut_;                     // users held out to judge it, and
  std::vector<double> by_rounded_;  // what it says of each
  std::vector<SoftStart> soft_starts_;
  std::vector<SoftFit> soft_;    // the likeliest first
  std::size_t chosen_soft_ = 0;  // of these
  ChosenEnd chosen_;
};

}  // namespace

ChosenEnd choose_end(const MacSetting& setting, const MergedMatrix& all, const SearchedUsers& users) {
  return EndChoice(setting, all, users).go();
}

}  // namespace motet::roles
