#include "motet/judges/tied/dependence_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/judges/confusion/fit.h"
#include "motet/judges/tied/tied_em.h"

namespace motet::judges {
namespace {

constexpr double clear_gain = 10.0;      // of BIC: very strong evidence
constexpr double clear_agreement = 5.0;  // standard deviations above what the skills explain
constexpr std::size_t most_named = 5;

std::size_t judges_with_votes(const VoteTable& table) {
  const std::vector<double> counts = vote_counts(table);
  std::size_t with_votes = 0;
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(j * table.class_count);
    with_votes += std::any_of(first, first + static_cast<std::ptrdiff_t>(table.class_count),
                              [](double count) { return count > 0.0; });
  }
  return with_votes;
}

bool has_gold(const VoteTable& table) {
  return std::any_of(table.known.begin(), table.known.end(), [](std::int32_t y) { return y != Votes::unknown; });
}

bool is_uniform(std::span<const double> prior) {
  constexpr double rounding = 1e-9;
  return std::all_of(prior.begin(), prior.end(), [&](double p) { return std::abs(p - prior[0]) <= rounding; });
}

// Ways to split `judges` into at most `groups` groups that say the same.
double agreement_patterns(std::size_t judges, std::size_t groups) {
  std::vector<double> ways(groups + 1, 0.0);  // by number of groups, judge after judge
  ways[0] = 1.0;
  for (std::size_t j = 0; j < judges; ++j) {
    for (std::size_t g = groups; g > 0; --g) ways[g] = static_cast<double>(g) * ways[g] + ways[g - 1];
    ways[0] = 0.0;
  }
  double sum = 0.0;
  for (const double count : ways) sum += count;
  return sum;
}

// One rho per block of several judges, when there is more than one way to be wrong.
std::size_t shared_error_count(std::size_t judges, std::size_t classes, std::span<const ErrorPair> pairs) {
  if (classes == 2) return 0;
  std::size_t count = 0;
  for (const ErrorBlock& block : make_blocks(judges, pairs)) count += block.size() > 1 ? 1 : 0;
  return count;
}

std::string name_of_judge(std::size_t judge, const NameList& judges) {
  return judge < judges.size() ? fmt::format("'{}'", judges[judge]) : fmt::format("{}", judge + 1);
}

std::string name_pair(std::size_t first, std::size_t second, const NameList& judges) {
  return fmt::format("judges {} and {}", name_of_judge(first, judges), name_of_judge(second, judges));
}

std::string pair_sentence(const ErrorDependence::Pair& pair, const NameList& judges) {
  const std::string names = name_pair(pair.first, pair.second, judges);
  if (pair.correlation < 0.0) {
    return fmt::format("{} tend to be wrong on different items (their errors correlate {:.2f}); this is allowed for",
                       names, pair.correlation);
  }
  return fmt::format(
      "{} err together (their errors correlate {:.2f}): the two count as {:.1f} independent judges; this is allowed "
      "for",
      names, pair.correlation, 2.0 / (1.0 + pair.correlation));
}

// Pairs in different blocks agree as the product of their skills, M_ij = a_i a_j.
void add_unexplained_agreement(const DependenceFit& fit, std::size_t class_count, const Agreement& agreement,
                               const NameList& judges, std::vector<std::string>& warnings) {
  const auto k = static_cast<double>(class_count);
  const auto skill = [&](std::size_t j) { return (k * fit.dependence.accuracy[j] - 1.0) / (k - 1.0); };
  const TiedLayout layout(fit.dependence.beta.size(), class_count, pairs_of(fit.dependence));
  std::vector<PairAgreement> odd;
  for (PairAgreement pair : agreement.pairs) {
    if (layout.block_of[pair.first] == layout.block_of[pair.second]) continue;
    pair.z = (pair.beyond_chance - skill(pair.first) * skill(pair.second)) * std::sqrt(pair.shared);
    if (pair.z > clear_agreement) odd.push_back(pair);
  }
  std::stable_sort(odd.begin(), odd.end(), [](const auto& a, const auto& b) { return a.z > b.z; });
  if (odd.size() > most_named) odd.resize(most_named);
  for (const PairAgreement& pair : odd) {
    warnings.push_back(
        fmt::format("{} agree on {:.0f} of {:.0f} shared items, {:.1f} standard deviations more than this fit "
                    "explains: look whether one copies the other",
                    name_pair(pair.first, pair.second, judges), pair.agreed, pair.shared, pair.z));
  }
}

// Two judges that (nearly) always agree, and with nobody else: with few judges a
// likelihood takes them for infallible.
void add_twins(const DependenceFit& fit, const Agreement& agreement, const NameList& judges,
               std::vector<std::string>& warnings) {
  constexpr double few_shared = 20.0;
  constexpr double as_one = 0.98;
  constexpr double often = 0.9;
  const std::vector<ErrorPair> linked = pairs_of(fit.dependence);
  for (const PairAgreement& twins : agreement.pairs) {
    const ErrorPair pair{twins.first, twins.second};
    if (twins.shared < few_shared || twins.agreed < as_one * twins.shared) continue;
    if (std::count(linked.begin(), linked.end(), pair) > 0) continue;
    const bool with_others =
        std::any_of(agreement.pairs.begin(), agreement.pairs.end(), [&](const PairAgreement& other) {
          const bool touches = other.first == pair.first || other.first == pair.second || other.second == pair.first ||
                               other.second == pair.second;
          const bool same = other.first == pair.first && other.second == pair.second;
          return touches && !same && other.shared >= few_shared && other.agreed > often * other.shared;
        });
    if (with_others) continue;
    warnings.push_back(
        fmt::format("{} agree on {:.0f} of {:.0f} shared items and with nobody else nearly as often: either both are "
                    "nearly always right, as is assumed here, or one copies the other",
                    name_pair(pair.first, pair.second, judges), twins.agreed, twins.shared));
  }
}

std::string rival_sentence(const RivalReading& rival, const DependenceFit& fit, const NameList& judges) {
  std::string changes;
  for (const std::size_t j : {rival.pair.first, rival.pair.second}) {
    changes += fmt::format("{}{} {:.2f} instead of {:.2f}", changes.empty() ? "" : ", ", name_of_judge(j, judges),
                           rival.accuracy[j], fit.dependence.accuracy[j]);
  }
  return fmt::format(
      "another reading fits nearly as well: {} err together, and their accuracies are {}; these votes do not tell the "
      "two readings apart, more judges, items or known labels would",
      name_pair(rival.pair.first, rival.pair.second, judges), changes);
}

}  // namespace

double gain_by_class(const VoteTable& table, std::span<const double> known_prior, const DependenceFit& fit,
                     const RunContext& run) {
  constexpr double pseudo_votes = 0.5;
  const EmRule rule{500, 1e-5, 1.0, true};
  const auto k = static_cast<double>(table.class_count);
  const auto judges = static_cast<double>(table.judge_count);
  ConfusionSpec spec;
  spec.noise = JudgeNoise::confusion;
  spec.known_prior.assign(known_prior.begin(), known_prior.end());
  spec.prior.cells.assign(table.class_count * table.class_count, pseudo_votes);
  const ConfusionFit by_class = fit_confusion(table, spec, 2, rule, run);
  if (by_class.result.summary.stop == Stop::interrupted) {
    fail(ErrorKind::interrupted, "interrupted while looking for dependent judges");
  }
  const std::vector<ErrorPair> pairs = pairs_of(fit.dependence);
  const double parameters =
      judges * (k * (k - 1.0) - 1.0) -
      static_cast<double>(pairs.size() + shared_error_count(table.judge_count, table.class_count, pairs));
  return 2.0 * (by_class.result.statistics[0] - fit.log_likelihood) - parameters * std::log(table.item_total());
}

std::vector<std::string> dependence_warnings(const DependenceFit& fit, std::size_t class_count,
                                             const Agreement& agreement, bool shares_enough, const NameList& judges) {
  std::vector<std::string> warnings;
  const std::vector<ErrorDependence::Pair>& pairs = fit.dependence.pairs;
  if (!fit.checkable) {
    warnings.emplace_back(
        "dependence cannot be checked with three judges and equally frequent classes; add a judge, known labels or a "
        "known and unequal class prior");
  } else if (!shares_enough) {
    warnings.emplace_back("dependence was not looked for: no two judges have 30 items in common");
  }
  for (std::size_t p = 0; p < std::min(pairs.size(), most_named); ++p) {
    warnings.push_back(pair_sentence(pairs[p], judges));
  }
  if (pairs.size() > most_named) {
    warnings.push_back(
        fmt::format("{} more pairs of judges err together; this is allowed for", pairs.size() - most_named));
  }
  for (const ErrorPair& pair : fit.unmeasured) {
    warnings.push_back(
        fmt::format("{} may err together, but with that in the model these votes no longer determine the accuracies, "
                    "so it is left out; add judges, items or known labels",
                    name_pair(pair.first, pair.second, judges)));
  }
  if (fit.by_class_gain > clear_gain) {
    warnings.push_back(fmt::format(
        "errors depend on the class (a table for each judge fits better, BIC {:+.0f}), which can pass for dependence "
        "between judges; compare with the full confusion tables without dependence",
        fit.by_class_gain));
  }
  if (fit.rival && fit.checkable) warnings.push_back(rival_sentence(*fit.rival, fit, judges));
  add_twins(fit, agreement, judges, warnings);
  add_unexplained_agreement(fit, class_count, agreement, judges, warnings);
  return warnings;
}

std::string refuse_dependence(const VoteTable& table, std::span<const double> known_prior) {
  const std::size_t count = judges_with_votes(table);
  const bool prior_tells = !known_prior.empty() && !is_uniform(known_prior);
  if (count >= 3 || prior_tells || has_gold(table)) return {};
  return fmt::format(
      "whether judges err together cannot be told from the votes of {}: at least three must label the same items; add "
      "judges, known labels, or a known and unequal class prior",
      count == 2   ? "two"
      : count == 1 ? "one"
                   : "none");
}

PatternBudget pattern_budget(const VoteTable& table, std::span<const double> known_prior) {
  const std::size_t k = judges_with_votes(table);
  PatternBudget budget{table.judge_count, table.class_count, k, 0.0};
  if (known_prior.empty()) budget.parameters += table.class_count - 1;
  const bool symmetric = !known_prior.empty() && is_uniform(known_prior);
  budget.patterns = has_gold(table) ? std::numeric_limits<double>::infinity()
                    : symmetric     ? agreement_patterns(k, table.class_count)
                                    : std::pow(static_cast<double>(table.class_count), static_cast<double>(k));
  return budget;
}

bool too_symmetric(const VoteTable& table, std::span<const double> prior) {
  constexpr double nearly = 0.05;
  const double equal = 1.0 / static_cast<double>(prior.size());
  if (table.judge_count < 2) return false;
  if (std::any_of(prior.begin(), prior.end(), [&](double p) { return std::abs(p - equal) > nearly; })) return false;
  const std::vector<double> uniform(prior.size(), equal);
  return !pattern_budget(table, uniform).allows(std::vector<ErrorPair>{{0, 1}});
}

bool PatternBudget::allows(std::span<const ErrorPair> pairs) const {
  constexpr double plenty = 1e9;
  if (patterns > plenty) return true;
  return static_cast<double>(parameters + pairs.size() + shared_error_count(judges, classes, pairs)) <= patterns - 1.0;
}

}  // namespace motet::judges
