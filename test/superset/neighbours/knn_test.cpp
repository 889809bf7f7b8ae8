#include "motet/superset/neighbours/knn.h"

#include <gtest/gtest.h>

namespace motet::superset::knn_test {
namespace {

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

TEST(SupersetKnn, ARowDoesNotVoteForItself) {
  const EvidenceMatrix evidence{3, 2, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}};
  const std::vector<double> x{0.0, 1.0, 2.0};
  const ItemMemory memory = remember(evidence, x, 1);
  EXPECT_EQ(memory.rows(), 3U);
  EXPECT_EQ(neighbour_votes(memory, x, 1, true, {1}), (std::vector<double>{0.0, 1.0, 1.0, 0.0, 0.0, 1.0}));
  EXPECT_EQ(neighbour_votes(memory, x, 1, false, {1}), evidence.values);
}

// Three at distances 1, 2 and 3: weights 5/6, 4/6 and 3/6; the second votes for both classes, for one by half.
TEST(SupersetKnn, WeightedCandidatesCountByTheirWeight) {
  const ItemMemory memory{1, 2, {1.0, -2.0, 3.0}, {1.0, 0.0, 0.5, 1.0, 0.0, 1.0}};
  const std::vector<double> votes = neighbour_votes(memory, std::vector<double>{0.0}, 3, false, {1});
  const double a = 5.0 + 0.5 * 4.0, b = 4.0 + 3.0;
  EXPECT_NEAR(votes[0], a / (a + b), 1e-12);
  EXPECT_NEAR(votes[1], b / (a + b), 1e-12);
}

TEST(SupersetKnn, NeighboursInOnePlaceCountTheSame) {
  const ItemMemory memory{1, 2, {5.0, 5.0, 5.0}, {1.0, 0.0, 1.0, 0.0, 0.0, 1.0}};
  const std::vector<double> votes = neighbour_votes(memory, std::vector<double>{5.0}, 3, false, {1});
  EXPECT_NEAR(votes[0], 2.0 / 3.0, 1e-15);
}

}  // namespace
}  // namespace motet::superset::knn_test
