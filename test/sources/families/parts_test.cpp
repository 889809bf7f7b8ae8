#include "motet/sources/families/parts.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/digamma.hpp>

#include "support/errors.h"

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
  EXPECT_TRUE(whole_values.are_all(std::span(counts)));
  EXPECT_FALSE(whole_values.are_all(std::span(others)));
  EXPECT_FALSE(whole_values.are_all(std::span(infinite)));
  EXPECT_FALSE(positive_values.are_all(std::span(counts)));
  EXPECT_FALSE(positive_values.are_all(std::span(infinite)));
  EXPECT_TRUE(positive_values.are_all(std::span(others).subspan(1)));
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
  PooledFeature feature{.feature = 2};
  EXPECT_EQ(error_of([&] { require_some(feature); }, ErrorKind::unanswerable),
            "feature 3 is always 0, for which no rate is largest");
}

}  // namespace
}  // namespace motet::parts_test
