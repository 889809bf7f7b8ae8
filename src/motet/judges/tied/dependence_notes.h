// What a person should be told about judges that err together.
#pragma once

#include <string>
#include <vector>

#include "motet/judges/baselines/agreement.h"
#include "motet/judges/tied/dependence.h"

namespace motet::judges {

// BIC (2 log-likelihood - log(items) parameters) of independent judges whose errors
// differ by class, less that of the fit. Errors that depend on the class make judges
// agree beyond what one accuracy each explains, so they look like dependence.
double gain_by_class(const VoteTable& table, std::span<const double> known_prior, const DependenceFit& fit,
                     const RunContext& run);

// Sentences; `shares_enough` is false when no two judges had enough items in common.
std::vector<std::string> dependence_warnings(const DependenceFit& fit, std::size_t class_count,
                                             const Agreement& agreement, bool shares_enough, const NameList& judges);

// Is there a way to tell at all? Empty, or why not.
std::string refuse_dependence(const VoteTable& table, std::span<const double> known_prior);

// How many patterns of votes can be told apart, against how many parameters a model has.
// A known uniform prior makes every renaming of the classes equally probable, so that
// only who agrees with whom counts (binary: 2^(k-1) patterns instead of 2^k).
struct PatternBudget {
  std::size_t judges = 0;  // all, with votes or without
  std::size_t classes = 0;
  std::size_t parameters = 0;  // of the model without pairs
  double patterns = 0.0;
  bool allows(std::span<const ErrorPair> pairs) const;
};
PatternBudget pattern_budget(const VoteTable& table, std::span<const double> known_prior);

// Classes so nearly equally frequent that the prior tells nothing, and too few judges to
// do without it.
bool too_symmetric(const VoteTable& table, std::span<const double> prior);

}  // namespace motet::judges
