#include "motet/temporal/mixture/trimmed_kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "temporal/row_cases.h"

namespace motet::temporal::trimmed_kmeans_test {
namespace {

TEST(TrimmedKmeans, FarRowsGetNoCentre) {
  const Features features = rows_with_far_ones();
  const TrimmedClusters found = trimmed_kmeans(features, 3, 5, {});
  std::vector<double> first;
  for (std::size_t k = 0; k < 3; ++k) first.push_back(found.clusters.centres[2 * k]);
  std::sort(first.begin(), first.end());
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(first[k], 10.0 * static_cast<double>(k), 1.0);
  EXPECT_EQ(found.kept.size(), 162U);
  EXPECT_TRUE(std::is_sorted(found.kept.begin(), found.kept.end()));
  for (const std::uint32_t n : found.kept) EXPECT_NE(n % 20, 0U);
  EXPECT_EQ(found.clusters.states.size(), 180U);
}

TEST(TrimmedKmeans, TheInertiaIsThatOfTheRowsKeptAndNoRowLeftOutIsNearer) {
  const Features features = rows_with_far_ones();
  const TrimmedClusters found = trimmed_kmeans(features, 3, 2, {});
  std::vector<double> squared(180);
  for (std::size_t n = 0; n < 180; ++n) {
    squared[n] = 1e300;
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = features.row(n)[0] - found.clusters.centres[2 * k];
      const double y = features.row(n)[1] - found.clusters.centres[2 * k + 1];
      if (x * x + y * y < squared[n]) {
        squared[n] = x * x + y * y;
        EXPECT_LE(found.clusters.states[n], 3U);
      }
    }
  }
  double sum = 0.0;
  double farthest = 0.0;
  for (const std::uint32_t n : found.kept) {
    sum += squared[n];
    farthest = std::max(farthest, squared[n]);
  }
  EXPECT_NEAR(found.clusters.inertia, sum, 1e-9 * sum);
  for (std::uint32_t n = 0; n < 180; ++n) {
    if (!std::binary_search(found.kept.begin(), found.kept.end(), n)) {
      EXPECT_GE(squared[n], farthest);
    }
  }
}

TEST(TrimmedKmeans, FewRowsAndEqualRows) {
  const TrimmedClusters few = trimmed_kmeans(features_of(1, {1.0, 2.0, 9.0}), 3, 1, {});
  EXPECT_EQ(few.kept.size(), 3U);
  std::vector<double> values(50, 4.0);
  values[3] = 5.0;
  const TrimmedClusters equal = trimmed_kmeans(features_of(1, values), 2, 3, {});
  EXPECT_EQ(equal.kept.size(), 45U);
  EXPECT_THROW(trimmed_kmeans(features_of(1, {1.0, 1.0}), 2, 1, {}), Error);
}

}  // namespace
}  // namespace motet::temporal::trimmed_kmeans_test
