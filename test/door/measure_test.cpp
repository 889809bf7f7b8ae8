#include "motet/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/errors.h"

namespace motet::measure {
namespace {

const YesNo some_truth{2, {1, 0, 0, 1, 1, 1, 1, 0}};

TEST(MeasureDoor, TellsLabelSets) {
  const YesNo predicted{2, {1, 0, 0, 1, 1, 0, 0, 1}};
  std::map<std::string, Figure> found;
  for (const Figure& one : label_sets(some_truth, predicted)) found[one.name] = one;
  EXPECT_EQ(found.size(), 12U);
  EXPECT_EQ(found["error_rate"].value, 0.5);
  EXPECT_NEAR(found["error_rate"].standard_error, 0.25, 0.05);  // sqrt(1/4 / 4), or with 3 in the place of 4
  EXPECT_EQ(found["hamming_loss"].value, 3.0 / 8.0);
  EXPECT_EQ(found["precision"].value, 0.75);             // 1, 1, 1, 0
  EXPECT_EQ(found["recall"].value, 2.5 / 4.0);           // 1, 1, 1/2, 0
  EXPECT_EQ(found["micro_precision"].value, 3.0 / 4.0);  // three of four that were told
  EXPECT_EQ(found["micro_recall"].value, 3.0 / 5.0);
  EXPECT_NEAR(found["balanced_error_rate"].value, (0.5 + 0.0 + 1.0) / 3.0, 1e-15);
}

TEST(MeasureDoor, TellsWhatProbabilitiesMean) {
  const std::vector<double> probability = {0.9, 0.95, 0.15, 0.1};
  const std::vector<std::uint8_t> right = {1, 0, 0, 0};
  const Reliability found = reliability(probability, right);
  ASSERT_EQ(found.bins.size(), 2U);
  EXPECT_EQ(found.bins[0].items, 2U);
  EXPECT_NEAR(found.bins[1].probability, 0.925, 1e-15);
  EXPECT_EQ(found.bins[1].right, 0.5);
  EXPECT_NEAR(found.expected_calibration_error, 0.5 * 0.125 + 0.5 * 0.425, 1e-15);
  const std::vector<Rejection> curve = reject_curve(probability, right, 3);
  ASSERT_FALSE(curve.empty());
  EXPECT_EQ(curve.front().coverage, 1.0);
  EXPECT_EQ(curve.front().error, 0.75);
  EXPECT_LT(curve.back().coverage, 1.0);
}

TEST(MeasureDoor, MatchesRoles) {
  const YesNo truth{3, {1, 1, 0, 0, 0, 1}};
  const YesNo found{3, {0, 0, 1, 1, 0, 0}};
  const RoleMatch match = match_roles(truth, found);
  EXPECT_EQ(match.partner, (std::vector<std::int64_t>{1, 0}));
  EXPECT_NEAR(match.error, 1.0 / 6.0, 1e-15);
  EXPECT_EQ(match_roles(truth, {3, {0, 0, 1}}).partner, (std::vector<std::int64_t>{-1, 0}));
  EXPECT_NEAR(reconstruction_error(found, truth), 5.0 / 6.0, 1e-15);
  EXPECT_EQ(coverage(truth, truth), 1.0);
  EXPECT_EQ(coverage(found, truth), 0.0);
}

TEST(MeasureDoor, TellsStability) {
  const YesNo first{2, {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0}};
  const YesNo swapped{2, {0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1}};
  EXPECT_EQ(stability(first, swapped).instability, 0.0);
  EXPECT_EQ(stability(first, swapped).corrected, 1.0);
  YesNo other = swapped;
  other.values[0] = 1;
  EXPECT_NEAR(stability(first, other).instability, 1.0 / 6.0, 1e-15);
}

TEST(MeasureDoor, BadInputIsRefused) {
  const std::vector<double> probability = {0.5, 2.0};
  const std::vector<std::uint8_t> right = {1, 1};
  EXPECT_EQ(error_of([&] { reliability(probability, right); }), "probability: 2 is outside [0, 1]");
  EXPECT_EQ(error_of([&] { reliability(probability, {}); }), "right: 0 values where there must be 2");
  const std::span<const double> one(probability.data(), 1);
  EXPECT_EQ(error_of(
                [&] {
                  reliability(one, {right.data(), 1}, 0);
                },
                ErrorKind::usage),
            "bins: there must be one at least");
  EXPECT_EQ(error_of(
                [&] {
                  reject_curve(one, {right.data(), 1}, 1);
                },
                ErrorKind::usage),
            "points: there must be two at least");
  EXPECT_EQ(error_of([] {
              label_sets(some_truth, {3, {1, 1, 1}});
            }),
            "tables: columns: 3 values where there must be 2");
  EXPECT_EQ(error_of([] { label_sets(some_truth, {2, {1, 1}}); }), "tables: rows: 1 values where there must be 4");
  EXPECT_EQ(error_of([] { match_roles(some_truth, {2, {1, 1, 1}}); }), "table: values: 3 values where there must be 2");
  EXPECT_EQ(error_of([] { stability(some_truth, some_truth, 0); }, ErrorKind::usage),
            "draws: there must be one at least");
}

}  // namespace
}  // namespace motet::measure
