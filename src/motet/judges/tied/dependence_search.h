// The search for pairs of judges that err together; dependence.h says what it does.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "motet/judges/baselines/agreement.h"
#include "motet/judges/tied/dependence.h"
#include "motet/judges/tied/tied_em.h"

namespace motet::judges {

// One fit with its pairs.
struct TiedReading {
  std::vector<ErrorPair> pairs;
  TiedParameters parameters;
  double objective = -std::numeric_limits<double>::infinity();
  double log_likelihood = 0.0;
  FitSummary summary;
};

struct DependenceSearch {
  TiedReading best;
  TiedReading independent;
  std::vector<double> bic_gains;      // by pair of best; empty when not searched
  std::vector<ErrorPair> unmeasured;  // see DependenceFit
  std::optional<RivalReading> rival;
  Agreement agreement;
  bool checkable = true;
  bool shares_enough = true;  // some two judges have enough items in common
};

DependenceSearch search_dependence(const VoteTable& table, std::span<const double> known_prior, const EmRule& rule,
                                   const RunContext& run, const DependenceOptions& options);

}  // namespace motet::judges
