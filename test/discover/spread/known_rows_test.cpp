#include "motet/discover/spread/known_rows.h"

#include <gtest/gtest.h>

#include "discover/spread/spread_cases.h"

namespace motet::discover::known_rows_test {
namespace {

TEST(KnownRows, AreThoseOfSureStretchesAndTheirNeighbourhood) {
  SpreadCase c(40, {}, {}, {20, 20});
  c.discovery.options.exclusion = 2;
  Spread spread;
  spread.stretches = {{5, 8, 1, false, {}, 0.96}, {9, 11, 2, false, {}, 0.4}, {18, 20, 1, true, {}, 1.0}};
  const std::vector<std::uint8_t> known = rows_taken_as_known(c.features, c.discovery, spread);
  std::vector<std::uint8_t> expected(40, 0);
  for (const std::size_t n : {3U, 4U, 5U, 6U, 7U, 8U, 16U, 17U, 18U, 19U}) expected[n] = 1;  // 9 may be something else
  EXPECT_EQ(known, expected);
  const std::vector<std::uint8_t> surer = rows_taken_as_known(c.features, c.discovery, spread, 0.97);
  EXPECT_EQ(surer[6], 0);
  EXPECT_EQ(surer[18], 1);
}

}  // namespace
}  // namespace motet::discover::known_rows_test
