// Two sources, in closed form: how precise each training is, and the least error possible.
//
// Label sets {1}, {2}, {1,2} with shares pi1, pi2, pi12 among N items. The thesis gives the mean
// square errors in Lemma 4 (Gaussian sum) and Lemma 5 (Bernoulli or); these are the corrected ones.
//   Gaussian, s_i the variances, s12 = s1 + s2:
//     deconvolution  var(mu1) = s1 (pi2 s12 + pi12 s2) / (N g), g = pi1 pi2 s12 + pi12 (pi2 s1 + pi1 s2),
//                    cov = -pi12 s1 s2 / (N g)           (6.65 with the m1, m2 of A.16/A.18; A.17 has the sign wrong)
//   Bernoulli, v = b (1 - b), w1 = b1 (1 - b2), w2 = b2 (1 - b1):
//     deconvolution  var(b1) = (pi2 b12 + pi12 w2) v1 / (N g), g = pi12 (pi1 w2 + pi2 w1) + pi1 pi2 b12,
//                    cov = -pi12 v1 v2 / (N g)           (A.25; 6.79 has 1/pi1 and 1/pi2 too many)
//   both, x the observation, h = 1 (cross) or 1/2 (probabilistic), W1 = pi1 + h pi12:
//     limit m1 = (pi1 E1 + h pi12 E12) / W1, var = sum over sets of pi h^2 (V + (E - m1)^2) / (W1^2 N).
//     With label counts that are fixed instead of random the terms (E - m1)^2 go (6.64; 6.75, 6.78 corrected).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "motet/multilabel/options.h"

namespace motet::multilabel {

struct PairShares {
  double first = 1.0 / 3.0;
  double second = 1.0 / 3.0;
  double both = 1.0 / 3.0;
};

// Whether the numbers of items of the label sets vary from data set to data set.
enum class SetCounts { random, fixed };

struct PairPrecision {
  std::array<double, 3> bias{};      // of the parameter of {1}, {2}, {1,2}; the last for `new` alone
  std::array<double, 3> variance{};  // for many items
  double covariance = 0.0;           // of the first two
  double mean_square_error = 0.0;    // averaged over the parameters that the training has: two, `new` three
};

struct GaussianPair {
  std::array<double, 2> mean{};
  std::array<double, 2> variance{1.0, 1.0};
};
PairPrecision pair_precision(const GaussianPair& pair, const PairShares& shares, double items, Training method,
                             SetCounts counts = SetCounts::random);

struct BernoulliPair {
  std::array<double, 2> probability{};
};
PairPrecision pair_precision(const BernoulliPair& pair, const PairShares& shares, double items, Training method,
                             SetCounts counts = SetCounts::random);

// --- the least error ------------------------------------------------------------------

struct GaussianClass {
  double mean = 0.0;
  double variance = 1.0;
  double share = 0.0;
};
std::vector<GaussianClass> classes_of(const GaussianPair& pair, const PairShares& shares);  // {1}, {2}, {1,2}

// The rule that errs least: between thresholds[i - 1] and thresholds[i] class winner[i] is told.
struct BayesRule {
  std::vector<double> thresholds;
  std::vector<std::size_t> winner;
  double error = 0.0;
};
BayesRule bayes_rule(std::span<const GaussianClass> classes);

// The same when items are left aside whose best class has a posterior below `least`.
struct Selective {
  double coverage = 0.0;
  double error = 0.0;  // among the items kept
};
Selective bayes_rule_rejecting(std::span<const GaussianClass> classes, double least);

// D equal, independent Boolean dimensions: the number of ones says all.
double bayes_error(const BernoulliPair& pair, const PairShares& shares, std::size_t dimensions);

}  // namespace motet::multilabel
