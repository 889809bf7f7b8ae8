#include "motet/discover/published_seed.h"

#include <gtest/gtest.h>

#include "discover/search_cases.h"

namespace motet::discover::published_seed_test {
namespace {

using temporal::MixtureCovariance;

constexpr double exact = 1e-12;  // sums of a few numbers of size 1

TEST(PublishedSeed, IsMeanAndCovarianceOfTheRows) {
  const Features features = features_of({0.0, 0.0, 2.0, 0.0, 0.0, 2.0, 2.0, 2.0, 50.0, -50.0}, 2);
  const auto global = temporal::global_shape(features, 1e-9, {});
  const std::size_t rows[] = {0, 1, 2, 3};
  const temporal::Component seed = published_seed(features, rows, global, MixtureCovariance::full);
  EXPECT_NEAR(seed.mean[0], 1.0, exact);
  EXPECT_NEAR(seed.mean[1], 1.0, exact);
  EXPECT_NEAR(seed.covariance[0], 1.0, exact);  // divided by h + 1 = 4, not by 3
  EXPECT_NEAR(seed.covariance[1], 0.0, exact);
  EXPECT_NEAR(seed.covariance[3], 1.0, exact);
}

TEST(PublishedSeed, OfTooFewOrEqualRowsIsTheRowWithASmallCopyOfTheWhole) {
  const Features features = features_of({0.0, 0.0, 2.0, 1.0, 0.0, 2.0, 5.0, 3.0, 0.0, 0.0, 0.0, 0.0}, 2);
  const auto global = temporal::global_shape(features, 1e-9, {});
  const std::size_t few[] = {1, 2};
  const std::size_t equal[] = {0, 4, 5};
  const std::size_t on_a_line[] = {0, 2, 4};
  for (const auto& rows : {std::span<const std::size_t>(few), std::span<const std::size_t>(equal),
                           std::span<const std::size_t>(on_a_line)}) {
    const temporal::Component seed = published_seed(features, rows, global, MixtureCovariance::full);
    EXPECT_EQ(seed.mean[0], features.row(rows[0])[0]);
    EXPECT_EQ(seed.mean[1], features.row(rows[0])[1]);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(seed.covariance[i], global.covariance[i] / 16.0, exact);
  }
}

TEST(PublishedSeed, IsDiagonalWhereTheModelIs) {
  const Features features = features_of({0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.5}, 2);
  const auto global = temporal::global_shape(features, 1e-9, {});
  const std::size_t rows[] = {0, 1, 2};
  const temporal::Component seed = published_seed(features, rows, global, MixtureCovariance::diagonal);
  EXPECT_NEAR(seed.covariance[0], 2.0 / 3.0, exact);
  EXPECT_EQ(seed.covariance[1], 0.0);
  EXPECT_NEAR(seed.covariance[3], 2.0 / 3.0, exact);
}

}  // namespace
}  // namespace motet::discover::published_seed_test
