#include "motet/temporal/field/partition_function.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/temporal/field/conditional.h"
#include "motet/temporal/field/exact_inference.h"
#include "temporal/all_labellings.h"
#include "temporal/field_cases.h"

namespace motet::temporal::partition_function_test {
namespace {

using Starts = std::vector<std::size_t>;

constexpr double agreement = 1e-10;  // of sums in another order

double brute_force(std::size_t rows, std::size_t components, const TimeField& field) {
  const Starts starts{0, rows};
  return AllLabellings(rows, components, [&](const auto& states) { return -energy(starts, field, states); }).log_sum();
}

FieldCase small_case(Rng& rng) {
  const std::size_t components = 1 + rng.below(3);
  FieldCase drawn = random_case(
      {.most_components = components, .most_radius = 6, .most_rows = components == 3 ? 8U : 10U, .most_sequences = 1},
      rng);
  return drawn;
}

TEST(PartitionFunction, OfTheToyIsAsPublished) {
  const LogPartition found = log_partition(Starts{0, 7}, 2, {.radius = 2, .border = Border::clique});
  EXPECT_TRUE(found.is_exact);
  EXPECT_NEAR(std::exp(found.value), 9406705.158129, 1e-5);
}

TEST(PartitionFunction, IsTheSumOverAllLabellings) {
  const Rng rng(Seed{72});
  for (std::size_t i = 0; i < 60; ++i) {
    Rng own = rng.child(i);
    const FieldCase drawn = small_case(own);
    const double expected = brute_force(drawn.rows(), drawn.components, drawn.field);
    const LogPartition found = log_partition(drawn.starts, drawn.components, drawn.field);
    EXPECT_TRUE(found.is_exact);
    ASSERT_NEAR(found.value, expected, agreement * (1.0 + expected)) << i;
  }
  EXPECT_EQ(log_partition(Starts{0}, 3, {.radius = 2}).value, 0.0);
  EXPECT_NEAR(log_partition(Starts{0, 5}, 3, {}).value, 5.0 * std::log(3.0), 1e-12);
}

// Exact inference sums over tuples, row by row; with densities of 1 that is Z.
TEST(PartitionFunction, OfLongSequencesIsThatOfExactInference) {
  for (const Border border : {Border::weights, Border::clique}) {
    for (const double nats : {0.5, 3.0, 12.0}) {
      const Starts starts{0, 400, 400, 430, 433, 833, 834};  // some alike, one empty
      const std::vector<double> densities(3 * 834, 0.0);
      std::vector<double> marginals(densities.size());
      const TimeField field = with_total_weight({.radius = 4, .shape = WeightShape::quadratic, .border = border}, nats);
      const double expected = exact_marginals({starts, densities, 3, {}, {}}, field, {1}, marginals);
      EXPECT_NEAR(log_partition(starts, 3, field).value, expected, agreement * expected) << nats;
    }
  }
}

TEST(PartitionFunction, WeightsOfThousandsOfNatsDoNotOverflow) {
  const TimeField field = with_total_weight({.radius = 3}, 4000.0);
  // All rows alike but for what the ends lack: pairs at distance d = 1, 2, 3 weigh 3, 2, 1 of 12 parts.
  const double pairs = 4000.0 / 12.0 * (3.0 * 99.0 + 2.0 * 98.0 + 97.0);
  EXPECT_NEAR(log_partition(Starts{0, 100}, 5, field).value, pairs + std::log(5.0), 1e-6);
}

TEST(PartitionFunction, BoundsAreNeverBelow) {
  const Rng rng(Seed{73});
  double furthest = 0.0;
  for (std::size_t i = 0; i < 200; ++i) {
    Rng own = rng.child(i);
    FieldCase drawn = random_case({.most_components = 4, .most_radius = 5, .most_rows = 60, .most_sequences = 1}, own);
    drawn.field = with_total_weight(drawn.field, own.uniform(0.0, 10.0));
    const double exact = log_partition(drawn.starts, drawn.components, drawn.field).value;
    const double rounding = 1e-9 * (1.0 + exact);
    const double chains = log_partition_of_chains(drawn.rows(), drawn.components, drawn.field);
    EXPECT_GE(chains, exact - rounding) << i;
    furthest = std::max(furthest, (chains - exact) / static_cast<double>(drawn.rows()));
    double before = INFINITY;
    for (std::size_t near = 0; near <= drawn.field.radius; ++near) {
      const double value = log_partition_of_near(drawn.rows(), drawn.components, drawn.field, near);
      EXPECT_GE(value, exact - rounding) << i;
      EXPECT_LE(value, before + rounding) << i;  // more distances, a tighter bound
      before = value;
    }
    EXPECT_NEAR(before, exact, rounding) << i;
  }
  EXPECT_LT(furthest, 0.6);  // nats per row
}

TEST(PartitionFunction, ChainsOfOneDistanceAreExact) {
  for (const Border border : {Border::weights, Border::clique}) {
    const TimeField field{.radius = 1, .strength = 1.7, .border = border};
    EXPECT_NEAR(log_partition_of_chains(50, 4, field), log_partition(Starts{0, 50}, 4, field).value, 1e-9);
  }
}

// Shares of the distances other than those in proportion to the weights give a larger bound.
TEST(PartitionFunction, SharesInProportionToTheWeightsAreBest) {
  const std::size_t rows = 5000;
  const TimeField field = with_total_weight({.radius = 4}, 3.0);
  const std::vector<double> weights = weights_of(field);
  const double ours = log_partition_of_chains(rows, 3, field);
  Rng rng(Seed{74});
  for (std::size_t i = 0; i < 200; ++i) {
    std::vector<double> rho(4);
    double total = 0.0;
    for (std::size_t d = 0; d < 4; ++d) total += rho[d] = weights[d] * std::exp(0.3 * rng.normal());
    double bound = static_cast<double>(rows) * std::log(3.0);
    for (std::size_t d = 0; d < 4; ++d) {
      const double share = rho[d] / total;
      bound += share * static_cast<double>(rows - d - 1) * std::log((std::exp(weights[d] / share) + 2.0) / 3.0);
    }
    EXPECT_GT(bound, ours - 0.01);  // nats of 8000: the ends
  }
}

TEST(PartitionFunction, ImagesAreBoundedFromAbove) {
  for (const std::size_t radius : {1U, 2U}) {
    for (const double nats : {0.5, 2.0, 6.0}) {
      const TimeField field = with_total_weight({.radius = radius, .image_width = 4}, nats);
      const LogPartition found = log_partition(Starts{0, 12}, 2, field);
      const double exact = brute_force(12, 2, field);
      EXPECT_FALSE(found.is_exact);
      EXPECT_GE(found.value, exact);
      EXPECT_LT(found.value, exact + 0.25 * 12) << radius << " " << nats;
    }
  }
}

TEST(PartitionFunction, WideFieldsAreBoundedInNoTime) {
  for (const Border border : {Border::weights, Border::clique}) {
    const TimeField field = with_total_weight({.radius = 2500, .border = border}, 5.0);
    const LogPartition found = log_partition(Starts{0, 6000}, 200, field);
    EXPECT_FALSE(found.is_exact);
    double alike = 0.0;  // minus the energy of equal rows
    for (std::size_t d = 1; d <= 2500; ++d) {
      const double weight = field.strength * (2501.0 - static_cast<double>(d));
      alike += border == Border::weights ? weight * (6000.0 - static_cast<double>(d)) : weight * 3500.0;
    }
    const double unlike = 6000.0 * std::log(200.0);  // all labellings as if nothing pulled
    EXPECT_GT(found.value, std::max(alike, unlike));
    EXPECT_LT(found.value, 1.05 * std::max(alike, unlike));
  }
}

}  // namespace
}  // namespace motet::temporal::partition_function_test
