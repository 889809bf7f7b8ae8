#include "motet/roles/cover/cover_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/roles/role_record.h"
#include "roles/cover_cases.h"
#include "roles/planted_cases.h"
#include "support/cancelled.h"
#include "support/expect_error.h"

namespace motet::roles::cover_fit_test {
namespace {

Access named_access(const BitMatrix& held) {
  Access access;
  for (std::size_t n = 0; n < held.rows(); ++n) access.users.push_back("u" + std::to_string(n));
  for (std::size_t d = 0; d < held.columns(); ++d) access.permissions.push_back("p" + std::to_string(d));
  access.held = held;
  return access;
}

CoverFit covered(const Access& access, double errors = 0.0, const RunContext& run = {}) {
  return cover_roles({&access, nullptr, nullptr}, {CoverKind::exact, errors, 0.0}, run);
}

BitMatrix granted(const RoleFit& fit) {
  return boolean_product(most_probable_roles(fit.model, fit.users), rounded_roles(fit.model));
}

// What ROLES, ASSIGN and EXC say together.
BitMatrix with_exceptions(const RoleFit& fit) {
  BitMatrix cells = granted(fit);
  for (const FoundException& exception : fit.exceptions) {
    cells.set(exception.user, exception.permission, exception.kind == ExceptionKind::extra);
  }
  return cells;
}

TEST(CoverFit, IsWithoutErrorAndTellsIt) {
  const Access access = named_access(random_bits(60, 25, 0.3, Rng(Seed{1})));
  const CoverFit cover = covered(access);
  const RoleFit& fit = cover.fit;
  EXPECT_EQ(granted(fit), access.held);
  EXPECT_EQ(fit.training_error, 0.0);
  EXPECT_EQ(fit.coverage, 1.0);
  EXPECT_TRUE(fit.exceptions.empty());
  EXPECT_EQ(fit.model.method, RoleMethod::cover);
  EXPECT_EQ(fit.model.noise, RoleNoise::none);
  EXPECT_EQ(fit.model.role_count(), cover.exact_roles);
  EXPECT_EQ(fit.roles.size(), cover.exact_roles);
  EXPECT_EQ(cover.assignments, most_probable_roles(fit.model, fit.users).count());
}

TEST(CoverFit, RolesAreInTheOrderOfTheirMembersWithNamesOfTheirOwn) {
  const Access access = named_access(bits_of({"1100", "1100", "1111", "0011"}));
  const RoleFit fit = covered(access).fit;
  ASSERT_EQ(fit.model.role_count(), 2U);
  EXPECT_EQ(fit.roles[0].members, 3U);
  EXPECT_EQ(fit.roles[1].members, 2U);
  EXPECT_EQ(fit.roles[0].expected, 3.0);
  EXPECT_EQ(fit.model.roles, (std::vector<std::string>{"p0 +1", "p2 +1"}));
}

TEST(CoverFit, LikelihoodIsThatOfTheSetsOfRoles) {
  const Access access = named_access(bits_of({"10", "10", "01", "00"}));
  const RoleFit fit = covered(access).fit;
  EXPECT_DOUBLE_EQ(fit.log_likelihood, 2.0 * std::log(0.5) + 2.0 * std::log(0.25));
  const UserPosteriors users = user_posteriors(fit.model, access.held, {}, {});
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(users.log_likelihood[n], fit.users.log_likelihood[n], 1e-4);
  EXPECT_EQ(most_probable_roles(fit.model, users), most_probable_roles(fit.model, fit.users));
}

TEST(CoverFit, ErrorsAreHeldCellsWithoutARoleAndNotMoreThanAllowed) {
  for (std::uint64_t number = 1; number <= 30; ++number) {
    const Access access = named_access(random_bits(40, 20, 0.3, Rng(Seed{number})));
    const std::size_t held = access.held.count();
    std::size_t before = 1000;
    for (const double errors : {0.0, 3.0, 0.05, 0.2, 0.5}) {
      const CoverFit cover = covered(access, errors);
      const double allowed = errors < 1.0 ? errors * static_cast<double>(held) : errors;
      EXPECT_LE(static_cast<double>(cover.fit.exceptions.size()), allowed);
      EXPECT_EQ(with_exceptions(cover.fit), access.held);
      for (const FoundException& exception : cover.fit.exceptions) EXPECT_EQ(exception.kind, ExceptionKind::extra);
      EXPECT_LE(cover.fit.model.role_count(), cover.exact_roles);
      if (errors != 3.0) {
        EXPECT_LE(cover.fit.model.role_count(), before);
        before = cover.fit.model.role_count();
      }
    }
  }
}

// Two roles of ten users each; four users lack one permission of theirs, which exact roles must tell apart.
TEST(CoverFit, AllowedOverGrantsMakeFewerRoles) {
  BitMatrix held(20, 12);
  for (std::size_t n = 0; n < 20; ++n) {
    for (std::size_t d = 0; d < 6; ++d) held.set(n, d + (n < 10 ? 0 : 6));
  }
  for (const std::size_t n : {0U, 1U, 10U, 11U}) held.set(n, n % 10 + (n < 10 ? 0 : 6), false);
  const Access access = named_access(held);
  EXPECT_GT(covered(access, 4.0).fit.model.role_count(), 2U);
  const CoverFit cover = cover_roles({&access, nullptr, nullptr}, {CoverKind::exact, 4.0, 4.0}, {});
  EXPECT_EQ(cover.fit.model.role_count(), 2U);
  EXPECT_EQ(cover.over_grants, 4U);
  EXPECT_EQ(cover.fit.exceptions.size(), 4U);
  for (const FoundException& exception : cover.fit.exceptions) EXPECT_EQ(exception.kind, ExceptionKind::missing);
  EXPECT_EQ(with_exceptions(cover.fit), access.held);
}

TEST(CoverFit, OverGrantsAndErrorsStayWithinWhatIsAllowed) {
  for (std::uint64_t number = 1; number <= 20; ++number) {
    const Access access = named_access(random_bits(40, 20, 0.4, Rng(Seed{number})));
    const CoverFit cover = cover_roles({&access, nullptr, nullptr}, {CoverKind::exact, 60.0, 25.0}, {});
    EXPECT_LE(cover.fit.exceptions.size(), 60U);
    EXPECT_LE(cover.over_grants, 25U);
    EXPECT_EQ(with_exceptions(cover.fit), access.held);
    EXPECT_EQ(cover.fit.training_error,
              static_cast<double>(cover.fit.exceptions.size()) / static_cast<double>(40 * 20));
  }
}

TEST(CoverFit, TheCurveEndsWithAllRolesAndNoError) {
  const Access access = named_access(random_bits(40, 20, 0.3, Rng(Seed{1})));
  const CoverFit cover = covered(access);
  ASSERT_EQ(cover.curve.size(), 6U);
  EXPECT_EQ(cover.curve.back().share, 1.0);
  EXPECT_EQ(cover.curve.back().errors, 0U);
  EXPECT_LE(cover.curve.back().roles, cover.exact_roles);
  for (std::size_t i = 1; i < cover.curve.size(); ++i) EXPECT_LE(cover.curve[i - 1].roles, cover.curve[i].roles);
  for (const CoverPoint& point : cover.curve) {
    EXPECT_LE(static_cast<double>(point.errors), (1.0 - point.share) * static_cast<double>(access.held.count()) + 1e-9);
  }
}

TEST(CoverFit, KeepsTheNamesOfAPreviousModel) {
  const Access access = named_access(bits_of({"1100", "1100", "1111", "0011"}));
  RoleModel old = covered(access).fit.model;
  old.roles[1] = "Clerks";
  const CoverFit again = cover_roles({&access, nullptr, &old}, {CoverKind::exact, 0.0, 0.0}, {});
  EXPECT_EQ(again.fit.model.roles, (std::vector<std::string>{"p0 +1", "Clerks"}));
}

TEST(CoverFit, ItsModelSurvivesAFile) {
  const Access access = named_access(random_bits(30, 15, 0.4, Rng(Seed{2})));
  const RoleModel model = covered(access).fit.model;
  const RoleModel read = roles_from_record(to_record(model));
  EXPECT_EQ(read.method, RoleMethod::cover);
  EXPECT_EQ(read.absence, model.absence);
  EXPECT_EQ(read.sets, model.sets);
  EXPECT_EQ(read.set_share, model.set_share);
}

TEST(CoverFit, AnInterruptedSearchStillAddsUp) {
  const Access access = named_access(random_bits(30, 30, 0.5, Rng(Seed{4})));
  StoppedRun stopped(3);
  const CoverFit cover = covered(access, 0.0, stopped.run);
  EXPECT_EQ(cover.fit.summary.stop, Stop::interrupted);
  EXPECT_EQ(granted(cover.fit), access.held);
  EXPECT_EQ(cover.fit.warnings, std::vector<std::string>{"the search was interrupted: fewer roles may be possible"});
}

TEST(CoverFit, RefusesWhatCannotBeAnswered) {
  const Access nothing = named_access(BitMatrix(2, 2));
  expect_error(ErrorKind::unanswerable, "nobody holds anything; there are no roles to find", [&] { covered(nothing); });
  const Access access = named_access(bits_of({"11", "10"}));
  expect_error(ErrorKind::usage, "--cover-errors 3 lets all 3 held cells stay without a role; allow fewer",
               [&] { covered(access, 3.0); });
  expect_error(ErrorKind::usage, "--cover-over-grants: needs --cover-errors, of which they are a part", [&] {
    cover_roles({&access, nullptr, nullptr}, {CoverKind::exact, 0.0, 1.0}, {});
  });
  expect_error(ErrorKind::usage, "--cover-errors -1 is outside [0, 1e+15]", [&] { covered(access, -1.0); });
}

}  // namespace
}  // namespace motet::roles::cover_fit_test
