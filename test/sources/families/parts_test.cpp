#include "motet/sources/families/parts.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/digamma.hpp>

#include "motet/base/error.h"

namespace motet::parts_test {
namespace {

TEST(FamilyParts, TheInverseOfDigammaGivesItsArgumentBack) {
  for (const double x : {1e-6, 0.01, 0.5, 1.0, 3.0, 250.0, 1e6}) {
    EXPECT_NEAR(inverse_digamma(boost::math::digamma(x)) / x, 1.0, 1e-9) << x;  // digamma is flat at 1e6
  }
}

TEST(FamilyParts, TailsGoOnWhereTheyAreNoDoubles) {
  EXPECT_NEAR(log_upper_gamma(1.0, 3.0), -3.0, 1e-14);  // exponential
  EXPECT_NEAR(log_upper_gamma(1.0, 2000.0), -2000.0, 1e-9);
  EXPECT_EQ(log_upper_gamma(2.0, 0.0), 0.0);
  EXPECT_NEAR(log_lower_gamma(1.0, 0.5), std::log(-std::expm1(-0.5)), 1e-14);
  EXPECT_TRUE(std::isfinite(log_lower_gamma(400.0, 1e-3)));
}

TEST(FamilyParts, CountsAndPositiveNumbersAreTold) {
  const double counts[] = {0.0, 3.0, 1e6};
  const double others[] = {0.0, 2.5};
  const double infinite[] = {1.0, infinity};
  EXPECT_TRUE(are_counts(counts));
  EXPECT_FALSE(are_counts(others));
  EXPECT_FALSE(are_counts(infinite));
  EXPECT_FALSE(are_positive(counts));
  EXPECT_FALSE(are_positive(infinite));
  EXPECT_TRUE(are_positive(std::span(others).subspan(1)));
  EXPECT_EQ(as_count(3.0 + 1e-12), 3.0);
  EXPECT_EQ(as_count(3.1), -1.0);
  EXPECT_EQ(as_count(-1.0), -1.0);
}

TEST(FamilyParts, FactorialsOfFewAndManyAreSummed) {
  const double x[] = {0.0, 3.0, 300.0};
  EXPECT_NEAR(minus_log_factorials(x, 1, Rows::all(3)), -std::log(6.0) - std::lgamma(301.0), 1e-9);
  const std::vector<std::uint32_t> second{1};
  EXPECT_NEAR(minus_log_factorials(x, 1, second), -std::log(6.0), 1e-12);
}

TEST(FamilyParts, AFeatureOfZerosIsRefusedByItsNumber) {
  PooledFeature feature;
  feature.feature = 2;
  try {
    require_some(feature);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unanswerable);
    EXPECT_STREQ(error.what(), "feature 3 is always 0, for which no rate is largest");
  }
}

}  // namespace
}  // namespace motet::parts_test
