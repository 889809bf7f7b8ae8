#include "motet/superset/linear/svm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "superset/linear_cases.h"

namespace motet::superset::svm_test {
namespace {

// The least of what any candidate would lose as the right label.
double plain_loss(std::span<const double> m, std::span<const double> f) {
  if (is_silent(m)) return 0.0;
  double least = INFINITY;
  for (std::size_t k = 0; k < f.size(); ++k) {
    if (m[k] == 0.0) continue;
    double loss = -std::log(m[k]);
    for (std::size_t l = 0; l < f.size(); ++l) {
      if (l != k) loss += (1.0 - m[l]) * std::pow(std::max(0.0, 1.0 - f[k] + f[l]), 2);
    }
    least = std::min(least, loss);
  }
  return least;
}

TEST(SupersetSvm, EndsWhereTheBestCandidatesLoseLeast) {
  expect_optimum(fit_svm, plain_loss, 1e-2);  // it stops by its rise
}

// One row without features: the scores part by 1 around 0, and no more.
TEST(SupersetSvm, TheCandidateScoresOneAboveTheOther) {
  const LinearFit fit = fit_svm({1, 2, {0.0, 1.0}}, std::vector<double>{0.0}, 1, 1.0, {});
  EXPECT_GE(fit.model.weights[3] - fit.model.weights[2], 1.0 - 1e-5);
}

// Twenty rows ask for the second class, one for the first or, with weight m, for the second. As the first it loses
// (1 - m) (1 + gap)^2, and the gap between the scores is where that and 20 (1 - gap)^2 are least together; as the
// second it loses -log m alone, and asks for no gap. The start is a gap of nearly 2, where the former is nearly 8.
TEST(SupersetSvm, AnUnlikelyCandidatePaysItsWeight) {
  for (const double price : {1.0, 9.0}) {
    const double m = std::exp(-price);
    EvidenceMatrix evidence{21, 2, {}};
    for (int n = 0; n < 20; ++n) evidence.values.insert(evidence.values.end(), {0.0, 1.0});
    evidence.values.insert(evidence.values.end(), {1.0, m});
    const LinearFit fit = fit_svm(evidence, std::vector<double>(21, 0.0), 1, 1.0, {});
    const double gap = fit.model.weights[3] - fit.model.weights[2];
    if (price > 8.0) {
      EXPECT_NEAR(gap, (19.0 + m) / (21.0 - m), 1e-3);
    } else {
      EXPECT_GE(gap, 1.0);
      EXPECT_NEAR(fit.summary.objective.back(), -price, 1e-3);
    }
  }
}

}  // namespace
}  // namespace motet::superset::svm_test
