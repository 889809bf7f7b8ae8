#include "motet/roles/catalogue/check.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "motet/base/streams.h"
#include "roles/planted_cases.h"

namespace motet::roles::catalogue_check_test {
namespace {

TEST(CatalogueCheck, CountsCellsAndRoles) {
  const BitMatrix roles = bits_of({"110000", "011000", "000100"});
  const BitMatrix held = bits_of({"111010", "110000", "001000", "000000"});
  const BitMatrix assignments = bits_of({"110", "110", "000", "001"});
  const CatalogueCheck check = check_catalogue(held, assignments, roles, {1, 1, 5, 2, 1, 1});
  EXPECT_EQ(check.grants, (GrantCount{5, 2, 2, 5, 7.0}));
  EXPECT_EQ(check.grants, count_grants(held, assignments, roles, {1, 1, 5, 2, 1, 1}));
  EXPECT_EQ(check.grants.held(), held.count());
  EXPECT_EQ(check.roles[0].members, 2U);
  EXPECT_EQ(check.roles[0].exact, 2U);
  EXPECT_EQ(check.roles[0].nearly, 0U);
  EXPECT_EQ(check.roles[0].only_here, 2U);  // the first permission of both members
  EXPECT_EQ(check.roles[1].exact, 1U);
  EXPECT_EQ(check.roles[1].nearly, 2U);  // the second and third user hold one of two
  EXPECT_EQ(check.roles[1].only_here, 1U);
  EXPECT_EQ(check.roles[1].newly_granted, 1U);
  EXPECT_EQ(check.roles[2].newly_granted, 1U);
  EXPECT_EQ(check.bare_permissions, std::vector<std::uint32_t>{4});
  EXPECT_EQ(check.holders, (std::vector<std::size_t>{2, 2, 2, 0, 1, 0}));
  EXPECT_EQ(check.users_without_role, std::vector<std::uint32_t>{2});
}

TEST(CatalogueCheck, NearlyIsOneOrAFifthMissingAndHalfHeld) {
  const BitMatrix roles = bits_of({"1111111111", "1000000000"});
  const BitMatrix held = bits_of({"1111111100", "1111111000", "0111111111", "0000000000"});
  const CatalogueCheck check = check_catalogue(held, BitMatrix(4, 2), roles, {});
  EXPECT_EQ(check.roles[0].nearly, 2U);
  EXPECT_EQ(check.roles[1].nearly, 0U);
  EXPECT_EQ(check.roles[1].exact, 2U);
}

TEST(CatalogueCheck, WhatRemainsGivesBackTheData) {
  const Rng rng = stream(Seed{6}, Stream::roles_simulation);
  const BitMatrix held = random_bits(70, 130, 0.3, rng.child(0));
  BitMatrix granted = random_bits(70, 130, 0.3, rng.child(1));
  const std::vector<FoundException> rest = remaining_exceptions(held, granted);
  for (const FoundException& cell : rest) {
    EXPECT_EQ(cell.kind == ExceptionKind::extra, held(cell.user, cell.permission));
    EXPECT_NE(granted(cell.user, cell.permission), held(cell.user, cell.permission));
    EXPECT_EQ(cell.probability, 1.0);
    granted.set(cell.user, cell.permission, cell.kind == ExceptionKind::extra);
  }
  EXPECT_EQ(granted, held);
}

}  // namespace
}  // namespace motet::roles::catalogue_check_test
