// Each judge measured alone: section 2.1 of the document.
#pragma once

#include <span>
#include <vector>

#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/confusion/information.h"

namespace motet::judges {

// Equation (9) for two classes with symmetric errors, clipped to [0, 1] (erratum E1):
// the share of votes for the first class and its known probability, not one half.
double binary_accuracy(double share_of_first, double prior_of_first);

struct SeparateFit {
  std::vector<double> parameters;  // prior and tables as in confusion_em.h
  std::vector<double> statistics;
  std::vector<double> accuracy_votes;  // precision, see information.h
  std::vector<double> confusion_votes;
  double log_likelihood = 0.0;  // summed over judges
  std::size_t iterations = 0;   // of the longest fit; 0 where the closed form serves
};

// spec.known_prior must be set.
SeparateFit fit_separately(const VoteTable& table, const ConfusionSpec& spec, const EmRule& rule,
                           InformationKind information, const RunContext& run);

}  // namespace motet::judges
