#include "motet/temporal/field/exact_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "temporal/all_labellings.h"
#include "temporal/field_cases.h"

namespace motet::temporal::exact_chain_test {
namespace {

constexpr double agreement = 1e-10;  // of sums in another order

AllLabellings all_labellings(const Neighbours& neighbours, std::size_t components, const std::vector<double>& densities,
                             std::size_t stride) {
  return AllLabellings(neighbours.rows(), components, [&](const auto& states) {
    double sum = 0.0;
    for (std::size_t n = 0; n < states.size(); ++n) {
      sum += densities[states[n] * stride + n];
      neighbours.for_each(n, [&](std::size_t m, double weight) {
        if (m < n && states[m] == states[n]) sum += neighbours.field().strength * weight;
      });
    }
    return sum;
  });
}

// A sequence inside a longer table: the stride is not its number of rows.
TEST(ExactChain, SumsAndMaximaAreThoseOverAllLabellings) {
  const Rng rng(Seed{91});
  for (std::size_t i = 0; i < 200; ++i) {
    Rng own = rng.child(i);
    const std::size_t components = 1 + own.below(3);
    const FieldCase drawn = random_case({.most_components = components, .most_radius = 6, .most_sequences = 1}, own);
    const std::size_t rows = 1 + own.below(drawn.components == 3 ? 7 : 9);
    const std::size_t stride = rows + own.below(4);
    std::vector<double> densities(drawn.components * stride);
    for (double& density : densities) density = own.below(8) == 0 ? -INFINITY : 3.0 * own.normal();
    for (std::size_t n = 0; n < rows; ++n) densities[n] = own.normal();  // every row can be explained
    const FieldTables tables(drawn.field);
    const Neighbours neighbours(tables, rows);
    const AllLabellings all = all_labellings(neighbours, drawn.components, densities, stride);
    ExactChain chain(neighbours, drawn.components, densities.data(), stride);
    constexpr double untouched = -7.0;
    std::vector<double> found(drawn.components * stride, untouched);
    ASSERT_NEAR(chain.marginals(found.data(), stride), all.log_sum(), agreement * (1.0 + std::abs(all.log_sum()))) << i;
    for (std::size_t k = 0; k < drawn.components; ++k) {
      for (std::size_t n = 0; n < stride; ++n) {
        const double expected =
            n < rows ? all.mean([&](const auto& states) { return states[n] == k ? 1.0 : 0.0; }) : untouched;
        ASSERT_NEAR(found[k * stride + n], expected, agreement) << i;
      }
    }
    std::vector<std::uint8_t> mode(rows);
    const double best = *std::max_element(all.values.begin(), all.values.end());
    ASSERT_NEAR(chain.mode(mode), best, agreement * (1.0 + std::abs(best))) << i;
    const auto at = std::find(all.states.begin(), all.states.end(), mode) - all.states.begin();
    ASSERT_NEAR(all.values[static_cast<std::size_t>(at)], best, agreement * (1.0 + std::abs(best))) << i;
  }
}

// Without a field rows are alone, in a sequence of many blocks of kept tables.
TEST(ExactChain, WithoutARadiusRowsAreAlone) {
  constexpr std::size_t rows = 1000;
  Rng rng(Seed{92});
  std::vector<double> densities(2 * rows);
  for (double& density : densities) density = rng.normal();
  const FieldTables tables(TimeField{});
  const Neighbours neighbours(tables, rows);
  ExactChain chain(neighbours, 2, densities.data(), rows);
  std::vector<double> found(2 * rows);
  const double sum = chain.marginals(found.data(), rows);
  std::vector<std::uint8_t> mode(rows);
  chain.mode(mode);
  double expected = 0.0;
  for (std::size_t n = 0; n < rows; ++n) {
    const double total = std::exp(densities[n]) + std::exp(densities[rows + n]);
    expected += std::log(total);
    ASSERT_NEAR(found[n], std::exp(densities[n]) / total, agreement);
    ASSERT_EQ(mode[n], densities[rows + n] > densities[n] ? 1 : 0);
  }
  EXPECT_NEAR(sum, expected, agreement * std::abs(expected));
}

TEST(ExactChain, TuplesAreCounted) {
  EXPECT_EQ(ExactChain::tuples(100, 3, 4, 1000), 64U);
  EXPECT_EQ(ExactChain::tuples(100, 3, 4, 64), 64U);
  EXPECT_EQ(ExactChain::tuples(100, 3, 4, 63), 64U);   // one more than may be
  EXPECT_EQ(ExactChain::tuples(3, 50, 4, 1000), 16U);  // no longer than the sequence less one
  EXPECT_EQ(ExactChain::tuples(100, 50, 1, 1000), 1U);
  EXPECT_EQ(ExactChain::tuples(100, 0, 9, 1000), 1U);
  EXPECT_EQ(ExactChain::tuples(1'000'000, 1'000'000, 2, 4096), 4097U);
}

}  // namespace
}  // namespace motet::temporal::exact_chain_test
