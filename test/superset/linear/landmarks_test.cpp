#include "motet/superset/linear/landmarks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/superset/linear/logistic.h"
#include "superset/candidate_cases.h"

namespace motet::superset::landmarks_test {
namespace {

TEST(SupersetLandmarks, LikenessReproducesTheKernelAmongLandmarks) {
  const CandidateItems items = easy_items(12);
  const Landmarks landmarks = choose_landmarks(items.features.values, 2, 12, 1.0, Rng(Seed{1}));
  ASSERT_EQ(landmarks.count(), 12U);
  const std::vector<double> phi = likeness(landmarks, landmarks.z, {1});
  double product = 0.0, square = 0.0;
  for (std::size_t i = 0; i < 12; ++i) product += phi[i] * phi[12 + i];
  for (std::size_t d = 0; d < 2; ++d) square += std::pow(landmarks.z[d] - landmarks.z[2 + d], 2);
  EXPECT_NEAR(product, std::exp(-square / landmarks.scale), 1e-4);
}

TEST(SupersetLandmarks, ALineInLikenessPartsWhatNoLineInTheFeaturesCan) {
  // A ring around a blob.
  CandidateItems items;
  items.classes = {"in", "out"};
  items.features.columns = {"x", "y"};
  Rng rng(Seed{4});
  for (std::size_t n = 0; n < 120; ++n) {
    const double angle = rng.uniform(0.0, 6.28), radius = n % 2 == 0 ? 0.5 : 3.0;
    items.features.values.insert(items.features.values.end(), {radius * std::cos(angle), radius * std::sin(angle)});
    items.label.push_back(static_cast<std::uint32_t>(n % 2));
    items.starts.push_back(n + 1);
    items.truth.push_back(static_cast<std::int32_t>(n % 2));
  }
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  const Landmarks landmarks = choose_landmarks(items.features.values, 2, 20, 1.0, Rng(Seed{1}));
  const std::vector<double> phi = likeness(landmarks, items.features.values, {1});
  const LinearFit fit = fit_logistic(evidence, phi, 20, 0.03, {});
  EXPECT_EQ(accuracy_of(logistic_probabilities(fit.model, phi, {1}), items), 1.0);
}

// Distances 1, 9 and 16 squared, of the pairs in order: the median of three, times the width.
TEST(SupersetLandmarks, TheScaleIsTheMedianSquareTimesTheWidth) {
  const std::vector<double> x{0.0, 1.0, 4.0};
  EXPECT_DOUBLE_EQ(choose_landmarks(x, 1, 3, 1.0, Rng(Seed{1})).scale, 9.0);
  EXPECT_DOUBLE_EQ(choose_landmarks(x, 1, 3, 0.5, Rng(Seed{1})).scale, 4.5);
  EXPECT_EQ(choose_landmarks(std::vector<double>{2.0, 2.0}, 1, 2, 1.0, Rng(Seed{1})).scale, 1.0);  // no distance at all
}

TEST(SupersetLandmarks, AreRowsByLotEachOnceAndInTheirOrder) {
  std::vector<double> x(40);
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = static_cast<double>(n);
  const Landmarks some = choose_landmarks(x, 1, 10, 1.0, Rng(Seed{1}));
  ASSERT_EQ(some.count(), 10U);
  for (std::size_t i = 1; i < 10; ++i) EXPECT_LT(some.z[i - 1], some.z[i]);
  EXPECT_NE(choose_landmarks(x, 1, 10, 1.0, Rng(Seed{2})).z, some.z);
}

// C phi(x) = k(x, Z) for rows that are no landmarks, more of them than one task has.
TEST(SupersetLandmarks, TheFactorTurnsLikenessBackIntoTheKernel) {
  const CandidateItems items = easy_items(300);
  const Landmarks landmarks = choose_landmarks(items.features.values, 2, 5, 1.0, Rng(Seed{1}));
  const std::vector<double> phi = likeness(landmarks, items.features.values, {1});
  for (const std::size_t n : {0U, 255U, 256U, 299U}) {
    for (std::size_t i = 0; i < 5; ++i) {
      double product = 0.0, square = 0.0;
      for (std::size_t j = 0; j <= i; ++j) product += landmarks.factor[i * 5 + j] * phi[n * 5 + j];
      for (std::size_t d = 0; d < 2; ++d) {
        square += std::pow(items.features.values[n * 2 + d] - landmarks.z[i * 2 + d], 2);
      }
      EXPECT_NEAR(product, std::exp(-square / landmarks.scale), 1e-12) << n << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace motet::superset::landmarks_test
