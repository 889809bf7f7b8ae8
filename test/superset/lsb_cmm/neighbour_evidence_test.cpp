#include "motet/superset/lsb_cmm/neighbour_evidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "superset/lsb_cases.h"

namespace motet::superset::neighbour_evidence_test {
namespace {

// Three items in a row, each with two neighbours: labels (1, 0), (0, 1) and (1, 0). A hundredth of a forecast is spread
// over both classes.
TEST(NeighbourEvidence, ForecastsAreTheLabelsOfTheNeighboursAveraged) {
  const EvidenceMatrix evidence{3, 2, {1.0, 0.0, 1.0, 0.5, 0.0, 1.0}};
  const std::vector<double> labels{1.0, 0.0, 0.0, 1.0, 1.0, 0.0}, x{0.0, 1.0, 2.5};
  const double disagree = 0.005 + 0.99 * 0.5, agree = 0.005 + 0.99;
  EXPECT_NEAR(foreseen_by_neighbours(evidence, labels, x, 1, 2, {1}),
              std::log(disagree) + std::log(agree + 0.5 * 0.005) + std::log(disagree), 1e-12);
}

TEST(NeighbourEvidence, AnItemThatMayBeTwoThingsGoesByThoseAroundIt) {
  // Two groups of four; in each, one item may be of either class.
  const EvidenceMatrix evidence{8, 2, {1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1}};
  const std::vector<double> x{5.0, 1.0, 5.1, 1.0, 5.2, 1.0, 5.1, 1.1, 1.0, 5.0, 1.0, 5.1, 1.0, 5.2, 1.1, 5.1};
  const EvidenceMatrix sharper = evidence_of_neighbours(evidence, x, 2, 3, {});
  EXPECT_EQ(sharper.row(3)[0], 1.0);
  EXPECT_LT(sharper.row(3)[1], 0.2);
  EXPECT_GT(sharper.row(3)[1], 0.0);
  EXPECT_EQ(sharper.row(7)[1], 1.0);
  EXPECT_LT(sharper.row(7)[0], 0.2);
  for (const std::size_t n : {0U, 1U, 2U, 4U, 5U, 6U}) {
    for (std::size_t l = 0; l < 2; ++l) EXPECT_EQ(sharper.row(n)[l], evidence.row(n)[l]) << n;
  }
}

// Directions tell the classes, distances from the origin do not: the nearest in place are of the other class.
TEST(NeighbourEvidence, DirectionsAreTakenWhereTheyForeseeMore) {
  EvidenceMatrix evidence{0, 2, {}};
  std::vector<double> x;
  for (int i = 0; i < 40; ++i) {
    const bool is_first = i % 2 == 0;
    const double length = 0.01 * std::pow(1.5, i / 2);
    const double angle = is_first ? 0.5 : 0.6;
    x.insert(x.end(), {length * std::cos(angle), length * std::sin(angle)});
    const bool is_open = i % 4 < 2 && i > 3;
    evidence.values.insert(evidence.values.end(), {is_first || is_open ? 1.0 : 0.0, !is_first || is_open ? 1.0 : 0.0});
    ++evidence.rows;
  }
  const EvidenceMatrix sharper = evidence_of_neighbours(evidence, x, 2, 3, {});
  for (std::size_t n = 4; n < 40; n += 4) {
    EXPECT_GT(sharper.row(n)[0], sharper.row(n)[1]) << n;
    EXPECT_LT(sharper.row(n + 1)[0], sharper.row(n + 1)[1]) << n;
  }
}

TEST(NeighbourEvidence, OfOneItemIsItsOwn) {
  const EvidenceMatrix alone{1, 2, {1.0, 1.0}};
  EXPECT_EQ(evidence_of_neighbours(alone, std::vector<double>{1.0}, 1, 10, {}).values, alone.values);
}

// Three extra candidates of five: the plain evidence leads the mixture astray, that of neighbours does not.
TEST(NeighbourEvidenceSlow, MakesThreeExtraCandidatesBearable) {
  const CandidateItems all = blobs_with_candidates(1000, 3);
  const CandidateItems items = rows_between(all, 0, 700);
  const CandidateItems unseen = rows_between(all, 700, 1000);
  const EvidenceMatrix sharper =
      evidence_of_neighbours(evidence_of(items, 0.0), items.features.values, items.features.dimensions(), 10, {});
  CandidateItems weighted = items;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    for (const std::uint32_t l : items.candidates(n)) weighted.weight.push_back(sharper.row(n)[l]);
  }
  const LsbFit found = fit_as_usual(weighted, few_iterations(60));
  expect_no_fall(found.summary);
  EXPECT_GT(accuracy(found.model, unseen), 0.83);
}

}  // namespace
}  // namespace motet::superset::neighbour_evidence_test
