#include "motet/temporal/mixture/kmeans.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "support/processor.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::kmeans_test {
namespace {

TEST(KMeans, FindsClustersThatAreApart) {
  const Features features = clustered_rows(900, 3, 3, 20.0, 1, 10);
  const Clusters found = kmeans(features, 3, 5, ColumnUnits::own, run_with(1));
  for (std::size_t n = 0; n < features.rows(); ++n) {
    EXPECT_EQ(found.states[n] == found.states[0], n / 10 % 3 == 0);
    const double centre = found.centres[found.states[n] * 3];
    EXPECT_NEAR(centre, 20.0 * static_cast<double>(n / 10 % 3), 0.5);
  }
}

TEST(KMeans, IsAtAFixedPoint) {
  const Features features = clustered_rows(2500, 4, 3, 1.0, 2);
  const Clusters found = kmeans(features, 5, 2, ColumnUnits::own, run_with(3));
  std::vector<double> sums(5 * 4, 0.0);
  std::vector<double> counts(5, 0.0);
  for (std::size_t n = 0; n < features.rows(); ++n) {
    const auto distance = [&](std::size_t k) {
      double sum = 0.0;
      for (std::size_t d = 0; d < 4; ++d) sum += std::pow(features.row(n)[d] - found.centres[k * 4 + d], 2);
      return sum;
    };
    const std::size_t own = found.states[n];
    for (std::size_t k = 0; k < 5; ++k) EXPECT_LE(distance(own), distance(k) + 1e-12);
    counts[own] += 1.0;
    for (std::size_t d = 0; d < 4; ++d) sums[own * 4 + d] += features.row(n)[d];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(found.centres[i], sums[i] / counts[i / 4], 1e-10);
}

TEST(KMeans, DoesNotDependOnTheNumberOfThreads) {
  const Features features = clustered_rows(30'000, 4, 5, 2.0, 4);
  const Clusters one = kmeans(features, 5, 2, ColumnUnits::own, run_with(3));
  for (const unsigned threads : {2U, 4U}) {
    const Clusters more = kmeans(features, 5, 2, ColumnUnits::own, run_with(3, StartedThreads(threads)));
    EXPECT_EQ(more.states, one.states);
    EXPECT_EQ(more.centres, one.centres);
    EXPECT_EQ(more.inertia, one.inertia);
  }
}

TEST(KMeans, MoreStartsAreNeverWorse) {
  const Features features = clustered_rows(600, 2, 6, 1.5, 5);
  double before = kmeans(features, 6, 1, ColumnUnits::own, run_with(8)).inertia;
  for (const std::size_t starts : {2U, 4U, 8U}) {
    const double now = kmeans(features, 6, starts, ColumnUnits::own, run_with(8)).inertia;
    EXPECT_LE(now, before);
    before = now;
  }
}

TEST(KMeans, InDeviationsTheUnitsOfAColumnDoNotMatter) {
  Features features = clustered_rows(500, 2, 2, 3.0, 6);
  const std::vector<std::uint8_t> states = kmeans(features, 2, 3, ColumnUnits::deviations, run_with(1)).states;
  for (std::size_t i = 1; i < features.values.size(); i += 2) features.values[i] *= 1024.0;  // exactly
  EXPECT_EQ(kmeans(features, 2, 3, ColumnUnits::deviations, run_with(1)).states, states);
}

TEST(KMeans, WorksAtTheLimitsOfNumbers) {
  for (const double size : {1e150, 1e-150}) {
    Features features = clustered_rows(400, 2, 2, 10.0, 7);
    for (double& x : features.values) x *= size / 30.0;
    const Clusters found = kmeans(features, 2, 3, ColumnUnits::own, run_with(1));
    for (std::size_t n = 0; n < features.rows(); ++n) {
      EXPECT_EQ(found.states[n] == found.states[0], n % 2 == 0) << size;
    }
  }
}

TEST(KMeans, SaysWhenThereAreTooFewDistinctRows) {
  const Features features = features_of(2, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2});
  EXPECT_NEAR(kmeans(features, 2, 1, ColumnUnits::own, run_with(1)).inertia, 0.0, 1e-20);
  EXPECT_EQ(error_of([&] { kmeans(features, 3, 1, ColumnUnits::own, run_with(1)); }, ErrorKind::unanswerable),
            "there are only 2 distinct rows for 3 components; ask for fewer");
}

TEST(KMeans, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t dimensions : {1U, 3U, 6U}) {
    const Features features = clustered_rows(777, dimensions, 5, 2.0, 4);
    expect_same_bits_at_every_level([&] {
      const Clusters found = kmeans(features, 5, 2, ColumnUnits::own, run_with(3));
      return joined({{found.inertia}, found.centres, {found.states.begin(), found.states.end()}});
    });
  }
}

}  // namespace
}  // namespace motet::temporal::kmeans_test
