#include <gtest/gtest.h>

#include <cmath>

#include "motet/superset/linear/landmarks.h"
#include "motet/superset/linear/logistic.h"
#include "motet/superset/neighbours/ipal.h"
#include "motet/superset/neighbours/neighbours.h"
#include "superset/candidate_cases.h"

namespace motet::superset::neighbour_methods_test {
namespace {

TEST(SupersetNeighbours, TheNearestComeFirstAndTheLowerRowAmongEquals) {
  const std::vector<double> memory{0.0, 3.0, 1.0, 1.0};
  const NearestRows near = nearest(memory, std::vector<double>{1.0}, 1, 3, false, {1});
  EXPECT_EQ(near.row, (std::vector<std::uint32_t>{2, 3, 0}));
  EXPECT_NEAR(near.distance[2], 1.0, 1e-12);
}

TEST(SupersetNeighbours, ARowIsNoNeighbourOfItsOwn) {
  const std::vector<double> memory{0.0, 1.0, 5.0};
  const NearestRows near = nearest(memory, memory, 1, 10, true, {1});
  EXPECT_EQ(near.each, 2U);
  EXPECT_EQ(near.row, (std::vector<std::uint32_t>{1, 2, 0, 2, 1, 0}));
}

TEST(SupersetKnn, VotesAreWeightedByDistance) {
  const ItemMemory memory{1, 2, {1.0, -3.0}, {1.0, 0.0, 0.0, 1.0}};
  const std::vector<double> votes = neighbour_votes(memory, std::vector<double>{0.0}, 2, false, {1});
  EXPECT_NEAR(votes[0], 0.75, 1e-12);
  EXPECT_NEAR(votes[1], 0.25, 1e-12);
}

TEST(SupersetKnn, WhoKnowsNothingDoesNotVote) {
  const ItemMemory memory{1, 2, {0.0, 1.0}, {1.0, 1.0, 0.0, 1.0}};
  EXPECT_EQ(neighbour_votes(memory, std::vector<double>{0.25}, 2, false, {1})[1], 1.0);
  EXPECT_EQ(neighbour_votes(memory, std::vector<double>{0.0}, 1, false, {1})[1], 0.5);
}

TEST(SupersetIpal, RebuildingWeightsAreThoseOfNonNegativeLeastSquares) {
  // x = 2 z1 + 1 z2 exactly; then a target that would need a negative weight of z2.
  const std::vector<double> z{1.0, 0.0, 1.0, 1.0};
  const std::vector<double> exact = rebuilding_weights(z, std::vector<double>{3.0, 1.0});
  EXPECT_NEAR(exact[0], 2.0, 1e-9);
  EXPECT_NEAR(exact[1], 1.0, 1e-9);
  const std::vector<double> bounded = rebuilding_weights(z, std::vector<double>{3.0, -1.0});
  EXPECT_NEAR(bounded[0], 3.0, 1e-9);
  EXPECT_EQ(bounded[1], 0.0);
}

TEST(SupersetIpal, PropagationSettlesAmbiguousItemsByTheirNeighbours) {
  const CandidateItems items = easy_items(150);
  const SpreadLabels flow = propagate_labels(evidence_of(items, 0.0), unit_rows(items.features.values, 2), 2, 10, {});
  const SpreadLabels plain = propagate_labels(evidence_of(items, 0.0), items.features.values, 2, 10, {});
  EXPECT_GT(accuracy_of(plain.probability, items), 0.95);
  for (std::size_t i = 0; i < flow.probability.size(); i += 3) {
    EXPECT_NEAR(flow.probability[i] + flow.probability[i + 1] + flow.probability[i + 2], 1.0, 1e-12);
  }
}

TEST(SupersetIpal, AnItemWithoutNeighboursKeepsItsCandidates) {
  EXPECT_TRUE(rebuilding_weights({}, std::vector<double>{1.0, 2.0}).empty());
  const Evidence alone{1, 3, {1.0, 0.0, 1.0}};
  const SpreadLabels spread = propagate_labels(alone, std::vector<double>{1.0, 2.0}, 2, 10, {});
  EXPECT_EQ(spread.probability, (std::vector<double>{0.5, 0.0, 0.5}));
}

TEST(SupersetIpal, ANewItemGoesToTheClassThatRebuildsIt) {
  const CandidateItems items = easy_items(150);
  const CandidateItems fresh = easy_items(60, Seed{8});
  const Evidence evidence = evidence_of(items, 0.0);
  ItemMemory memory = remember(evidence, items.features.values, 2);
  memory.target = propagate_labels(evidence, items.features.values, 2, 10, {}).probability;
  EXPECT_GT(accuracy_of(rebuilding_scores(memory, fresh.features.values, 10, {1}), fresh), 0.9);
}

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
  const Evidence evidence = evidence_of(items, 0.0);
  const Landmarks landmarks = choose_landmarks(items.features.values, 2, 20, 1.0, Rng(Seed{1}));
  const std::vector<double> phi = likeness(landmarks, items.features.values, {1});
  const LinearFit fit = fit_logistic(evidence, phi, 20, 0.03, {});
  EXPECT_EQ(accuracy_of(logistic_probabilities(fit.model, phi, {1}), items), 1.0);
}

}  // namespace
}  // namespace motet::superset::neighbour_methods_test
