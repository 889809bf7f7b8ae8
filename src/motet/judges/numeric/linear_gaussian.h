// Judges that follow the truth along a line: the likelihood all numeric noise
// models share.
//
//   y ~ N(mu, sigma^2),   yhat_j = a_j + b_j y + e_j,   e_j ~ N(0, d_j) independent,
// so the predictions of an item are N(a + mu b, C), C = sigma^2 b b' + diag(d).
// The models of the document are lines too (its eq. 10, and errata E8 and E9):
//   proportional   a = 0, b = theta, d = theta^2 tau^2
//   channel        a = 0, b = 1,     d = theta^2
//   factor         a, b, d free
// Only counts, means and scatters are needed (E10): they are gathered once for each
// pattern of missing predictions, and an evaluation no longer depends on the number
// of items. A missing prediction drops out of the product (E15).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/predictions.h"
#include "motet/engine/newton.h"

namespace motet::judges {

struct TruthPrior {
  double mean = 0.0;
  double variance = 1.0;
};

struct JudgeLine {
  double intercept = 0.0;  // a
  double slope = 1.0;      // b
  double residual = 0.0;   // d, a variance

  bool operator==(const JudgeLine&) const = default;
};

// Items for which the same judges spoke.
struct PredictionPattern {
  std::vector<std::uint32_t> judges;  // ascending, at least one
  double count = 0.0;
  std::vector<double> mean;     // of the predictions, by position in `judges`
  std::vector<double> scatter;  // sum of (yhat - mean)(yhat - mean)', row by row
};
std::vector<PredictionPattern> gather_patterns(const Predictions& predictions);

// The statistics of one judge, from all items it spoke on.
PredictionPattern pattern_of_judge(std::span<const PredictionPattern> patterns, std::uint32_t judge);

double line_log_likelihood(std::span<const PredictionPattern> patterns, std::span<const JudgeLine> lines,
                           TruthPrior prior);

enum class LineInformation { observed, expected };

// Log-likelihood, gradient and Hessian in (a_0 .. a_k-1, b_0 .., d_0 ..). With
// LineInformation::expected the Hessian is minus the Fisher information at `lines`, for
// the counts in `patterns`. Value -infinity when a C is not positive definite.
Curvature line_curvature(std::span<const PredictionPattern> patterns, std::span<const JudgeLine> lines,
                         TruthPrior prior, LineInformation information = LineInformation::observed);

struct ValuePosterior {
  double mean = 0.0;
  double sd = 0.0;
};
// p(y | predictions of one item), NaN where a judge is silent: rule (4) for lines,
//   precision = 1/sigma^2 + sum b^2/d,  mean = (mu/sigma^2 + sum b (yhat - a)/d) / precision.
// Judges with d = 0 and b != 0 know the truth: the mean of theirs, sd 0.
ValuePosterior line_posterior(std::span<const double> row, std::span<const JudgeLine> lines, TruthPrior prior);

}  // namespace motet::judges
