#include "motet/roles/outliers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/bits.h"
#include "roles/model_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::outliers_test {
namespace {

// Three roles of ten permissions each, ten of nobody.
RoleModel three_roles() {
  BitMatrix roles(3, 40);
  for (std::size_t d = 0; d < 30; ++d) roles.set(d / 10, d);
  return hard_model(roles, 2, 0.02, 0.95);
}

UserEstimates estimated(const RoleModel& model, const BitMatrix& held, const OutlierOptions& options = {},
                        const RunContext& run = {}) {
  const UserPosteriors users = user_posteriors(model, held, {}, run);
  return estimate_users(model, held, users, most_probable_roles(model, users), nullptr, options, run);
}

// Uniform p-values: of 4000 users a share x has p <= x, within four standard deviations.
TEST(RoleOutliers, PValuesOfUsersOfTheModelAreUniform) {
  const RoleModel model = three_roles();
  Rng rng(Seed{5});
  const BitMatrix held = draw_users(model, 4000, rng).held;
  const UserEstimates found = estimated(model, held);
  EXPECT_GE(found.drawn, 1000U);
  for (const double x : {0.01, 0.1, 0.5}) {
    const auto below = std::count_if(found.users.begin(), found.users.end(),
                                     [&](const UserEstimate& one) { return one.p_value <= x; });
    // The drawn users have a lot of their own.
    const double users = 1.0 / (1.0 / 4000.0 + 1.0 / static_cast<double>(found.drawn));
    EXPECT_NEAR(static_cast<double>(below) / 4000.0, x, 4.0 * std::sqrt(x * (1.0 - x) / users)) << x;
  }
  EXPECT_NEAR(found.expected_outliers, 4.0, 1e-12);
  EXPECT_LE(found.outliers, 16U);
}

TEST(RoleOutliers, AUserOfNoRoleIsOneAndIsToldWithTheNoise) {
  const RoleModel model = three_roles();
  Rng rng(Seed{6});
  BitMatrix held = draw_users(model, 200, rng).held;
  for (std::size_t d = 0; d < 40; ++d) held.set(7, d, d % 4 == 0);
  const UserEstimates found = estimated(model, held);
  const UserEstimate& strange = found.users[7];
  EXPECT_TRUE(strange.is_outlier);
  EXPECT_LE(strange.p_value, 0.001);
  EXPECT_EQ(strange.extra + strange.missing, static_cast<std::uint32_t>(std::llround(strange.noise * 40.0)));
  EXPECT_GT(strange.noise, 0.2);
  EXPECT_GE(found.outliers, 1U);
}

TEST(RoleOutliers, NoiseIsCountedAgainstTheMostProbableSet) {
  const RoleModel model = hard_model(bits_of({"11110000", "00001111"}), 1, 0.01, 0.99);
  const UserEstimates found = estimated(model, bits_of({"11110000", "11101000", "00001111"}));
  EXPECT_EQ(found.users[0].noise, 0.0);
  EXPECT_EQ(found.users[1].extra, 1U);
  EXPECT_EQ(found.users[1].missing, 1U);
  EXPECT_EQ(found.users[1].noise, 0.25);
}

TEST(RoleOutliers, AUserBetweenTwoRolesIsDoubtful) {
  const RoleModel model = hard_model(bits_of({"11110000", "00001111"}), 1, 0.05, 0.95);
  const BitMatrix held = bits_of({"11110000", "11001100"});
  const UserEstimates found = estimated(model, held, {.reject_below = 0.6});
  EXPECT_FALSE(found.users[0].is_doubtful);
  EXPECT_TRUE(found.users[1].is_doubtful);
  EXPECT_EQ(found.doubtful, 1U);
}

TEST(RoleOutliers, WithUnknownCellsThereAreNoPValues) {
  const RoleModel model = hard_model(bits_of({"11110000", "00001111"}), 1, 0.05, 0.95);
  const BitMatrix held = bits_of({"11000000"});
  const BitMatrix known = bits_of({"11000001"});
  const UserPosteriors partly = user_posteriors(model, held, {&known, nullptr}, {});
  const UserEstimates found = estimate_users(model, held, partly, most_probable_roles(model, partly), &known, {}, {});
  EXPECT_TRUE(std::isnan(found.users[0].p_value));
  EXPECT_FALSE(found.users[0].is_outlier);
  EXPECT_EQ(found.drawn, 0U);
  EXPECT_EQ(found.users[0].missing, 0U);  // of the known cells alone
}

// Beta(3, 57) has mean 0.05, Beta(18, 2) 0.9.
TEST(RoleOutliers, UsersOfUserWiseNoiseHaveLevelsOfTheirOwn) {
  RoleModel model = three_roles();
  model.scope = NoiseScope::user;
  model.user_noise = {3.0, 57.0, 18.0, 2.0};
  std::fill(model.set_share.begin(), model.set_share.end(), 0.0);
  model.set_share[1] = 1.0;
  const BitMatrix held = draw_model_users(model, 4000, {});
  double granted = 0.0;
  double other = 0.0;
  std::vector<double> of_user;
  for (std::size_t n = 0; n < held.rows(); ++n) {
    double here = 0.0;
    for (std::size_t d = 0; d < 40; ++d) (d < 10 ? here : other) += held(n, d) ? 1.0 : 0.0;
    granted += here;
    of_user.push_back(here / 10.0);
  }
  // Of 4000 users; a user's level has a standard deviation of 0.065, of the other 0.028, and cells add to it.
  EXPECT_NEAR(granted / 40000.0, 0.9, 4.0 * std::sqrt((0.0043 + 0.009) / 4000.0));
  EXPECT_NEAR(other / 120000.0, 0.05, 4.0 * std::sqrt((0.0008 + 0.0016) / 4000.0));
  double spread = 0.0;
  for (const double level : of_user) spread += (level - 0.9) * (level - 0.9) / 4000.0;
  EXPECT_GT(spread, 0.011);  // with one level for all it would be 0.009
}

TEST(RoleOutliers, TheSameOnAnyNumberOfThreads) {
  const RoleModel model = three_roles();
  Rng rng(Seed{6});
  const BitMatrix held = draw_users(model, 300, rng).held;
  RunContext one;
  one.threads.count = 1;
  RunContext four;
  StartedThreads started(4);
  four.threads = started;
  const UserEstimates a = estimated(model, held, {}, one);
  const UserEstimates b = estimated(model, held, {}, four);
  for (std::size_t n = 0; n < 300; ++n) EXPECT_EQ(a.users[n].p_value, b.users[n].p_value);
}

TEST(RoleOutliers, LevelsOutOfRangeAreRefused) {
  const RoleModel model = three_roles();
  EXPECT_EQ(error_of([&] { estimated(model, BitMatrix(1, 40), {.outlier_level = 0.7}); }, ErrorKind::usage),
            "--outlier-level 0.7 is outside [0, 0.5]");
}

}  // namespace
}  // namespace motet::roles::outliers_test
