#include "motet/temporal/mixture/block_posterior.h"

#include <gtest/gtest.h>

#include "motet/base/numeric.h"
#include "support/processor.h"

namespace motet::temporal::block_posterior_test {
namespace {

// Log probabilities from near to beyond the range of an exponential, some of them of what cannot be.
std::vector<double> some_table(std::size_t components) {
  Rng rng(Seed{components});
  std::vector<double> table(components * posterior_rows);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = rng.uniform() < 0.2 && i >= posterior_rows ? -INFINITY : rng.normal() * (i % 3 == 0 ? 400.0 : 2.0);
  }
  return table;
}

TEST(BlockPosterior, IsThatOfPlainExponentials) {
  for (const std::size_t components : {1U, 3U, 7U}) {
    for (const std::size_t count : {1U, 5U, 63U, 64U}) {
      const std::vector<double> given = some_table(components);
      std::vector<double> table = given;
      const double objective = posterior_of_block(table.data(), components, count);
      double expected = 0.0;
      for (std::size_t n = 0; n < count; ++n) {
        std::vector<double> row;
        for (std::size_t k = 0; k < components; ++k) row.push_back(given[k * posterior_rows + n]);
        expected += log_sum_exp(row);
        for (std::size_t k = 0; k < components; ++k) {
          EXPECT_NEAR(table[k * posterior_rows + n], std::exp(row[k] - log_sum_exp(row)), 1e-12);
        }
      }
      EXPECT_NEAR(objective, expected, 1e-10 * (1.0 + std::abs(expected)));
    }
  }
}

TEST(BlockPosterior, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t components : {1U, 3U, 7U}) {
    for (const std::size_t count : {1U, 5U, 63U, 64U}) {
      expect_same_bits_at_every_level([&] {
        std::vector<double> table = some_table(components);
        table.push_back(posterior_of_block(table.data(), components, count));
        return table;
      });
    }
  }
}

}  // namespace
}  // namespace motet::temporal::block_posterior_test
