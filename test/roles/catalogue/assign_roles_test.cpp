#include "motet/roles/catalogue/assign_roles.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "motet/base/streams.h"
#include "motet/roles/catalogue/check.h"
#include "roles/planted_cases.h"
#include "support/threads.h"

namespace motet::roles::assign_roles_test {
namespace {

AssignRule at_cost(double cost, std::vector<double> risk = {}) {
  AssignRule rule;
  rule.over_grant_cost = cost;
  rule.risk = std::move(risk);
  return rule;
}

RoleCatalogue three_roles() { return {{"A", "B", "C"}, bits_of({"11000", "01100", "00011"}), {}}; }

TEST(AssignRoles, NothingIsNewlyGrantedUnlessItHasAPrice) {
  const BitMatrix held = bits_of({"11100", "11000", "00010", "00000"});
  const RolesOfUsers never = assign_roles(held, three_roles(), {}, {});
  EXPECT_EQ(never.assignments, bits_of({"110", "100", "000", "000"}));
  EXPECT_EQ(never.unproved, 0U);
  EXPECT_EQ(assign_roles(held, three_roles(), at_cost(0.5), {}).assignments, bits_of({"110", "100", "001", "000"}));
  EXPECT_EQ(assign_roles(held, three_roles(), at_cost(1.5), {}).assignments, never.assignments);
}

TEST(AssignRoles, RiskMakesAnOverGrantDearer) {
  const BitMatrix held = bits_of({"00010"});
  EXPECT_EQ(assign_roles(held, three_roles(), at_cost(0.5, {1, 1, 1, 1, 3}), {}).assignments, bits_of({"000"}));
  EXPECT_EQ(assign_roles(held, three_roles(), at_cost(0.5, {3, 3, 3, 3, 1}), {}).assignments, bits_of({"001"}));
}

TEST(AssignRoles, RolesThatMayNotComeTogetherDoNot) {
  RoleCatalogue catalogue = three_roles();
  catalogue.never_with_one_user = {{0, 1}};
  EXPECT_EQ(assign_roles(bits_of({"11100", "01111"}), catalogue, {}, {}).assignments, bits_of({"100", "011"}));
}

// A contains B for this user; but A keeps C away, and B with C covers more.
TEST(AssignRoles, ARoleThatKeepsOthersAwayDoesNotReplaceASmallerOne) {
  RoleCatalogue catalogue{{"A", "B", "C"}, bits_of({"11100", "01100", "00011"}), {{0, 2}}};
  EXPECT_EQ(assign_roles(bits_of({"11111"}), catalogue, {}, {}).assignments, bits_of({"011"}));
}

TEST(AssignRoles, PlantedRolesComeBackWithoutNoise) {
  const PlantedAccess planted =
      simulate_access({.users = 300, .permissions = 60, .roles = 12, .max_roles_per_user = 3, .noise_fraction = 0.0},
                      stream(Seed{3}, Stream::roles_simulation));
  const RoleCatalogue catalogue{std::vector<std::string>(12, "r"), planted.roles, {}};
  const RolesOfUsers found = assign_roles(planted.access.held, catalogue, {}, {});
  EXPECT_EQ(found.unproved, 0U);
  const GrantCount count = count_grants(planted.access.held, found.assignments, planted.roles, {});
  EXPECT_EQ(count.individual + count.newly_granted, 0U);
  // Never more roles than were planted: a user may hold what a role grants by others.
  EXPECT_LE(found.assignments.count(), planted.assignments.count());
}

TEST(AssignRoles, SameBitsOnAnyNumberOfThreads) {
  const PlantedAccess planted = simulate_access({.users = 400, .permissions = 50, .roles = 10, .noise_fraction = 0.1},
                                                stream(Seed{4}, Stream::roles_simulation));
  const RoleCatalogue catalogue{std::vector<std::string>(10, "r"), planted.roles, {{0, 1}, {2, 3}}};
  const auto on = [&](unsigned count) {
    StartedThreads threads(count);
    return assign_roles(planted.access.held, catalogue, at_cost(0.4), with_threads(threads));
  };
  const RolesOfUsers one = on(1);
  for (const unsigned count : {2U, 4U}) {
    const RolesOfUsers more = on(count);
    EXPECT_EQ(one.assignments, more.assignments);
    EXPECT_EQ(one.unproved, more.unproved);
  }
}

TEST(AssignRoles, NobodyHoldsNothing) {
  EXPECT_EQ(assign_roles(BitMatrix(0, 5), three_roles(), {}, {}).assignments.rows(), 0U);
}

TEST(AssignRoles, StopsWhenToldTo) {
  CancelFlag cancel;
  cancel.set(2);
  RunContext run;
  run.cancel = &cancel;
  EXPECT_EQ(error_of([&] { assign_roles(bits_of({"11000"}), three_roles(), {}, run); }, ErrorKind::interrupted),
            "interrupted while assigning roles");
}

}  // namespace
}  // namespace motet::roles::assign_roles_test
