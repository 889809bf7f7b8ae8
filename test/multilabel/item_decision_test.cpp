#include "motet/multilabel/item_decision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/multilabel/search/candidate_sets.h"
#include "multilabel/model_cases.h"
#include "multilabel/set_cases.h"

namespace motet::multilabel::item_decision_test {
namespace {

constexpr double rounding = 1e-12;
constexpr double impossible = -std::numeric_limits<double>::infinity();

std::uint64_t bits(const BitMatrix& sets, std::size_t row) { return sets.row(row)[0]; }

std::vector<double> logs(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

// Three labels, four candidates: densities times prior are 6, 4, 9 and 1 of 20.
const BitMatrix candidates = sets_of({"100", "110", "011", "000"});
const std::vector<double> density = logs({12.0, 20.0, 30.0, 10.0});
const std::vector<double> prior = logs({0.5, 0.2, 0.3, 0.1});

TEST(ItemDecision, MapIsTheCandidateWithTheLargestProduct) {
  const ItemDecision found = decide_item(candidates, density, prior, Decision::map, 3);
  ASSERT_EQ(found.set.size(), 1U);
  EXPECT_EQ(found.set[0], bits(candidates, 2));
  EXPECT_NEAR(found.posterior, 9.0 / 20.0, rounding);
  EXPECT_EQ(found.log_likelihood, density[2]);
  EXPECT_NEAR(found.log_joint, std::log(9.0), rounding);
  EXPECT_NEAR(found.log_sum, std::log(20.0), rounding);
  const double marginal[] = {10.0 / 20.0, 13.0 / 20.0, 9.0 / 20.0};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.marginal[k], marginal[k], rounding);
  ASSERT_EQ(found.ranked.size(), 3U);
  const std::uint32_t order[] = {2, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found.ranked[i].set, order[i]);
  EXPECT_NEAR(found.ranked[1].posterior, 6.0 / 20.0, rounding);
}

TEST(ItemDecision, MaximumLikelihoodLeavesThePriorOut) {
  const ItemDecision found = decide_item(candidates, density, prior, Decision::ml, 1);
  EXPECT_EQ(found.set[0], bits(candidates, 2));
  EXPECT_NEAR(found.posterior, 30.0 / 72.0, rounding);
  EXPECT_NEAR(found.log_sum, std::log(72.0), rounding);
}

TEST(ItemDecision, OfEqualSetsTheFirstIsTaken) {
  const std::vector<double> equal(4, 0.0);
  EXPECT_EQ(decide_item(candidates, equal, equal, Decision::map, 1).set[0], bits(candidates, 0));
  const ItemDecision ranked = decide_item(candidates, equal, equal, Decision::map, 9);
  ASSERT_EQ(ranked.ranked.size(), 4U);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(ranked.ranked[i].set, i);
  EXPECT_TRUE(decide_item(candidates, equal, equal, Decision::map, 0).ranked.empty());
}

TEST(ItemDecision, HammingTakesTheLabelsThatAreLikelierThanNot) {
  // Marginals are 1/2, 13/20 and 9/20: the second label alone, which is no candidate.
  HammingSets allowed;
  allowed.log_density = [](std::span<const std::uint64_t> set) { return set[0] == 0b010 ? -3.0 : impossible; };
  const ItemDecision found = decide_item(candidates, density, prior, Decision::hamming, 1, allowed);
  EXPECT_EQ(found.set[0], 0b010U);
  EXPECT_EQ(found.posterior, 0.0);
  EXPECT_EQ(found.log_likelihood, -3.0);
  // No more and no fewer labels than may be.
  allowed.log_density = [](std::span<const std::uint64_t>) { return -3.0; };
  allowed.least = 3;
  EXPECT_EQ(decide_item(candidates, density, prior, Decision::hamming, 1, allowed).set[0], 0b111U);
  allowed.least = 0;
  allowed.most = 0;
  const ItemDecision none = decide_item(candidates, density, prior, Decision::hamming, 1, allowed);
  EXPECT_EQ(none.set[0], 0U);
  EXPECT_NEAR(none.posterior, 1.0 / 20.0, rounding);  // a candidate again
}

TEST(ItemDecision, HammingTakesThePossibleSetWithTheFewestErrorsToBeExpected) {
  // Wrong labels beyond those of the empty set: 1 - 2 p summed, that is 0, -0.3, -0.2 and 0.
  const ItemDecision found = decide_item(candidates, density, prior, Decision::hamming, 1);
  EXPECT_EQ(found.set[0], bits(candidates, 1));
  EXPECT_NEAR(found.posterior, 4.0 / 20.0, rounding);
  EXPECT_EQ(found.log_likelihood, density[1]);
}

TEST(ItemDecision, AnItemThatNoSetCanMakeIsDecidedByThePrior) {
  const std::vector<double> none(4, impossible);
  for (const Decision decision : {Decision::map, Decision::hamming}) {
    const ItemDecision found = decide_item(candidates, none, prior, decision, 1);
    EXPECT_EQ(found.log_sum, impossible);
    EXPECT_EQ(found.log_likelihood, impossible);
    // Shares 5, 2, 3, 1 of 11: the first label alone has a marginal above 1/2, and is the likeliest set as well.
    EXPECT_EQ(found.set[0], bits(candidates, 0));
    EXPECT_NEAR(found.posterior, 5.0 / 11.0, rounding);
  }
}

TEST(OutlierBound, LiesBetweenTheQuantilesOfTheCalibration) {
  Calibration calibration;
  EXPECT_EQ(outlier_bound(calibration, 0.01), impossible);  // nothing is known
  calibration.density = {{0.01, -30.0}, {0.05, -20.0}, {0.5, -2.0}};
  EXPECT_EQ(outlier_bound(calibration, 0.0), impossible);
  EXPECT_EQ(outlier_bound(calibration, 0.001), -30.0);
  EXPECT_EQ(outlier_bound(calibration, 0.01), -30.0);
  EXPECT_DOUBLE_EQ(outlier_bound(calibration, 0.02), -27.5);
  EXPECT_DOUBLE_EQ(outlier_bound(calibration, 0.05), -20.0);
  EXPECT_EQ(outlier_bound(calibration, 0.9), -2.0);
}

}  // namespace
}  // namespace motet::multilabel::item_decision_test
