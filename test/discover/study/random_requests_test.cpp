#include "motet/discover/study/random_requests.h"

#include <gtest/gtest.h>

#include <vector>

#include "motet/base/lot.h"
#include "motet/base/rng.h"

namespace motet::discover::random_requests_test {
namespace {

TEST(RandomRequests, OfOneClassAreThoseOfTheDocument) {
  // The baselines that footnote 2 of section 7.2 cuts to 373 and 187.
  const std::size_t event[] = {37};
  EXPECT_NEAR(random_requests(14194, event), 373.55, 0.01);
  EXPECT_NEAR(random_requests(7137, event), 187.84, 0.01);
  EXPECT_EQ(random_requests(14194, event), 14195.0 / 38.0);
}

TEST(RandomRequests, OfSeveralClassesAreByInclusionAndExclusion) {
  constexpr double relative = 1e-9;  // of the integral
  const std::size_t two[] = {3, 5};
  EXPECT_NEAR(random_requests(20, two) / (21.0 / 4.0 + 21.0 / 6.0 - 21.0 / 9.0), 1.0, relative);
  const std::size_t five[] = {37, 37, 37, 37, 37};
  double expected = 0.0;
  const double choose[] = {0, 5, 10, 10, 5, 1};
  for (int k = 1; k <= 5; ++k) expected += (k % 2 == 1 ? 1.0 : -1.0) * choose[k] * 6514.0 / (37.0 * k + 1.0);
  EXPECT_NEAR(random_requests(6513, five) / expected, 1.0, relative);
  const std::size_t unlike[] = {1, 4000};
  EXPECT_NEAR(random_requests(5000, unlike) / (5001.0 / 2.0 + 5001.0 / 4001.0 - 5001.0 / 4002.0), 1.0, relative);
}

TEST(RandomRequests, AreWhatLotsNeedOnAverage) {
  const std::vector<std::size_t> sizes = {2, 3};
  constexpr std::size_t rows = 12;
  constexpr int lots = 4000;
  double sum = 0.0;
  for (int i = 0; i < lots; ++i) {
    std::size_t first[2] = {0, 0};
    std::size_t at = 0;
    for (const std::uint32_t row : drawn_by_lot(rows, rows, Rng(Seed{7}).child(static_cast<std::uint64_t>(i)))) {
      ++at;
      const int of_class = row < 2 ? 0 : row < 5 ? 1 : -1;
      if (of_class >= 0 && first[of_class] == 0) first[of_class] = at;
    }
    sum += static_cast<double>(std::max(first[0], first[1]));
  }
  // A lot needs 2 to 12 questions with a standard deviation below 3: the mean is within 4 standard errors.
  EXPECT_NEAR(sum / lots, random_requests(rows, sizes), 4.0 * 3.0 / std::sqrt(lots));
}

TEST(RandomRequests, OfNothingAreNone) {
  EXPECT_EQ(random_requests(10, {}), 0.0);
  const std::size_t empty[] = {0, 0};
  EXPECT_EQ(random_requests(10, empty), 0.0);
  EXPECT_EQ(random_requests(RowTruth{{"a", "b"}, {0, 0, 1, 0}}), 5.0 / 2.0);
}

}  // namespace
}  // namespace motet::discover::random_requests_test
