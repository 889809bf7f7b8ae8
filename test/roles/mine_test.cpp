#include "motet/roles/mine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/numeric.h"
#include "motet/roles/catalogue/copies.h"
#include "motet/roles/cover/held_starts.h"
#include "motet/roles/mac/mac_fit.h"
#include "motet/roles/role_record.h"
#include "roles/mine_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::mine_test {
namespace {

TEST(MineRoles, FindsTheRolesOfCleanData) {
  const RoleFit fit = mined(clean_access(), 2);
  EXPECT_EQ(role_error(rounded_roles(fit.model), bits_of({"111000", "000111"})), 0.0);
  EXPECT_EQ(fit.training_error, 0.0);
  EXPECT_EQ(fit.coverage, 1.0);
  EXPECT_TRUE(fit.exceptions.empty());
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  ASSERT_EQ(fit.roles.size(), 2U);
  for (const RoleEstimate& role : fit.roles) {
    EXPECT_EQ(role.members, 20U);
    EXPECT_NEAR(role.expected, 20.0, 0.5);
    EXPECT_GT(role.confidence, 0.99);
  }
  EXPECT_EQ(fit.free_energy, -fit.log_likelihood);
  EXPECT_TRUE(std::isnan(fit.capacity_bits));
  EXPECT_LT(fit.winning_start, fit.starts.size());
  EXPECT_TRUE(fit.warnings.empty()) << fit.warnings[0];
}

TEST(MineRoles, GivesTheSameBitsOnAnyNumberOfThreads) {
  const PlantedAccess planted = chapter9(Chapter9Sources::overlapping, 0.3, 0.5, 5, 20);
  const RoleFit one = mined(planted.access, 3, two_a_user(), {}, with_threads({1}));
  for (const unsigned threads : {2U, 4U}) {
    const RoleFit other = mined(planted.access, 3, two_a_user(), {}, with_threads(StartedThreads(threads)));
    EXPECT_EQ(to_record(other.model), to_record(one.model));
    EXPECT_EQ(other.users.log_likelihood, one.users.log_likelihood);
    EXPECT_EQ(other.summary.objective, one.summary.objective);
  }
}

TEST(MineRoles, KeptRolesStayAsTheyAreAndComeFirst) {
  // Permissions 0, 1 and 2 are held alike, but the kept role grants only the first two.
  RoleConstraints constraints;
  constraints.keep_names = {"entrance"};
  constraints.keep = bits_of({"110000"});
  const RoleFit fit = mined(clean_access(), 2, {}, constraints);
  ASSERT_EQ(fit.model.role_count(), 3U);
  EXPECT_EQ(fit.model.roles[0], "entrance");
  EXPECT_EQ(rounded_roles(fit.model).rows_of(std::vector{0U}), constraints.keep);
  EXPECT_EQ(fit.model.frozen, (std::vector<std::uint8_t>{1, 0, 0}));
  EXPECT_EQ(fit.training_error, 0.0);
}

TEST(MineRoles, KeptRolesOnly) {
  RoleConstraints constraints;
  constraints.keep_names = {"left", "right"};
  constraints.keep = bits_of({"111000", "000111"});
  const RoleFit fit = mined(clean_access(), 0, {}, constraints);
  EXPECT_EQ(rounded_roles(fit.model), constraints.keep);
  EXPECT_EQ(fit.training_error, 0.0);
}

TEST(MineRoles, RolesThatMustNotShareAUserDoNot) {
  RoleConstraints constraints;
  constraints.keep_names = {"left", "right"};
  constraints.keep = bits_of({"111000", "000111"});
  constraints.never_with_one_user = {{0, 1}};
  const RoleFit fit = mined(clean_access(), 1, {}, constraints);
  const BitMatrix assigned = most_probable_roles(fit.model, fit.users);
  for (std::size_t n = 0; n < assigned.rows(); ++n) EXPECT_FALSE(assigned(n, 0) && assigned(n, 1));
  EXPECT_EQ(rounded_roles(fit.model).rows_of(std::vector{0U, 1U}), constraints.keep);
  // No third role stands in for both: of ten users who hold both, three permissions each stay individual.
  EXPECT_NEAR(fit.training_error, 30.0 / 180.0, 1e-12);
}

TEST(MineRoles, RolesThatMustNotShareAUserDoNotForAnyPrice) {
  RoleConstraints constraints;
  constraints.keep_names = {"left", "right"};
  constraints.keep = bits_of({"111000", "000111"});
  constraints.never_with_one_user = {{0, 1}};
  for (const char* price : {"1", "never"}) {
    MineOptions options;
    options.over_grant_cost = price;
    const RoleFit fit = mined(clean_access(), 1, options, constraints);
    for (std::size_t n = 0; n < fit.told.rows(); ++n) EXPECT_FALSE(fit.told(n, 0) && fit.told(n, 1));
    EXPECT_EQ(rounded_roles(fit.model).rows_of(std::vector{0U, 1U}), constraints.keep);
    EXPECT_EQ(fit.training_error, 0.0);
    EXPECT_EQ(fit.model.frozen, (std::vector<std::uint8_t>{1, 1, 0}));
  }
}

// Of as many roles, cover/coverage_curve.h chooses those that cover most.
TEST(MineRoles, WithoutOverGrantsNoLessIsCoveredThanByAnExactCover) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const std::size_t roles : {3U, 6U}) {
      const Access access = chapter9(Chapter9Sources::overlapping, 0.1, 0.5, seed, 10).access;
      MineOptions options;
      options.max_roles_per_user = 6;
      options.over_grant_cost = "never";
      const RoleFit fit = mined(access, roles, options);
      for (const FoundException& exception : fit.exceptions) EXPECT_EQ(exception.kind, ExceptionKind::extra);
      const PriceRules rules{.price = infinity, .most_roles = 6};
      for (const Factorization& start : held_starts(access.held, BitMatrix(0, 24), roles, rules, {})) {
        EXPECT_LE(static_cast<double>(fit.exceptions.size()), cost_of_roles(access.held, start, infinity)) << seed;
      }
    }
  }
}

TEST(MineRoles, TheRolesOfAssoAreKeptWhereNothingIsBetter) {
  EXPECT_TRUE(mined(clean_access(), 2).keeps_association);
  EXPECT_FALSE(mined(chapter9(Chapter9Sources::overlapping, 0.6, 0.5, 1, 10).access, 3).keeps_association);
}

// A small problem also has every cell of its roles turned, which must respect the pairs.
TEST(MineRoles, PermissionsThatMustNotShareARoleDoNot) {
  RoleConstraints constraints;
  constraints.never_in_one_role = {{0, 1}, {4, 5}};
  for (const std::size_t roles : {2U, 3U}) {
    const RoleFit fit = mined(clean_access(), roles, {}, constraints);
    const BitMatrix found = rounded_roles(fit.model);
    for (std::size_t k = 0; k < found.rows(); ++k) {
      EXPECT_FALSE(found(k, 0) && found(k, 1));
      EXPECT_FALSE(found(k, 4) && found(k, 5));
    }
  }
}

TEST(MineRolesSlow, EveryNoiseAndScopeFits) {
  const PlantedAccess planted = chapter9(Chapter9Sources::orthogonal, 0.1, 0.5, 3, 15);
  for (const RoleNoise noise : {RoleNoise::mixture, RoleNoise::none, RoleNoise::flip, RoleNoise::symmetric_flip}) {
    for (const NoiseScope scope : {NoiseScope::global, NoiseScope::permission, NoiseScope::user}) {
      if (scope == NoiseScope::user && (noise == RoleNoise::none || noise == RoleNoise::symmetric_flip)) continue;
      MineOptions options = two_a_user();
      options.noise = noise;
      options.noise_scope = scope;
      options.centroids = Centroids::rounded;
      const RoleFit fit = mined(planted.access, 3, options);
      SCOPED_TRACE(static_cast<int>(noise) * 10 + static_cast<int>(scope));
      EXPECT_NE(fit.summary.stop, Stop::objective_fell);
      EXPECT_EQ(fit.model.noise, noise);
      EXPECT_EQ(fit.model.scope, scope);
      EXPECT_LT(role_error(rounded_roles(fit.model), planted.roles), 0.05);
      EXPECT_EQ(fit.model.p0.size(), scope == NoiseScope::permission ? 24U : 1U);
      EXPECT_EQ(std::isnan(fit.noise_fraction.low), noise == RoleNoise::none || scope != NoiseScope::global);
    }
  }
}

TEST(MineRolesSlow, EveryMethodGivesAModel) {
  const PlantedAccess planted = chapter9(Chapter9Sources::orthogonal, 0.05, 0.5, 4, 15);
  for (const RoleMethod method :
       {RoleMethod::mac, RoleMethod::sac, RoleMethod::asso, RoleMethod::dbps, RoleMethod::bica, RoleMethod::ino}) {
    MineOptions options = two_a_user();
    options.method = method;
    const RoleFit fit = mined(planted.access, 3, options);
    EXPECT_EQ(fit.model.method, method);
    EXPECT_EQ(fit.users.user_count(), planted.access.user_count());
    EXPECT_EQ(fit.model.roles.size(), fit.roles.size());
    EXPECT_GT(fit.coverage, 0.5) << static_cast<int>(method);
    EXPECT_TRUE(std::isfinite(fit.log_likelihood));
    if (method == RoleMethod::sac) {
      for (std::size_t l = 0; l < fit.model.sets.size(); ++l) EXPECT_LE(fit.model.sets[l].size(), 1U);
    }
  }
}

TEST(MineRoles, StartsFromAPreviousModelAndKeepsItsNames) {
  const PlantedAccess planted = chapter9(Chapter9Sources::overlapping, 0.2, 0.5, 6);
  RoleFit before = mined(planted.access, 3, two_a_user());
  before.model.roles = {"anton", "berta", "caesar"};
  const RoleFit again = mine_roles({&planted.access, nullptr, &before.model}, 3, two_a_user(), {}, {});
  std::vector<std::string> names = again.model.roles;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"anton", "berta", "caesar"}));
  EXPECT_TRUE(std::any_of(again.starts.begin(), again.starts.end(),
                          [](const StartTrial& start) { return start.name == "previous model"; }));
}

TEST(MineRoles, AttributesTellTheRolesOfThoseWhoHoldNothingYet) {
  SimulateAccessOptions wanted{.users = 300, .permissions = 30, .roles = 4, .attribute_values = 3, .coupling = 1.0};
  const PlantedAccess planted = simulate_access(wanted, Rng(Seed{8}));
  ASSERT_TRUE(planted.attributes);
  const RoleFit with = mine_roles({&planted.access, &*planted.attributes, nullptr}, 4, two_a_user(), {}, {});
  const RoleFit without = mined(planted.access, 4, two_a_user());
  ASSERT_TRUE(with.model.attributes);
  EXPECT_NE(with.summary.stop, Stop::objective_fell);
  EXPECT_GT(with.log_likelihood, without.log_likelihood + 50.0);  // 300 users, each a part of a nat at least
  EXPECT_GT(with.model.attributes->share[1], 0.5);
}

TEST(MineRoles, QuestionsWithoutAnswerAreRefused) {
  EXPECT_EQ(error_of([] { mined(Access{}, 2); }, ErrorKind::unanswerable),
            "there are no users with permissions; nothing can be mined");
  EXPECT_EQ(error_of([] { mined(named(BitMatrix(3, 4)), 1); }, ErrorKind::unanswerable),
            "nobody holds anything; there are no roles to find");
  EXPECT_EQ(error_of([] { mined(clean_access(), 4); }, ErrorKind::unanswerable),
            "--roles 4 is more than the 3 distinct users; ask for at most 3");
}

TEST(MineRoles, CombinationsNoFitExistsForAreRefused) {
  MineOptions options{.centroids = Centroids::soft};
  RoleConstraints constraints;
  constraints.never_in_one_role = {{0, 3}};
  EXPECT_EQ(error_of([&] { mined(clean_access(), 2, options, constraints); }, ErrorKind::usage),
            "--centroids soft does not work with permissions that must never share a role; use best or rounded");
  options.noise_scope = NoiseScope::user;
  EXPECT_EQ(error_of([&] { mined(clean_access(), 2, options); }, ErrorKind::usage),
            "--centroids soft does not work with --noise-scope user; use best or rounded");
  options.centroids = Centroids::best;
  options.noise = RoleNoise::symmetric_flip;
  EXPECT_EQ(error_of([&] { mined(clean_access(), 2, options); }, ErrorKind::usage),
            "--noise-scope user works with --noise mixture or flip only");
  options = {.set_shares = SetShares::uniform};
  Attributes attributes;
  const Access access = clean_access();
  EXPECT_EQ(error_of(
                [&] {
                  mine_roles({&access, &attributes, nullptr}, 2, options, {}, {});
                },
                ErrorKind::usage),
            "--set-shares uniform does not work with --attributes, which say how common sets are");
  options = {};
  options.method = RoleMethod::asso;
  EXPECT_EQ(error_of([&] { mined(clean_access(), 2, options, constraints); }, ErrorKind::usage),
            "constraints and kept roles work with --method mac or sac only");
}

TEST(MineRoles, WarnsOfWhatTheDataDoNotSupport) {
  RoleConstraints constraints;
  constraints.keep_names = {"left", "links"};
  constraints.keep = bits_of({"111000", "111000"});
  const RoleFit fit = mined(clean_access(), 1, {}, constraints);
  const auto warned = [&](const std::string& text) {
    return std::find(fit.warnings.begin(), fit.warnings.end(), text) != fit.warnings.end();
  };
  EXPECT_TRUE(warned("kept roles 'left' and 'links' have the same permissions: nothing tells them apart"));
  EXPECT_TRUE(warned("roles 'left' and 'links' have the same permissions: the data may support fewer roles"));
  MineOptions options{.max_iterations = 1};
  const RoleFit hasty = mined(chapter9(Chapter9Sources::overlapping, 0.3, 0.5, 1, 10).access, 3, options);
  EXPECT_EQ(hasty.warnings.back(), "not converged after 1 iteration; raise --max-iterations");
}

TEST(MineRolesSlow, EndsCleanlyWhereverItIsCancelled) {
  const PlantedAccess planted = chapter9(Chapter9Sources::overlapping, 0.4, 0.5, 2, 20);
  for (const char* stage : {"searching for roles", "fitting", "assigning users"}) {
    CancelFlag flag;
    RunContext run;
    run.cancel = &flag;
    run.observer = [&](const Progress& progress) {
      if (progress.stage == stage) flag.set(2);
    };
    EXPECT_EQ(error_of([&] { mined(planted.access, 3, two_a_user(), {}, run); }, ErrorKind::interrupted), "interrupted")
        << stage;
  }
}

// Kept in memory as the checkpoint file keeps it: the last stage alone.
TEST(MineRolesSlow, TakenUpAgainEndsWhereItWouldHaveEnded) {
  SimulateAccessOptions wanted{.permissions = 30, .roles = 4, .noise_fraction = 0.3, .attribute_values = 3};
  const PlantedAccess planted = simulate_access(wanted, Rng(Seed{9}));
  for (const bool with_attributes : {false, true}) {
    const MineData data{&planted.access, with_attributes ? &*planted.attributes : nullptr, nullptr};
    MineOptions options = two_a_user();
    options.centroids = Centroids::soft;  // many steps
    options.max_iterations = 40;
    const RoleFit whole = mine_roles(data, 4, options, {}, {});
    std::vector<Checkpoint> saved;
    RunContext saving;
    saving.save = [&](const Checkpoint& state) { saved.push_back(state); };
    mine_roles(data, 4, options, {}, saving);
    ASSERT_GT(saved.size(), 6U);
    for (const std::size_t at : {saved.size() / 3, saved.size() - 2}) {
      RunContext resumed;
      resumed.resume = [&](std::string_view stage) { return saved[at].stage == stage ? &saved[at] : nullptr; };
      const RoleFit rest = mine_roles(data, 4, options, {}, resumed);
      EXPECT_EQ(to_record(rest.model), to_record(whole.model)) << at << " of " << saved.size();
      EXPECT_EQ(rest.summary.objective, whole.summary.objective);
    }
  }
}

// Ten users hold what A grants, ten what B grants, and thirty both. A new role would stand in for the one that a user
// may not have.
TEST(MineRoles, NewRolesThatCopyAKeptOneAreKeptApartToo) {
  std::vector<std::string_view> rows;
  rows.insert(rows.end(), 10, "11110000");
  rows.insert(rows.end(), 10, "00001111");
  rows.insert(rows.end(), 30, "11111111");
  const Access access = named(bits_of(rows));
  RoleConstraints constraints;
  constraints.keep_names = {"A", "B"};
  constraints.keep = bits_of({"11110000", "00001111"});
  constraints.never_with_one_user = {{0, 1}};
  for (const std::size_t roles : {1U, 2U}) {
    for (const Centroids centroids : {Centroids::best, Centroids::rounded}) {
      MineOptions options;
      options.centroids = centroids;
      const RoleFit fit = mined(access, roles, options, constraints);
      const BitMatrix found = rounded_roles(fit.model);
      EXPECT_TRUE(permissions_to_part(found, 2, constraints.never_with_one_user).empty());
      const RolePairs apart = pairs_with_copies(found, 2, constraints.never_with_one_user);
      const BitMatrix assignments = most_probable_roles(fit.model, fit.users);
      for (std::size_t n = 0; n < assignments.rows(); ++n) {
        for (const auto& [a, b] : apart) EXPECT_FALSE(assignments(n, a) && assignments(n, b)) << n;
      }
    }
  }
}

TEST(MineRoles, ANewRoleOfBothOfAPairNeedsRoundedCentroids) {
  std::vector<std::string_view> rows(30, "1111");
  rows.emplace_back("0000");
  const Access access = named(bits_of(rows));
  RoleConstraints constraints;
  constraints.keep_names = {"A", "B"};
  constraints.keep = bits_of({"1100", "0011"});
  constraints.never_with_one_user = {{0, 1}};
  MineOptions options;
  options.centroids = Centroids::soft;
  EXPECT_EQ(error_of([&] { mined(access, 1, options, constraints); }, ErrorKind::usage),
            "--centroids soft: a new role grants what both kept roles of a pair that must never share a user grant; "
            "use best or rounded");
}

}  // namespace
}  // namespace motet::roles::mine_test
