#include "motet/temporal/field/equality_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "temporal/all_labellings.h"
#include "temporal/field_cases.h"

namespace motet::temporal::equality_chain_test {
namespace {

// log of the sum over all labellings of the first rows of a sequence, pairs no further apart than `reach`.
double brute_force(const Neighbours& neighbours, std::size_t rows, std::size_t components, std::size_t reach) {
  return AllLabellings(rows, components,
                       [&](const auto& states) {
                         double sum = 0.0;
                         for (std::size_t n = 0; n < rows; ++n) {
                           neighbours.for_each(n, [&](std::size_t m, double weight) {
                             if (m < n && n - m <= reach && states[m] == states[n]) sum += weight;
                           });
                         }
                         return neighbours.field().strength * sum;
                       })
      .log_sum();
}

TEST(EqualityChain, SumsAllLabellingsOfEveryFirstPart) {
  constexpr double agreement = 1e-10;  // of sums in another order
  const Rng rng(Seed{81});
  for (std::size_t i = 0; i < 30; ++i) {
    Rng own = rng.child(i);
    FieldCase drawn = random_case({.most_components = 3, .most_radius = 5, .most_sequences = 1}, own);
    drawn.field.border = Border::weights;
    const std::size_t radius = drawn.field.radius;
    const FieldTables tables(drawn.field);
    const std::size_t rows = drawn.components == 3 ? 8 : 11;
    const Neighbours neighbours(tables, rows);
    std::vector<std::size_t> lengths(rows);
    std::iota(lengths.begin(), lengths.end(), 1U);
    for (std::size_t reach = 1; reach <= radius; ++reach) {
      const std::vector<double> found = EqualityChain(neighbours, drawn.components, reach).log_sums(lengths);
      ASSERT_EQ(found.size(), rows);
      for (std::size_t n = 0; n < rows; ++n) {
        const double expected = brute_force(neighbours, n + 1, drawn.components, reach);
        ASSERT_NEAR(found[n], expected, agreement * (1.0 + expected)) << i << ", reach " << reach << ", row " << n;
      }
    }
  }
}

TEST(EqualityChain, WholeCliquesAreThoseOfAllRows) {
  const FieldTables tables({.radius = 3, .strength = 0.4, .border = Border::clique});
  for (const std::size_t rows : {1U, 2U, 4U, 5U, 9U}) {
    const Neighbours neighbours(tables, rows);
    const std::vector<std::size_t> all{rows};
    EXPECT_NEAR(EqualityChain(neighbours, 2, 3).log_sums(all)[0], brute_force(neighbours, rows, 2, 3), 1e-12) << rows;
  }
}

// From some row on every row adds the same: the logarithm grows by a constant, that of one labelling per component when
// the pull is strong.
TEST(EqualityChain, GrowsEvenlyOnceItHasSettled) {
  const FieldTables tables({.radius = 2, .strength = 30.0});
  const Neighbours neighbours(tables, 2000);
  const std::vector<std::size_t> lengths{1, 1000, 1001, 2000};
  const std::vector<double> found = EqualityChain(neighbours, 4, 2).log_sums(lengths);
  EXPECT_DOUBLE_EQ(found[0], std::log(4.0));
  const double grown = found[2] - found[1];
  EXPECT_NEAR(grown, 30.0 * (2.0 + 1.0), 1e-9);
  EXPECT_NEAR(found[3], found[1] + 1000.0 * grown, 1e-6);
}

TEST(EqualityChain, StatesAreTheWaysToBeEqual) {
  constexpr std::size_t many = 1'000'000;
  // Partitions of r rows: 1, 2, 5, 15, 52 (Bell); into two blocks at most 2^(r - 1); into three (3^(r - 1) + 1) / 2.
  const std::size_t bell[] = {1, 2, 5, 15, 52};
  for (std::size_t r = 1; r <= 5; ++r) {
    EXPECT_EQ(EqualityChain::states(r, 100, many), bell[r - 1]);
    EXPECT_EQ(EqualityChain::states(r, 1, many), 1U);
    EXPECT_EQ(EqualityChain::states(r, 2, many), std::size_t{1} << (r - 1));
    EXPECT_EQ(EqualityChain::states(r, 3, many), (static_cast<std::size_t>(std::pow(3.0, r - 1.0)) + 1) / 2);
  }
  EXPECT_EQ(EqualityChain::states(5, 100, 52), 52U);
  EXPECT_EQ(EqualityChain::states(5, 100, 51), 52U);  // one more than may be
  EXPECT_EQ(EqualityChain::states(100'000, 2, 40), 41U);
}

}  // namespace
}  // namespace motet::temporal::equality_chain_test
