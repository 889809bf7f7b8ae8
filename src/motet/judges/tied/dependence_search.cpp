#include "motet/judges/tied/dependence_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/judges/tied/dependence_notes.h"
#include "motet/judges/tied/tied_information.h"

namespace motet::judges {
namespace {

constexpr double start_accuracy = 0.7;
constexpr double first_rho = 0.1;          // of a block that is new
constexpr double fewest_shared = 30.0;     // items two judges must share to be looked at
constexpr double error_level = 0.05;       // chance of any pair being found where there is none
constexpr double largest_error = 0.15;     // standard error of an accuracy that is no knowledge any more
constexpr std::size_t most_scored = 50;    // pairs that get a score test
constexpr std::size_t try_all_judges = 6;  // up to so many, the first round fits every pair
constexpr std::size_t most_tried = 4;      // later on, of the best by score and by agreement each
constexpr double notable_z = 2.0;
constexpr double same_objective = 1e-6;
constexpr double nearly_as_good = 4.0;  // of twice the objective
constexpr double quite_other = 0.15;    // difference of an accuracy between two readings

// A pair that could be added, and what speaks for it.
struct Candidate {
  ErrorPair pair;
  double threshold = 0.0;  // that twice the gain must pass
  double z = 0.0;
  double score = 0.0;
  double strength() const { return std::max(score, z > 0.0 ? z * z : 0.0); }
};

struct Trial {
  std::vector<ErrorPair> added;
  double threshold = 0.0;
  TiedReading reading;
  double gain = 0.0;
};

class Search {
 public:
  Search(const VoteTable& table, std::span<const double> known_prior, const EmRule& rule, const RunContext& run,
         const DependenceOptions& options)
      : table_(table),
        known_prior_(known_prior),
        rule_(rule),
        run_(run),
        options_(options),
        budget_(pattern_budget(table, known_prior)),
        agreement_(measure_agreement(table)) {
    quick_ = {std::min<std::size_t>(rule.max_iterations, 300), std::max(rule.tolerance, 1e-4), 1.0, true};
    for (const PairAgreement& pair : agreement_.pairs) {
      shared_[{pair.first, pair.second}] = pair.shared;
      if (pair.shared >= fewest_shared) ++pair_count_;
    }
  }

  DependenceSearch go() {
    DependenceSearch result;
    best_ = polish(fit({}, model_of({}).equal_start(start_accuracy)));
    result.independent = best_;
    result.checkable = table_.judge_count < 2 || budget_.allows(std::vector<ErrorPair>{{0, 1}});
    result.shares_enough = pair_count_ > 0;
    if (options_.pairs) {
      fit_given();
    } else {
      independent_ = best_;
      errors_ = accuracy_errors(best_);
      for (bool growing = result.checkable; growing;) growing = add_best();
      drop_needless();
    }
    for (std::size_t p = 0; p < losses_.size(); ++p) {
      result.bic_gains.push_back(losses_[p] - std::log(shared_.at(best_.pairs[p])));
    }
    result.rival = best_rival();
    result.best = std::move(best_);
    result.unmeasured.assign(unmeasured_.begin(), unmeasured_.end());
    result.agreement = std::move(agreement_);
    return result;
  }

 private:
  TiedErrors model_of(std::span<const ErrorPair> pairs) const {
    return TiedErrors(table_, known_prior_, pairs, options_.penalty);
  }

  TiedReading run_from(const TiedErrors& model, const std::vector<ErrorPair>& pairs, std::vector<double> start,
                       const EmRule& rule, std::string_view stage = {}) {
    if (run_.cancelled()) stop();
    EmResult found = run_em(model.problem(), std::move(start), rule, run_, stage);
    if (found.summary.stop == Stop::interrupted) stop();
    if (run_.observer) run_.observer({"looking for dependent judges", static_cast<double>(++fits_), 0.0, "fits"});
    return {pairs, model.layout().unpack(found.parameters, pairs.size()), found.objective(), found.statistics[0],
            std::move(found.summary)};
  }

  [[noreturn]] static void stop() { fail(ErrorKind::interrupted, "interrupted while looking for dependent judges"); }

  // Two starts, the better end.
  TiedReading fit(const std::vector<ErrorPair>& pairs, const TiedParameters& warm) {
    const TiedErrors model = model_of(pairs);
    TiedReading first = run_from(model, pairs, model.layout().pack(warm), quick_);
    TiedReading second = run_from(model, pairs, model.neutral_start(agreement_.skill, run_), quick_);
    const bool second_wins = second.objective > first.objective + same_objective;
    runner_up_ = second_wins ? first : second;
    return second_wins ? second : first;
  }

  TiedReading polish(const TiedReading& reading) {
    const TiedErrors model = model_of(reading.pairs);
    return run_from(model, reading.pairs, model.layout().pack(reading.parameters), rule_);
  }

  std::vector<double> accuracy_errors(const TiedReading& reading) const {
    const TiedErrors model = model_of(reading.pairs);
    std::vector<double> errors =
        tied_uncertainty(model, model.layout().pack(reading.parameters), run_).accuracy_variance;
    for (double& error : errors) error = std::sqrt(error);
    return errors;
  }

  double threshold(double shared) const {
    const double level = 1.0 - error_level / static_cast<double>(std::max<std::size_t>(pair_count_, 1));
    return std::max(std::log(shared), chi_squared_quantile(level, 1.0));
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    std::vector<ErrorPair> with = best_.pairs;
    with.emplace_back();
    for (const PairAgreement& pair : agreement_.pairs) {
      const ErrorPair added{pair.first, pair.second};
      if (pair.shared < fewest_shared || std::count(best_.pairs.begin(), best_.pairs.end(), added) > 0) continue;
      found.push_back({added, threshold(pair.shared), pair.z, 0.0});
    }
    const auto by_agreement = [](const Candidate& a, const Candidate& b) { return std::abs(a.z) > std::abs(b.z); };
    std::stable_sort(found.begin(), found.end(), by_agreement);
    std::vector<Candidate> possible;
    for (const Candidate& candidate : found) {
      if (possible.size() == most_scored) break;
      with.back() = candidate.pair;
      if (is_possible(with)) possible.push_back(candidate);
    }
    return possible;
  }

  bool is_possible(std::span<const ErrorPair> pairs) const {
    return largest_block(table_.judge_count, pairs) <= most_in_block && budget_.allows(pairs);
  }

  void score(std::vector<Candidate>& candidates) const {
    std::vector<ErrorPair> pairs;
    pairs.reserve(candidates.size());
    for (const Candidate& candidate : candidates) pairs.push_back(candidate.pair);
    const TiedErrors model = model_of(best_.pairs);
    const std::vector<double> scores = score_tests(model, model.layout().pack(best_.parameters), pairs, run_);
    for (std::size_t i = 0; i < scores.size(); ++i) candidates[i].score = scores[i];
  }

  // The candidates worth a fit.
  std::vector<Candidate> chosen(std::vector<Candidate> all) const {
    if (table_.judge_count <= try_all_judges && best_.pairs.empty()) return all;
    std::vector<Candidate> result;
    const auto take = [&](const auto& better, const auto& good) {
      std::stable_sort(all.begin(), all.end(), better);
      for (std::size_t i = 0; i < std::min(all.size(), most_tried); ++i) {
        const auto same = [&](const Candidate& other) { return other.pair == all[i].pair; };
        if (good(all[i]) && std::none_of(result.begin(), result.end(), same)) result.push_back(all[i]);
      }
    };
    take([](const Candidate& a, const Candidate& b) { return a.score > b.score; },
         [](const Candidate& c) { return c.score > 0.5 * c.threshold; });
    take([](const Candidate& a, const Candidate& b) { return a.z > b.z; },
         [](const Candidate& c) { return c.z > notable_z; });
    return result;
  }

  // Strong candidates that have no judge in common, to be added at once.
  Trial batch(std::vector<Candidate> strong) const {
    Trial trial;
    std::stable_sort(strong.begin(), strong.end(),
                     [](const Candidate& a, const Candidate& b) { return a.strength() > b.strength(); });
    std::vector<ErrorPair> with = best_.pairs;
    for (const Candidate& candidate : strong) {
      const auto [i, j] = candidate.pair;
      const bool used = std::any_of(trial.added.begin(), trial.added.end(), [i = i, j = j](const ErrorPair& pair) {
        return pair.first == i || pair.second == i || pair.first == j || pair.second == j;
      });
      if (used || candidate.strength() <= 2.0 * candidate.threshold) continue;
      with.push_back(candidate.pair);
      if (!is_possible(with)) {
        with.pop_back();
        continue;
      }
      trial.added.push_back(candidate.pair);
      trial.threshold += candidate.threshold;
    }
    return trial;
  }

  void try_out(Trial& trial) {
    std::vector<ErrorPair> pairs = best_.pairs;
    TiedParameters warm = best_.parameters;
    for (const ErrorPair& pair : trial.added) {
      pairs.push_back(pair);
      warm.gamma.push_back(0.0);
      warm.rho[pair.first] = std::max(warm.rho[pair.first], first_rho);
    }
    trial.reading = fit(pairs, warm);
    trial.gain = 2.0 * (trial.reading.objective - best_.objective) - trial.threshold;
    if (trial.added.size() > 1) return;
    for (const TiedReading& reading : {trial.reading, runner_up_}) {
      if (reading.parameters.gamma.back() > 0.0) rivals_.push_back(reading);
    }
  }

  std::vector<double> accuracies(const TiedReading& reading) const {
    const TiedLayout layout(table_.judge_count, table_.class_count, reading.pairs);
    return layout.accuracies(layout.pack(reading.parameters));
  }

  std::optional<RivalReading> best_rival() const {
    std::optional<RivalReading> found;
    const std::vector<double> chosen = accuracies(best_);
    for (const TiedReading& reading : rivals_) {
      const double loss = 2.0 * (best_.objective - reading.objective);
      if (loss > nearly_as_good || (found && loss >= found->loss) || reading.pairs == best_.pairs) continue;
      std::vector<double> accuracy = accuracies(reading);
      double difference = 0.0;
      for (std::size_t j = 0; j < chosen.size(); ++j) {
        difference = std::max(difference, std::abs(accuracy[j] - chosen[j]));
      }
      if (difference > quite_other) found = RivalReading{reading.pairs.back(), loss, std::move(accuracy)};
    }
    return found;
  }

  // False when nothing more earns its place.
  bool add_best() {
    constexpr double worth_polishing = -1.0;  // quick fits end a little below the top
    std::vector<Candidate> all = candidates();
    if (all.empty()) return false;
    score(all);
    const std::vector<Candidate> tried = chosen(std::move(all));
    std::vector<Trial> trials;
    trials.reserve(tried.size() + 1);
    for (const Candidate& candidate : tried) trials.push_back({{candidate.pair}, candidate.threshold, {}, 0.0});
    if (Trial together = batch(tried); together.added.size() > 1) trials.push_back(std::move(together));
    for (Trial& trial : trials) try_out(trial);
    std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.gain > b.gain; });
    for (const Trial& trial : trials) {
      if (trial.gain <= worth_polishing) break;
      TiedReading polished = polish(trial.reading);
      if (2.0 * (polished.objective - best_.objective) <= trial.threshold) continue;
      std::vector<double> errors = accuracy_errors(polished);
      if (loses_accuracies(errors)) {
        if (trial.added.size() == 1) unmeasured_.insert(trial.added[0]);
        continue;
      }
      best_ = std::move(polished);
      errors_ = std::move(errors);
      return true;
    }
    return false;
  }

  // An accuracy that few votes tell anyway does not count against a pair.
  bool loses_accuracies(std::span<const double> errors) const {
    for (std::size_t j = 0; j < errors.size(); ++j) {
      const bool was_known = errors_[j] <= largest_error;
      if (errors[j] > largest_error && (was_known || errors[j] > 2.0 * errors_[j])) return true;
    }
    return false;
  }

  TiedReading without(std::size_t pair) {
    if (best_.pairs.size() == 1) return independent_;
    std::vector<ErrorPair> pairs = best_.pairs;
    TiedParameters warm = best_.parameters;
    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(pair));
    warm.gamma.erase(warm.gamma.begin() + static_cast<std::ptrdiff_t>(pair));
    return fit(pairs, warm);
  }

  // Pairs that later ones made superfluous go, the least useful first.
  void drop_needless() {
    while (!best_.pairs.empty()) {
      losses_.clear();
      double least = std::numeric_limits<double>::infinity();
      TiedReading rest;
      for (std::size_t p = 0; p < best_.pairs.size(); ++p) {
        TiedReading left = without(p);
        losses_.push_back(2.0 * (best_.objective - left.objective));
        const double margin = losses_.back() - threshold(shared_.at(best_.pairs[p]));
        if (margin >= least) continue;
        least = margin;
        rest = std::move(left);
      }
      if (best_.pairs.size() == 1 || least >= 0.0) return;
      best_ = polish(rest);
    }
  }

  void fit_given() {
    TiedParameters warm = best_.parameters;
    warm.gamma.assign(options_.pairs->size(), 0.0);
    for (const ErrorPair& pair : *options_.pairs) {
      if (pair.first >= pair.second || pair.second >= table_.judge_count) {
        fail(ErrorKind::usage, "pairs: first and second must be two judges in ascending order");
      }
      warm.rho[pair.first] = first_rho;
    }
    best_ = polish(fit(*options_.pairs, warm));
  }

  const VoteTable& table_;
  std::span<const double> known_prior_;
  EmRule rule_;
  EmRule quick_;
  const RunContext& run_;
  const DependenceOptions& options_;
  PatternBudget budget_;
  Agreement agreement_;
  std::map<ErrorPair, double> shared_;  // items in common
  std::size_t pair_count_ = 0;          // pairs that share enough items
  std::size_t fits_ = 0;
  TiedReading best_;
  TiedReading independent_;
  TiedReading runner_up_;            // the worse end of the last fit
  std::vector<TiedReading> rivals_;  // single pairs that were tried
  std::vector<double> errors_;       // standard errors of the accuracies of best_
  std::vector<double> losses_;       // by pair of best_: twice the objective it brings
  std::set<ErrorPair> unmeasured_;
};

}  // namespace

DependenceSearch search_dependence(const VoteTable& table, std::span<const double> known_prior, const EmRule& rule,
                                   const RunContext& run, const DependenceOptions& options) {
  return Search(table, known_prior, rule, run, options).go();
}

}  // namespace motet::judges
