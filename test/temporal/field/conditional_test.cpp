#include "motet/temporal/field/conditional.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/temporal/field/neighbours.h"
#include "support/threads.h"
#include "temporal/field_cases.h"

namespace motet::temporal::conditional_test {
namespace {

using Numbers = std::vector<double>;

// By the definition, components x rows.
Numbers expected_weights(const FieldCase& drawn) {
  const FieldTables tables(drawn.field);
  Numbers weights(drawn.components * drawn.rows());
  for (std::size_t i = 0; i + 1 < drawn.starts.size(); ++i) {
    const std::size_t begin = drawn.starts[i];
    if (drawn.starts[i + 1] == begin) continue;
    const Neighbours neighbours(tables, drawn.starts[i + 1] - begin);
    for (std::size_t n = 0; n < neighbours.rows(); ++n) {
      neighbours.for_each(n, [&](std::size_t m, double weight) {
        weights[drawn.states[begin + m] * drawn.rows() + begin + n] += weight;
      });
    }
  }
  for (double& weight : weights) weight *= drawn.field.strength;
  return weights;
}

TEST(NeighbourWeights, AreThoseOfTheDefinition) {
  for (auto& [i, drawn, own] : random_cases(1000, Seed{61})) {
    Numbers weights(drawn.components * drawn.rows());
    neighbour_weights(drawn.problem(), drawn.field, drawn.states, weights);
    ASSERT_EQ(weights, expected_weights(drawn)) << i;
  }
}

TEST(ConditionalResponsibilities, AreThoseOfTheDefinition) {
  for (auto& [i, drawn, own] : random_cases(500, Seed{62})) {
    const Numbers weights = expected_weights(drawn);
    Numbers found(weights.size());
    const double total = conditional_responsibilities(drawn.problem(), drawn.field, drawn.states, {1}, found);
    double expected_total = 0.0;
    for (std::size_t n = 0; n < drawn.rows(); ++n) {
      Numbers prior(drawn.components);
      Numbers both(drawn.components, -INFINITY);
      for (std::size_t k = 0; k < drawn.components; ++k) {
        prior[k] = weights[k * drawn.rows() + n];
        const bool allowed = drawn.labels.empty() || drawn.labels[n] < 0 || drawn.of_class[k] == drawn.labels[n];
        if (allowed) both[k] = prior[k] + drawn.densities[k * drawn.rows() + n];
      }
      expected_total += log_sum_exp(both) - log_sum_exp(prior);
      for (std::size_t k = 0; k < drawn.components; ++k) {
        ASSERT_NEAR(found[k * drawn.rows() + n], std::exp(both[k] - log_sum_exp(both)), 1e-12) << i;
      }
    }
    ASSERT_NEAR(total, expected_total, 1e-9 * (1.0 + std::abs(expected_total))) << i;
  }
}

TEST(ConditionalResponsibilities, HaveTheSameBitsOnAnyNumberOfThreads) {
  Rng rng(Seed{63});
  FieldCase drawn;
  drawn.components = 3;
  drawn.starts = {0, 30'000, 30'010, 90'000};
  for (std::size_t i = 0; i < 90'000 * 3; ++i) drawn.densities.push_back(3.0 * rng.normal());
  for (std::size_t n = 0; n < 90'000; ++n) drawn.states.push_back(static_cast<std::uint8_t>(rng.below(3)));
  drawn.field = with_total_weight({.radius = 7, .shape = WeightShape::quadratic}, 5.0);
  Numbers one(90'000 * 3);
  const double total = conditional_responsibilities(drawn.problem(), drawn.field, drawn.states, {1}, one);
  for (const unsigned threads : {2U, 4U}) {
    Numbers more(one.size());
    EXPECT_EQ(conditional_responsibilities(drawn.problem(), drawn.field, drawn.states, StartedThreads(threads), more),
              total);
    EXPECT_EQ(more, one);
  }
}

TEST(ConditionalResponsibilities, DoNotOverflowWithTheLiteralEnergyOfAWideField) {
  const std::vector<std::size_t> starts{0, 200};
  std::vector<double> densities(400, -1000.0);
  std::vector<std::uint8_t> states(200, 1);
  Numbers found(400);
  const double total = conditional_responsibilities({starts, densities, 2, {}, {}}, {.radius = 50}, states, {}, found);
  EXPECT_NEAR(total, -200'000.0, 1e-6);
  for (std::size_t n = 0; n < 200; ++n) {
    EXPECT_EQ(found[n], 0.0);
    EXPECT_EQ(found[200 + n], 1.0);
  }
}

TEST(ConditionalResponsibilities, LabelsAgainstAllNeighboursStillSumToOne) {
  const std::vector<std::size_t> starts{0, 101};
  std::vector<double> densities(3 * 101, -1.0);
  std::vector<std::uint8_t> states(101, 0);
  std::vector<std::int32_t> labels(101, -1);
  labels[50] = 1;
  const std::vector<std::int32_t> of_class{0, 1, 1};
  densities[1 * 101 + 50] = -2000.0;
  densities[2 * 101 + 50] = -2001.0;
  Numbers found(3 * 101);
  conditional_responsibilities({starts, densities, 3, labels, of_class}, {.radius = 50}, states, {}, found);
  EXPECT_EQ(found[50], 0.0);
  EXPECT_NEAR(found[101 + 50], 1.0 / (1.0 + std::exp(-1.0)), 1e-12);
  EXPECT_NEAR(found[202 + 50], 1.0 / (1.0 + std::exp(1.0)), 1e-12);
}

TEST(ConditionalResponsibilities, RowsNoComponentCanExplainFollowTheirNeighbours) {
  const std::vector<std::size_t> starts{0, 3};
  const std::vector<double> densities{0, -INFINITY, 0, 0, -INFINITY, 0};
  const std::vector<std::uint8_t> states{1, 0, 1};
  Numbers found(6);
  const double total = conditional_responsibilities({starts, densities, 2, {}, {}}, {.radius = 1}, states, {}, found);
  EXPECT_EQ(total, -INFINITY);
  EXPECT_NEAR(found[3 + 1], 1.0 / (1.0 + std::exp(-2.0)), 1e-12);
}

}  // namespace
}  // namespace motet::temporal::conditional_test
