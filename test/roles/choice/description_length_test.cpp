#include "motet/roles/choice/description_length.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/bits.h"
#include "roles/model_cases.h"

namespace motet::roles::description_length_test {
namespace {

constexpr double rounding = 1e-9;  // relative, of sums of logarithms

// Sum over all ways to deal n users to three outcomes of n! / prod h! prod (h / n)^h.
double complexity_of_three(std::size_t users) {
  const auto n = static_cast<double>(users);
  double sum = 0.0;
  for (std::size_t a = 0; a <= users; ++a) {
    for (std::size_t b = 0; a + b <= users; ++b) {
      double term = std::lgamma(n + 1.0);
      for (const std::size_t h : {a, b, users - a - b}) {
        const auto x = static_cast<double>(h);
        term += (h > 0 ? x * std::log(x / n) : 0.0) - std::lgamma(x + 1.0);
      }
      sum += std::exp(term);
    }
  }
  return std::log(sum);
}

TEST(DescriptionLength, TheComplexityOfSharesIsThatOfAllWaysToDealUsersOut) {
  for (const std::size_t users : {1U, 5U, 40U}) {
    EXPECT_NEAR(multinomial_complexity(3, users), complexity_of_three(users), rounding) << users;
  }
  EXPECT_EQ(multinomial_complexity(1, 100), 0.0);
  EXPECT_EQ(multinomial_complexity(0, 100), 0.0);
  // Of one user: any of the outcomes, with certainty.
  EXPECT_NEAR(multinomial_complexity(7, 1), std::log(7.0), rounding);
}

TEST(DescriptionLength, TheComplexityOfManyUsersGoesOnWhereTheSumEnds) {
  constexpr double allowed = 1e-3;  // 2/3 is the next term of an expansion in 1 / root of the users
  EXPECT_NEAR(multinomial_complexity(2, 1001) - multinomial_complexity(2, 1000), 0.5 * std::log(1001.0 / 1000.0),
              allowed);
}

TEST(DescriptionLength, ChoicesAreBinomialCoefficients) {
  EXPECT_NEAR(log_choices(10, 3), std::log(120.0), rounding);
  EXPECT_EQ(log_choices(10, 0), 0.0);
  EXPECT_EQ(log_choices(10, 10), 0.0);
}

// Two roles of 3 and 2 of 6 permissions, of which two are alike in the data.
TEST(DescriptionLength, PricesRolesSetsAndSharesByWhatItTakesToTellThem) {
  RoleModel model = hard_model(bits_of({"111000", "000110"}), 2, 0.01, 0.99);
  model.set_share = {0.0, 0.5, 0.25, 0.25};
  const BitMatrix held = bits_of({"111000", "111000", "000110", "111110"});
  const MergedMatrix merged = merge_equal(held);
  ASSERT_EQ(merged.bits.columns(), 3U);  // the third is nobody's
  const DescriptionLength length = description_length(model, merged, -12.5);
  EXPECT_EQ(length.users, 12.5);
  EXPECT_NEAR(length.roles, 2.0 * (std::log(4.0) + std::log(3.0)), rounding);
  EXPECT_NEAR(length.sets, std::log(4.0), rounding);  // three of four sets are in use
  EXPECT_NEAR(length.shares, complexity_of_three(4), rounding);
  EXPECT_NEAR(length.noise, std::log(4.0), rounding);
  EXPECT_NEAR(length.total(), 12.5 + length.roles + length.sets + length.shares + length.noise, rounding);
}

}  // namespace
}  // namespace motet::roles::description_length_test
