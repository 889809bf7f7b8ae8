// Judges that err together: the log-linear model (14) of the document with tied errors.
//
// s_j = +1 if judge j is right, -1 if wrong; given the true class, whatever it is,
//   p(s) ~ exp(sum_j beta_j s_j + sum_{i<j} gamma_ij s_i s_j)
// and a wrong judge's label falls on the K - 1 other classes alike (errata E12-E14).
// Only pairs that earn it get a gamma: the pair with the largest score test is added,
// the model fitted again, and kept while BIC improves. Judges linked by pairs form
// blocks that are enumerated; blocks are independent given the class, and missing
// votes are summed out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/engine/em.h"
#include "motet/judges/vote_table.h"

namespace motet {

struct ErrorDependence {
  struct Pair {
    std::size_t first = 0;
    std::size_t second = 0;
    double gamma = 0.0;
    double correlation = 0.0;  // of the errors, phi coefficient
    double bic_gain = 0.0;     // by which the pair improved 2 log-likelihood - log(n) parameters
  };
  std::vector<double> beta;       // by judge
  std::vector<Pair> pairs;        // in the order they were found
  std::vector<double> accuracy;   // by judge: p(s_j = 1)
  double effective_judges = 0.0;  // k^2 / sum_ij R_ij, R the correlation of errors
};

struct DependenceFit {
  ErrorDependence dependence;
  std::vector<double> prior;
  double log_likelihood = 0.0;
  double independent_log_likelihood = 0.0;  // of the same judges without pairs
  std::vector<double> accuracy_votes;       // precision by judge, see information.h
  FitSummary summary;
  std::vector<std::string> warnings;
};

// An empty known prior is estimated. Throws Error{unanswerable} with fewer than
// three judges unless the prior is known.
DependenceFit fit_dependence(const VoteTable& table, std::span<const double> known_prior, const EmRule& rule,
                             const RunContext& run);

// p(class | votes) under a fitted dependence.
class ErrorInference {
 public:
  ErrorInference(const ErrorDependence& dependence, std::size_t class_count);
  ErrorInference(ErrorInference&&) noexcept;
  ErrorInference& operator=(ErrorInference&&) noexcept;
  ~ErrorInference();

  // Returns the log-likelihood of the votes.
  double infer(std::span<const double> prior, std::span<const std::uint32_t> codes, std::int32_t known,
               std::span<double> posterior) const;

 private:
  struct Blocks;
  std::unique_ptr<Blocks> blocks_;
};

}  // namespace motet
