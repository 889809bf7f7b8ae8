#include "motet/superset/neighbours/ipal.h"

#include <gtest/gtest.h>

#include "superset/candidate_cases.h"

namespace motet::superset::ipal_test {
namespace {

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
  const EvidenceMatrix alone{1, 3, {1.0, 0.0, 1.0}};
  const SpreadLabels spread = propagate_labels(alone, std::vector<double>{1.0, 2.0}, 2, 10, {});
  EXPECT_EQ(spread.probability, (std::vector<double>{0.5, 0.0, 0.5}));
}

TEST(SupersetIpal, ANewItemGoesToTheClassThatRebuildsIt) {
  const CandidateItems items = easy_items(150);
  const CandidateItems fresh = easy_items(60, Seed{8});
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  ItemMemory memory = remember(evidence, items.features.values, 2);
  memory.target = propagate_labels(evidence, items.features.values, 2, 10, {}).probability;
  EXPECT_GT(accuracy_of(rebuilding_scores(memory, fresh.features.values, 10, {1}), fresh), 0.9);
}

// Two items in one place, each the other's only neighbour. The first is settled, so the second takes 0.95 of it and
// 0.05 of its own candidates: (0.975, 0.025). The masses 1.975 and 0.025 of the classes become those of the
// candidates, 1.5 and 0.5.
TEST(SupersetIpal, TwoItemsByHand) {
  const EvidenceMatrix evidence{2, 2, {1.0, 0.0, 1.0, 1.0}};
  const SpreadLabels spread = propagate_labels(evidence, std::vector<double>{1.0, 1.0}, 1, 5, {});
  const double a = 0.975 * 1.5 / 1.975, b = 0.5;
  EXPECT_EQ(spread.summary.stop, Stop::converged);
  EXPECT_NEAR(spread.probability[0], 1.0, 1e-12);
  EXPECT_NEAR(spread.probability[2], a / (a + b), 1e-12);
  EXPECT_NEAR(spread.probability[3], b / (a + b), 1e-12);
}

// (3, 4) is 3 of the first and 4 of the second; what is left of its square 25 without one of them is the other's.
TEST(SupersetIpal, ScoresAreWhatAClassLeavesUnexplained) {
  const ItemMemory memory{2, 3, {1.0, 0.0, 0.0, 1.0}, {0.9, 0.1, 0.0, 0.2, 0.8, 0.0}};
  const std::vector<double> scores = rebuilding_scores(memory, std::vector<double>{3.0, 4.0, 0.0, 0.0}, 2, {1});
  EXPECT_NEAR(scores[0], -16.0 / 25.0, 1e-9);
  EXPECT_NEAR(scores[1], -9.0 / 25.0, 1e-9);
  EXPECT_NEAR(scores[2], -1.0, 1e-9);  // nobody of the third class
  EXPECT_EQ(scores[3], 0.0);           // an item at the origin says nothing
}

TEST(SupersetIpal, NoOtherWeightsRebuildBetter) {
  Rng rng(Seed{3});
  std::vector<double> z(8 * 4), x(4);
  for (double& value : z) value = rng.normal();
  for (double& value : x) value = rng.normal();
  const auto left = [&](const std::vector<double>& h) {
    double square = 0.0;
    for (std::size_t d = 0; d < 4; ++d) {
      double rest = x[d];
      for (std::size_t j = 0; j < 8; ++j) rest -= h[j] * z[j * 4 + d];
      square += rest * rest;
    }
    return square;
  };
  const std::vector<double> h = rebuilding_weights(z, x);
  for (const double weight : h) EXPECT_GE(weight, 0.0);
  for (std::size_t j = 0; j < 8; ++j) {
    // No direction that is allowed leads down: the slope is 0 where a weight is free and not negative at 0.
    std::vector<double> more = h, fewer = h;
    more[j] += 1e-4;
    EXPECT_GT(left(more), left(h)) << j;
    if (h[j] < 1e-4) continue;
    fewer[j] -= 1e-4;
    EXPECT_GT(left(fewer), left(h)) << j;
  }
}

TEST(SupersetIpal, WhatIsCancelledSaysSo) {
  CancelFlag flag;
  flag.set(2);
  RunContext run;
  run.cancel = &flag;
  const EvidenceMatrix evidence{2, 2, {1.0, 0.0, 1.0, 1.0}};
  EXPECT_EQ(propagate_labels(evidence, std::vector<double>{1.0, 1.0}, 1, 5, run).summary.stop, Stop::interrupted);
}

}  // namespace
}  // namespace motet::superset::ipal_test
