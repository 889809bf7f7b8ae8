#include "motet/roles/naming.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "motet/data/names.h"

namespace motet::roles::naming_test {
namespace {

using Names = std::vector<std::string>;

BitMatrix matrix(const std::vector<std::string>& rows) {
  BitMatrix bits(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) bits.set(r, c, rows[r][c] == '1');
  }
  return bits;
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

TEST(Naming, TellingPermissionsAreRareElsewhere) {
  const Names permissions = {"mail", "payroll", "ledger", "stock"};
  const BitMatrix roles = matrix({"1110", "1001", "1011"});
  const auto telling = telling_permissions(roles, permissions, 2);
  EXPECT_EQ(telling[0], (std::vector<std::uint32_t>{1, 2}));  // ledger is in two roles, payroll in one
  EXPECT_EQ(telling[1], (std::vector<std::uint32_t>{3, 0}));
  EXPECT_EQ(telling[2], (std::vector<std::uint32_t>{2, 3}));  // as telling as each other: by name
}

TEST(Naming, ProbabilitiesCount) {
  RoleModel model;
  model.permissions = {"a", "b", "c"};
  model.roles = {"x", "y"};
  model.absence = {0.3, 0.01, 0.9, 0.999, 0.4, 0.2};
  const auto telling = telling_permissions(model);
  EXPECT_EQ(telling[0], (std::vector<std::uint32_t>{0, 1}));  // 0.7^2/0.701 against 0.99^2/1.59
  EXPECT_EQ(telling[1], (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(role_names(model), (Names{"a +1", "c +1"}));
}

TEST(Naming, NamesByPermissionAndAttribute) {
  const Names permissions = {"mail", "payroll", "ledger", "stock"};
  const BitMatrix roles = matrix({"1110", "1001", "0000", "0001"});
  EXPECT_EQ(role_names(roles, permissions), (Names{"ledger +2", "mail +1", "no permissions", "stock"}));
  EXPECT_EQ(role_names(roles, permissions, Names{"Finance", "", "", "Store"}),
            (Names{"Finance: ledger +2", "mail +1", "no permissions", "Store: stock"}));
}

TEST(Naming, EqualNamesTakeFurtherPermissions) {
  // Every permission is in two roles, so scores tie and both of a pair would start with the same name.
  const Names permissions = {"a", "b", "c"};
  EXPECT_EQ(role_names(matrix({"110", "101", "011"}), permissions), (Names{"a, b", "a, c", "b +1"}));
}

TEST(Naming, EqualRolesAreNumbered) {
  EXPECT_EQ(role_names(matrix({"11", "11", "11"}), Names{"a", "b"}), (Names{"a, b", "a, b (2)", "a, b (3)"}));
  EXPECT_EQ(unique_names({"x", "x", "x (2)", "x"}), (Names{"x", "x (3)", "x (2)", "x (4)"}));
}

TEST(Naming, LongNamesKeepBothEnds) {
  const Names permissions = {"urn:example:human-resources:payroll:statement:print:1",
                             "urn:example:human-resources:payroll:statement:print:2"};
  const Names names = role_names(matrix({"10", "01"}), permissions);
  EXPECT_EQ(names, (Names{"urn:example:human-re…l:statement:print:1", "urn:example:human-re…l:statement:print:2"}));
  EXPECT_EQ(width_of(names[0]), longest_role_name);
  EXPECT_EQ(role_names(matrix({"1"}), Names{"a\nb"}), (Names{"a b"}));
}

RC_GTEST_PROP(Naming, IsUniqueShortAndDoesNotDependOnTheOrder, ()) {
  const auto role_count = *rc::gen::inRange<std::size_t>(1, 8);
  const auto count = *rc::gen::inRange<std::size_t>(1, 9);
  const auto length = *rc::gen::element<std::size_t>(1, 45);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  std::mt19937 rng(seed);
  RoleModel model;
  for (std::size_t d = 0; d < count; ++d) model.permissions.push_back(std::string(length, 'p') + std::to_string(d));
  model.roles.resize(role_count);
  for (std::size_t i = 0; i < role_count * count; ++i) {
    model.absence.push_back(rng() % 2 == 0 ? 0.0 : static_cast<double>(rng() % 1000) / 999.0);
  }
  const Names names = role_names(model);
  for (const std::string& name : names) RC_ASSERT(width_of(name) <= longest_role_name);
  RC_ASSERT(std::set<std::string>(names.begin(), names.end()).size() == names.size());

  std::vector<std::size_t> role_order(role_count);
  std::vector<std::size_t> order(count);
  std::iota(role_order.begin(), role_order.end(), 0U);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(role_order.begin(), role_order.end(), rng);
  std::shuffle(order.begin(), order.end(), rng);
  RoleModel shuffled;
  shuffled.roles.resize(role_count);
  for (const std::size_t d : order) shuffled.permissions.push_back(model.permissions[d]);
  for (const std::size_t k : role_order) {
    for (const std::size_t d : order) shuffled.absence.push_back(model.beta(k, d));
  }
  const Names again = role_names(shuffled);
  // Roles with the same permissions cannot be told apart: their names may change places.
  const auto content = [](const RoleModel& m, std::size_t k) {
    std::set<std::string> permissions;
    for (std::size_t d = 0; d < m.permission_count(); ++d) {
      if (m.has(k, d)) permissions.insert(m.permissions[d]);
    }
    return permissions;
  };
  std::multiset<std::pair<std::set<std::string>, std::string>> first;
  std::multiset<std::pair<std::set<std::string>, std::string>> second;
  for (std::size_t k = 0; k < role_count; ++k) {
    first.insert({content(model, k), names[k]});
    second.insert({content(shuffled, k), again[k]});
  }
  RC_ASSERT(first == second);
}

using Permissions = std::vector<std::string>;

std::string renewed(const std::string& name, const Permissions& before, const Permissions& now) {
  return renewed_name(name, before, now, "fresh");
}

TEST(RenewedName, StaysWhileItIsTrue) {
  const Permissions role = {"a.read", "a.write", "b.read"};
  EXPECT_EQ(renewed("a.read +2", role, role), "a.read +2");
  EXPECT_EQ(renewed("a.read +2", role, {"b.read", "c", "a.read"}), "a.read +2");
  EXPECT_EQ(renewed("Sales: a.read +2 (2)", role, role), "Sales: a.read +2 (2)");
}

TEST(RenewedName, TheNumberFollowsThePermissions) {
  const Permissions role = {"a.read", "a.write", "b.read"};
  EXPECT_EQ(renewed("a.read +2", role, {"a.read", "b.read"}), "a.read +1");
  EXPECT_EQ(renewed("a.read +7", role, role), "a.read +2");  // it was wrong before
  EXPECT_EQ(renewed("Sales: a.read +2 (2)", role, {"a.read"}), "Sales: a.read");
  EXPECT_EQ(renewed("a.write, a.read +1", role, {"a.read", "a.write", "b", "c"}), "a.write, a.read +2");
  EXPECT_EQ(renewed("a.read", {"a.read"}, {"a.read", "z"}), "a.read +1");
}

TEST(RenewedName, WhatItTellsMustBeThere) {
  EXPECT_EQ(renewed("a.read +1", {"a.read", "b.read"}, {"b.read", "c.read"}), "fresh");
  EXPECT_EQ(renewed("no permissions", {}, {"b.read"}), "fresh");
  EXPECT_EQ(renewed("no permissions", {}, {}), "no permissions");
}

TEST(RenewedName, OneGivenByHandStays) {
  const Permissions role = {"a.read", "a.write"};
  for (const std::string name : {"Readers", "Readers +1", "a.red +1", "a.read", "C3: till"}) {
    EXPECT_EQ(renewed(name, role, {"b"}), name);
  }
}

// Long names are cut in the middle, and known again.
TEST(RenewedName, KnowsWhatRoleNamesMakes) {
  const Permissions permissions = {"application_of_the_bank.read_all_statements_of_customers", "b: c, d", "e", "f"};
  BitMatrix roles(3, 4);
  for (std::size_t d = 0; d < 4; ++d) roles.set(0, d);
  roles.set(1, 1);
  roles.set(1, 2);
  roles.set(2, 3);
  const Permissions names = role_names(roles, permissions, Permissions{"Sales", "", ""});
  for (std::size_t k = 0; k < 3; ++k) {
    Permissions own;
    for (std::size_t d = 0; d < 4; ++d) {
      if (roles(k, d)) own.push_back(permissions[d]);
    }
    EXPECT_EQ(renewed(names[k], own, own), names[k]);
    EXPECT_EQ(renewed(names[k], own, {"other"}), "fresh") << names[k];
  }
}

}  // namespace
}  // namespace motet::roles::naming_test
