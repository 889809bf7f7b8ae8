#include "experiments/roles/company.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"

namespace motet::roles::company_test {
namespace {

PlantedAccess made(const CompanyOptions& options, std::uint64_t seed = 1) {
  return make_company(options, Rng(Seed{seed}));
}

bool holds(const BitMatrix& roles, std::size_t outer, std::size_t inner) {
  for (std::size_t d = 0; d < roles.columns(); ++d) {
    if (roles(inner, d) && !roles(outer, d)) return false;
  }
  return true;
}

// A permission that only a role and the roles that hold it have; the number of columns when there is none.
std::size_t own_permission(const BitMatrix& roles, std::size_t k) {
  for (std::size_t d = 0; d < roles.columns(); ++d) {
    bool is_own = roles(k, d);
    for (std::size_t j = 0; j < roles.rows() && is_own; ++j) is_own = !roles(j, d) || holds(roles, j, k);
    if (is_own) return d;
  }
  return roles.columns();
}

std::size_t user_alone_with(const PlantedAccess& company, std::size_t k) {
  for (std::size_t n = 0; n < company.assignments.rows(); ++n) {
    if (company.assignments.count(n) == 1 && company.assignments(n, k)) return n;
  }
  return company.assignments.rows();
}

// One cell of each role, no two of which one role can explain: one of the other two corners is 0.
TEST(Company, NoFewerRolesGiveTheCleanMatrix) {
  for (const CompanyUse use : {CompanyUse::choosing, CompanyUse::judging}) {
    const std::vector<CompanyCase> cases = company_cases(use);
    EXPECT_EQ(cases.size(), 20U);
    for (const CompanyCase& item : cases) {
      const PlantedAccess company = made(item.options, item.seed);
      const std::size_t roles = item.options.roles;
      std::vector<std::size_t> users;
      std::vector<std::size_t> permissions;
      for (std::size_t k = 0; k < roles; ++k) {
        users.push_back(user_alone_with(company, k));
        permissions.push_back(own_permission(company.roles, k));
        ASSERT_LT(users[k], company.clean.rows()) << item.what;
        ASSERT_LT(permissions[k], company.clean.columns()) << item.what;
        EXPECT_TRUE(company.clean(users[k], permissions[k]));
      }
      for (std::size_t j = 0; j < roles; ++j) {
        for (std::size_t k = 0; k < j; ++k) {
          EXPECT_FALSE(company.clean(users[j], permissions[k]) && company.clean(users[k], permissions[j]))
              << item.what << ' ' << j << ' ' << k;
        }
      }
    }
  }
}

TEST(Company, TheTwoHalvesOfTheCasesShareNoSeed) {
  for (const CompanyCase& a : company_cases(CompanyUse::choosing)) {
    for (const CompanyCase& b : company_cases(CompanyUse::judging)) EXPECT_NE(a.seed, b.seed);
  }
}

TEST(Company, CellsGetLostAndAppearWithTheirOwnChances) {
  const PlantedAccess company = made({.users = 2000, .roles = 10, .dropped = 0.2, .extra = 0.05});
  double granted = 0.0;
  double lost = 0.0;
  double appeared = 0.0;
  for (std::size_t n = 0; n < company.clean.rows(); ++n) {
    for (std::size_t d = 0; d < company.clean.columns(); ++d) {
      granted += company.clean(n, d) ? 1.0 : 0.0;
      lost += company.clean(n, d) && !company.access.held(n, d) ? 1.0 : 0.0;
      appeared += !company.clean(n, d) && company.access.held(n, d) ? 1.0 : 0.0;
    }
  }
  const double others = static_cast<double>(company.clean.rows() * company.clean.columns()) - granted;
  EXPECT_NEAR(lost / granted, 0.2, 4.0 * std::sqrt(0.2 * 0.8 / granted));
  EXPECT_NEAR(appeared / others, 0.05, 4.0 * std::sqrt(0.05 * 0.95 / others));
}

TEST(Company, RolesHoldOthersAsOftenAsAsked) {
  const PlantedAccess company = made({.users = 200, .roles = 10, .nested = 0.4});
  std::size_t holders = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    bool is_holder = false;
    for (std::size_t j = 0; j < 10; ++j) is_holder = is_holder || (j != k && holds(company.roles, k, j));
    holders += is_holder ? 1 : 0;
  }
  EXPECT_EQ(holders, 4U);
}

TEST(Company, PopularRolesHaveMoreMembersAndCompanionsComeTogether) {
  const PlantedAccess popular = made({.users = 2000, .roles = 10, .popularity = 1.5});
  const BitMatrix members = popular.assignments.transposed();
  EXPECT_GT(members.count(0), 4 * members.count(9));

  const PlantedAccess together = made({.users = 2000, .roles = 10, .together = 0.9});
  std::size_t both = 0;
  std::size_t either = 0;
  for (std::size_t n = 0; n < 2000; ++n) {
    both += together.assignments(n, 2) && together.assignments(n, 3) ? 1 : 0;
    either += together.assignments(n, 2) || together.assignments(n, 3) ? 1 : 0;
  }
  EXPECT_GT(static_cast<double>(both), 0.6 * static_cast<double>(either));
}

TEST(Company, EverybodyInADepartmentIsInOneAndHasNoMoreRolesThanAllowed) {
  const PlantedAccess company = made({.users = 500, .roles = 10, .departments = 3, .max_roles_per_user = 2});
  for (std::size_t n = 60; n < 500; ++n) {  // before them those with one role alone
    std::size_t departments = 0;
    for (std::size_t k = 0; k < 3; ++k) departments += company.assignments(n, k) ? 1 : 0;
    EXPECT_EQ(departments, 1U);
    EXPECT_LE(company.assignments.count(n), 2U);
  }
}

TEST(Company, TooFewUsersAndTooManyDepartmentsAreRefused) {
  EXPECT_EQ(error_of([] { made({.users = 10, .roles = 5}); }, ErrorKind::usage),
            "company: 10 users are too few; 5 roles with 6 users of each alone need 30");
  EXPECT_EQ(error_of([] { made({.users = 100, .roles = 5, .departments = 6}); }, ErrorKind::usage),
            "company: 6 departments are more than the 5 roles");
}

}  // namespace
}  // namespace motet::roles::company_test
