// Judges that err together: the log-linear model (14) of the document with tied errors.
//
// s_j = +1 if judge j is right, -1 if wrong; given the true class, whatever it is,
//   p(s) ~ exp(sum_j beta_j s_j + sum_{i<j} gamma_ij s_i s_j)
// and a wrong judge's label falls on the K - 1 other classes alike, or where another
// judge of its block erred too (errata E12-E14; error_blocks.h).
//
// Only pairs that earn it get a gamma. Candidates are ranked by score tests
// (tied_information.h) and by agreement (agreement.h), fitted, and the best is kept if
//   2 gain > max(log n_ij, upper chi-squared quantile at 0.05 / number of pairs)
// and every accuracy stays determined. Each fit has two starts: the reading so far, and
// one in which a block's votes count as one, because a pair of copies outvotes the
// others and then passes for the truth. Judges linked by pairs form blocks that are
// enumerated; blocks are independent given the class, missing votes are summed out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/engine/em.h"
#include "motet/judges/tied/error_blocks.h"
#include "motet/judges/vote_table.h"

namespace motet::judges {

struct ErrorDependence {
  struct Pair {
    std::size_t first = 0;
    std::size_t second = 0;
    double gamma = 0.0;
    double correlation = 0.0;  // of the errors, phi coefficient
    double bic_gain = 0.0;     // 2 objective lost without the pair, less log(items both voted on); 0 when not searched
  };
  std::vector<double> beta;           // by judge
  std::vector<Pair> pairs;            // in the order they were found
  std::vector<double> shared_errors;  // by judge: rho of its block, see error_blocks.h; 0 for a judge alone
  std::vector<double> accuracy;       // by judge: p(s_j = 1)
  double effective_judges = 0.0;      // k^2 / sum_ij R_ij, R the correlation of errors of the k judges with votes
};

// Another way to read the votes that fits nearly as well, with quite other accuracies: a
// few judges and items cannot tell two good judges from a judge and its copy.
struct RivalReading {
  ErrorPair pair;     // that would err together
  double loss = 0.0;  // of twice the objective; below 0: it fits better but does not earn its pair
  std::vector<double> accuracy;
};

std::vector<ErrorPair> pairs_of(const ErrorDependence& dependence);

struct DependenceFit {
  ErrorDependence dependence;
  std::vector<double> prior;
  double log_likelihood = 0.0;
  double independent_log_likelihood = 0.0;  // of the same judges without pairs
  std::vector<double> accuracy_votes;       // precision by judge, see information.h
  std::vector<double> prior_votes;          // precision by class; infinite when known
  FitSummary summary;
  bool checkable = true;              // false: these votes cannot tell any pair
  std::vector<ErrorPair> unmeasured;  // fit better, but would leave accuracies undetermined: left out
  std::optional<RivalReading> rival;
  double by_class_gain = 0.0;  // BIC of independent errors that differ by class, less that of this fit
  std::vector<std::string> warnings;
};

struct DependenceOptions {
  ErrorPenalty penalty;
  std::optional<std::vector<ErrorPair>> pairs;  // fit these and do not search
};

// An empty known prior is estimated. `judges` are names for the warnings; empty:
// numbers. Throws Error{unanswerable} with fewer than three judges unless an unequal
// prior or labels are known, Error{interrupted} when cancelled.
DependenceFit fit_dependence(const VoteTable& table, std::span<const double> known_prior, const EmRule& rule,
                             const RunContext& run, const NameList& judges = {}, const DependenceOptions& options = {});

}  // namespace motet::judges
