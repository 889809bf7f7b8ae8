// How precise error rates without labels can be: exact information matrices.
//
// An estimate from n items has standard deviation sd_j / sqrt(n) for large n, sd_j^2 the
// j-th diagonal entry of the inverse information J^-1 of one item (Cramer's theorem with the
// inverse that the document's risk formula lacks, E5). Mean absolute error: sqrt(2/pi) sd_j.
#pragma once

#include <span>
#include <vector>

#include "motet/judges/numeric/linear_gaussian.h"

namespace motet::judges {

// Symmetric binary votes, a judge right with probability theta, p(y = 1) = prior known:
//   J(theta) = (2 prior - 1)^2 / (P (1 - P)),  P = prior theta + (1 - prior)(1 - theta).
// Eq. 24 of Donmez, Lebanon, Balasubramanian has other numerators, which are wrong (E3).
double symmetric_information(double theta, double prior);

// sd of each theta when judges, independent given y, are rated together; sums over the 2^k
// patterns of votes. Throws Error{unanswerable} when they are not identifiable (E18), and
// Error{usage} for more than 20 judges or thetas outside (0, 1).
std::vector<double> symmetric_sd(std::span<const double> thetas, double prior);

// The same when the labels are seen: sqrt(theta (1 - theta)).
double supervised_sd(double theta);

// sd of each theta of proportional judges (regression.h) rated together.
std::vector<double> proportional_sd(std::span<const double> thetas, TruthPrior prior, double noise_variance);

// sqrt(n) times the mean absolute error, averaged over judges.
double scaled_absolute_error(std::span<const double> sds);

}  // namespace motet::judges
