// The thesis's heuristic that leaves out sources before sets are searched, with a bound that holds.
//
// Least squares without z in {0,1} gives z~ = z + noise for an item x = sum of emissions (5.20);
// sources with z~_k <= tau are left out. A source of the item's own set is lost with probability
//   P(error) <= sum_{k in L} Phi((tau - 1) / sd_k(L)),
// the union bound over the exact marginals: sd_k(L)^2 = sum_{j in L} a_k' S_j a_k, a_k the row of
// the least-squares solution. With one covariance sigma^2 I that is sigma^2 |L| [(MM')^-1]_kk. For an
// unknown L of at most M_max labels each number of labels takes its worst sources, and the largest
// counts. (5.21) as printed, with the average eigenvalue of MM', is not a bound: it is optimistic by
// any factor when eigenvalues differ.
//
// Exact search (search.h) needs no such error and is fast: this is here to compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/sources/sources.h"

namespace motet::multilabel {

struct SourceThreshold {
  std::size_t labels = 0;
  std::vector<double> solve;     // labels x D: z~ = solve (x - the background's mean)
  std::vector<double> centre;    // D: the background's mean or 0
  std::vector<double> variance;  // M_max x labels: largest sd_k^2 of a set of so many labels with k in it
  double tau = 0.0;
  double error = 0.0;  // bound at tau
  bool logarithm = false;

  std::size_t most_labels() const { return variance.size() / labels; }
};

// Throws Error{usage} unless emissions are Gaussian and add up (in logarithms for lognormal) and
// the means of the labels are linearly independent. tau is the largest whose bound is `error`.
SourceThreshold make_threshold(const Sources& sources, std::size_t most_labels, double error);

double error_bound(const SourceThreshold& threshold, double tau);
double threshold_for(const SourceThreshold& threshold, double error);

std::vector<double> least_squares_labels(const SourceThreshold& threshold, std::span<const double> x);  // z~
std::vector<std::uint64_t> kept_sources(const SourceThreshold& threshold, std::span<const double> x);  // words of a set

}  // namespace motet::multilabel
