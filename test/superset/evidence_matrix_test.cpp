#include "motet/superset/evidence_matrix.h"

#include <gtest/gtest.h>

#include <cmath>

#include "superset/candidate_cases.h"

namespace motet::superset::evidence_matrix_test {
namespace {

TEST(EvidenceMatrix, ACandidateCountsOneAndAnotherLabelNothing) {
  const CandidateItems items = easy_items(3);
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  for (std::size_t n = 0; n < 3; ++n) {
    double sum = 0.0;
    for (const double value : evidence.row(n)) sum += value;
    EXPECT_EQ(sum, 2.0);
    for (const std::uint32_t l : items.candidates(n)) EXPECT_EQ(evidence.row(n)[l], 1.0);
  }
}

TEST(EvidenceMatrix, ASetThatMayMissTheTruthGivesTheOddsOfBlindSets) {
  const CandidateItems items = easy_items(1);
  const EvidenceMatrix evidence = evidence_of(items, 0.2);
  // 0.2 / 0.8 times s / (L - s) = 2 / 1.
  EXPECT_DOUBLE_EQ(*std::min_element(evidence.values.begin(), evidence.values.end()), 0.5);
}

TEST(EvidenceMatrix, WeightsAreScaledSoThatTheLargestIsOne) {
  CandidateItems items = easy_items(1);
  items.weight = {4.0, 1.0};
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  EXPECT_EQ(evidence.row(0)[items.label[0]], 1.0);
  EXPECT_EQ(evidence.row(0)[items.label[1]], 0.25);
}

TEST(EvidenceMatrix, HugeWeightsDoNotOverflow) {
  CandidateItems items = easy_items(1);
  items.weight = {1e308, 1e308};
  const EvidenceMatrix huge = evidence_of(items, 0.2);
  items.weight.clear();
  EXPECT_EQ(huge.values, evidence_of(items, 0.2).values);
}

TEST(EvidenceMatrix, ThePosteriorOfImpossibleProbabilitiesIsTheAveragedEvidence) {
  const EvidenceMatrix evidence{1, 3, {1.0, 1.0, 0.0}};
  const std::vector<double> q = posterior(evidence, std::vector<double>{0.0, 0.0, 1.0});
  EXPECT_EQ(q, (std::vector<double>{0.5, 0.5, 0.0}));
}

TEST(EvidenceMatrix, UnitRowsHaveTheLengthOfAStandardisedRow) {
  const std::vector<double> x = unit_rows(std::vector<double>{3.0, 4.0, 0.0, 0.0}, 2);
  EXPECT_NEAR(std::hypot(x[0], x[1]), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(x[2], 0.0);
}

}  // namespace
}  // namespace motet::superset::evidence_matrix_test
