#include "motet/roles/sparse/grown_fit.h"

#include <gtest/gtest.h>

#include "motet/roles/role_record.h"
#include "roles/mine_cases.h"
#include "roles/model_cases.h"
#include "roles/sparse/sparse_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::grown_fit_test {
namespace {

constexpr SparsePlan forty{800, 300, 40, 10, 3, 0.05};

TEST(GrownFit, IsForMoreSetsThanCanBeListed) {
  const BitMatrix few(2, 10);
  MineOptions options;
  EXPECT_FALSE(is_grown(32, options, few));  // 5,489 sets of at most three
  EXPECT_TRUE(is_grown(34, options, few));   // 6,580
  options.max_roles_per_user = 2;
  EXPECT_FALSE(is_grown(109, options, few));
  EXPECT_TRUE(is_grown(110, options, few));
  options.method = RoleMethod::sac;
  EXPECT_FALSE(is_grown(5000, options, few));
}

// Equal columns count once.
TEST(GrownFit, IsForMorePermissionsThanCanBePaired) {
  EXPECT_FALSE(is_grown(3, {}, BitMatrix(40, 7000)));
  EXPECT_TRUE(is_grown(3, {}, random_bits(40, 7000, 0.5, Rng(Seed{1}))));
}

// Forty roles, three per user: more than two of them were never possible before.
TEST(GrownFit, UsersHaveAsManyRolesAsTheyMay) {
  const SparsePlanted planted = planted_sparse(forty, Seed{1});
  const RoleFit fit = mined(planted.access, 40);
  EXPECT_TRUE(fit.warnings.empty()) << fit.warnings.front();
  EXPECT_GE(exact_roles(fit.model, planted), 38U);
  EXPECT_LT(assignment_error(fit.model, fit.users, planted), 0.0005);
  ASSERT_TRUE(fit.model.grown);
  const RoleModel back = roles_from_record(to_record(fit.model));
  EXPECT_EQ(to_record(back), to_record(fit.model));
  const UserPosteriors again = user_posteriors(back, planted.access.held, {}, {});
  EXPECT_EQ(again.log_likelihood, fit.users.log_likelihood);
}

TEST(GrownFit, SameBytesOnAnyNumberOfThreads) {
  const SparsePlanted planted = planted_sparse({500, 200, 36, 8, 3, 0.05}, Seed{2});
  const RoleFit one = mined(planted.access, 36, {}, {}, with_threads({1}));
  StartedThreads threads(3);
  const RoleFit three = mined(planted.access, 36, {}, {}, with_threads(threads));
  EXPECT_EQ(to_record(one.model), to_record(three.model));
  EXPECT_EQ(one.log_likelihood, three.log_likelihood);
}

TEST(GrownFit, KeepsRolesAndPairsOfThemApart) {
  const SparsePlanted planted = planted_sparse({500, 200, 36, 8, 3, 0.02}, Seed{3});
  RoleConstraints constraints;
  constraints.keep_names = {"first", "second"};
  constraints.keep = BitMatrix(2, 200);
  for (std::size_t k = 0; k < 2; ++k) {
    for (const std::uint32_t d : planted.roles[k]) constraints.keep.set(k, d);
  }
  constraints.never_with_one_user = {{0, 1}};
  const std::uint32_t one = planted.roles[2][0];
  const std::uint32_t other = planted.roles[2][1];
  constraints.never_in_one_role = {{one, other}};
  const RoleFit fit = mined(planted.access, 34, {}, constraints);
  EXPECT_EQ(fit.model.roles[0], "first");
  EXPECT_TRUE(rounded_roles(fit.model).rows_of(std::vector<std::uint32_t>{0, 1}) == constraints.keep);
  for (std::size_t k = 0; k < fit.model.role_count(); ++k) {
    EXPECT_FALSE(fit.model.has(k, one) && fit.model.has(k, other)) << k;
  }
  for (std::size_t n = 0; n < fit.users.user_count(); ++n) {
    const auto set = fit.model.sets[fit.users.of(n).front().set];
    EXPECT_FALSE(set.size() > 1 && set[0] == 0 && set[1] == 1) << n;
  }
}

// Soft roles, noise of each permission and attributes are fitted with the sets that were found.
TEST(GrownFit, OtherNoiseUsesTheMostCommonSets) {
  const SparsePlanted planted = planted_sparse({400, 150, 36, 8, 2, 0.02}, Seed{4});
  MineOptions options;
  options.noise_scope = NoiseScope::permission;
  options.max_iterations = 5;
  const RoleFit fit = mined(planted.access, 36, options);
  EXPECT_FALSE(fit.model.grown);
  EXPECT_EQ(fit.model.p0.size(), 150U);
  EXPECT_LE(fit.model.sets.size(), 6000U);
  EXPECT_GE(exact_roles(fit.model, planted), 32U);
}

TEST(GrownFit, MostCommonSetsComeFirstAndTellWhatIsLeftOut) {
  RoleModel model = hard_model(bits_of({"110", "011"}), 2, 0.1, 0.9);
  model.set_share = {0.1, 0.2, 0.3, 0.4};
  const CommonSets all = most_common_sets(model, 10);
  EXPECT_EQ(all.sets, model.sets);
  EXPECT_NEAR(all.left_out, 0.0, 1e-12);
  const CommonSets three = most_common_sets(model, 3);
  EXPECT_EQ(three.sets.size(), 3U);
  EXPECT_NEAR(three.left_out, 0.4, 1e-12);
  EXPECT_NEAR(three.share[2], 0.5, 1e-9);
}

TEST(GrownFit, SetsThatAreNotListedAreNotAllAlike) {
  const SparsePlanted planted = planted_sparse(forty, Seed{1});
  EXPECT_EQ(
      error_of([&] { mined(planted.access, 40, {.set_shares = SetShares::uniform}); }, ErrorKind::usage),
      "--set-shares uniform: there are too many sets of roles to be listed; ask for fewer roles, or for fewer per "
      "user");
}

TEST(GrownFit, MoreRolesThanUsersDifferAreRefused) {
  const SparsePlanted planted = planted_sparse({40, 100, 10, 8, 2, 0.0}, Seed{5});
  EXPECT_NE(error_of([&] { mined(planted.access, 60); }, ErrorKind::unanswerable).find("--roles 60 is more than the "),
            std::string::npos);
}

TEST(GrownFitSlow, SixtyRolesOfFiveThousandUsers) {
  const SparsePlanted planted = planted_sparse({5000, 2000, 60, 15, 3, 0.05}, Seed{6});
  const RoleFit fit = mined(planted.access, 60);
  EXPECT_GE(exact_roles(fit.model, planted), 57U);
  EXPECT_LT(assignment_error(fit.model, fit.users, planted), 0.0005);
  // Half of the roles in every permission several times: associations alone find none of them.
  const SparsePlanted dense = planted_sparse({3000, 250, 40, 38, 3, 0.05}, Seed{7});
  const RoleFit overlapping = mined(dense.access, 40);
  EXPECT_GE(exact_roles(overlapping.model, dense), 38U);
  EXPECT_LT(assignment_error(overlapping.model, overlapping.users, dense), 0.0005);
}

}  // namespace
}  // namespace motet::roles::grown_fit_test
