#include "motet/discover/questions/nndm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discover/search_cases.h"
#include "motet/base/numeric.h"
#include "support/errors.h"

namespace motet::discover::nndm_test {
namespace {

TEST(Nndm, AsksWhereTheDensityFallsOffFirst) {
  const LabelledFeatures data = toy_of_figure_6_1({}, Seed{1});
  const std::vector<std::uint32_t> order = nndm_order(data.features, 5, {});
  EXPECT_EQ(data.truth.of_row[order[0]], 1U);
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t n = 0; n < sorted.size(); ++n) EXPECT_EQ(sorted[n], n);
}

// The definition of the header with all pairs at hand: scores for t = 1, 2, 4, 8, each list best first with rows near
// a better one at its end, and one row of each list in turn.
TEST(Nndm, IsTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::size_t rows = 60;
    const std::size_t radius = seed;
    const Features features = noise_rows(rows, 2, Seed{seed});
    std::vector<double> distance(rows * rows);
    for (std::size_t d = 0; d < 2; ++d) {
      std::vector<double> column;
      for (std::size_t n = 0; n < rows; ++n) column.push_back(features.row(n)[d]);
      const MeanSd moments = mean_sd(column);
      const double variance = moments.sd * moments.sd * (rows - 1.0) / rows;
      for (std::size_t i = 0; i < rows * rows; ++i) {
        distance[i] += std::pow(column[i / rows] - column[i % rows], 2) / variance;
      }
    }
    double r = 1e300;
    for (std::size_t n = 0; n < rows; ++n) {
      std::vector<double> from(distance.begin() + static_cast<std::ptrdiff_t>(n * rows),
                               distance.begin() + static_cast<std::ptrdiff_t>((n + 1) * rows));
      std::sort(from.begin(), from.end());
      r = std::min(r, std::sqrt(from[2 * radius]));
    }
    const auto is_near = [&](std::size_t a, std::size_t b, double t) {
      return distance[a * rows + b] <= t * r * t * r * (1.0 + 1e-12);
    };
    std::vector<std::vector<std::uint32_t>> lists;
    for (const double t : {1.0, 2.0, 4.0, 8.0}) {
      std::vector<long> score(rows, -1000);
      std::vector<long> count(rows, 0);
      for (std::size_t i = 0; i < rows * rows; ++i) count[i / rows] += is_near(i / rows, i % rows, 1.0) ? 1 : 0;
      for (std::size_t i = 0; i < rows * rows; ++i) {
        if (is_near(i / rows, i % rows, t)) {
          score[i / rows] = std::max(score[i / rows], count[i / rows] - count[i % rows]);
        }
      }
      std::vector<std::uint32_t> first;
      std::vector<std::uint32_t> last;
      for (long best = 1000; best >= -1000; --best) {
        for (std::uint32_t n = 0; n < rows; ++n) {
          if (score[n] != best) continue;
          const bool waits = std::any_of(first.begin(), first.end(), [&](auto other) { return is_near(n, other, t); });
          (waits ? last : first).push_back(n);
        }
      }
      first.insert(first.end(), last.begin(), last.end());
      lists.push_back(first);
    }
    std::vector<std::uint32_t> expected;
    for (std::size_t turn = 0; expected.size() < rows; ++turn) {
      for (const std::uint32_t row : lists[turn % 4]) {
        if (std::count(expected.begin(), expected.end(), row) != 0) continue;
        expected.push_back(row);
        break;
      }
    }
    EXPECT_EQ(nndm_order(features, radius, {}), expected) << seed;
  }
}

TEST(Nndm, FewRowsComeAsTheyAre) {
  EXPECT_EQ(nndm_order(noise_rows(2, 2, Seed{1}), 5, {}), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(nndm_order(features_of({1.0, 1.0, 1.0, 1.0}, 1), 5, {}).size(), 4U);
}

TEST(Nndm, RefusesMoreRowsThanItCanCompare) {
  const Features features = features_of(std::vector<double>(20'001, 0.0), 1);
  EXPECT_EQ(refusal([&] { nndm_order(features, 5, {}); }, ErrorKind::usage),
            "--strategy nndm compares all pairs of rows and takes at most 20000; there are 20001");
}

}  // namespace
}  // namespace motet::discover::nndm_test
