#include "motet/discover/spread/chance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::discover::chance_test {
namespace {

EvidenceValues evidence_of(double nearness) {
  EvidenceValues evidence{};
  evidence[static_cast<std::size_t>(Evidence::nearness)] = nearness;
  return evidence;
}

TEST(Chance, IsTheLogisticOfShiftAndSlope) {
  const EvidenceValues evidence = evidence_of(-0.4);
  const double l = log_odds_of(evidence);
  EXPECT_NEAR(chance_of(evidence, {}), 1.0 / (1.0 + std::exp(-l)), 1e-15);
  EXPECT_NEAR(chance_of(evidence, {0.3, 0.5}), 1.0 / (1.0 + std::exp(-0.3 - 0.5 * l)), 1e-15);
  EXPECT_GT(chance_of(evidence_of(1.0), {}), chance_of(evidence, {}));
  EXPECT_EQ(chance_of(evidence_of(1e6), {}), 1.0);
  EXPECT_EQ(chance_of(evidence_of(-1e6), {}), 0.0);
}

TEST(Chance, IsCorrectedByAnswersOnly) {
  const Correction none = corrected_by({}, {});
  EXPECT_NEAR(none.shift, 0.0, 1e-12);
  EXPECT_NEAR(none.slope, 1.0, 1e-12);
  std::vector<Tried> wrong(40, {2.0, false});
  const Correction lower = corrected_by(wrong, {});
  EXPECT_LT(lower.shift + 2.0 * lower.slope, 1.0);
  std::vector<Tried> right(40, {-1.0, true});
  EXPECT_GT(corrected_by(right, {}).shift, 0.2);
  // One answer alone moves little.
  EXPECT_NEAR(corrected_by(std::vector<Tried>{{2.0, false}}, {}).shift, 0.0, 0.1);
}

// The slope of the penalised likelihood is zero at the correction.
TEST(Chance, CorrectionIsTheMaximumWithItsPriors) {
  const std::vector<Tried> tried = {{2.0, true}, {1.0, false}, {-0.5, false}, {0.5, true}, {3.0, true}, {1.5, false}};
  const Correction found = corrected_by(tried, {});
  double shift = -found.shift / 0.09;
  double slope = -(found.slope - 1.0) / 0.0225;
  for (const Tried& one : tried) {
    const double off = (one.is_right ? 1.0 : 0.0) - 1.0 / (1.0 + std::exp(-found.shift - found.slope * one.log_odds));
    shift += off;
    slope += off * one.log_odds;
  }
  EXPECT_NEAR(shift, 0.0, 1e-6);
  EXPECT_NEAR(slope, 0.0, 1e-6);
}

}  // namespace
}  // namespace motet::discover::chance_test
