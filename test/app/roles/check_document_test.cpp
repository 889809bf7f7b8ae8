#include "motet/app/roles/check_document.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "support/texts.h"

namespace motet::roles::check_document_test {
namespace {

Access small() {
  const std::vector<std::string> users = {"ann", "bob"};
  const std::vector<std::string> permissions = {"p", "q", "r"};
  return {NameList(users), NameList(permissions), bits_of({"110", "101"})};
}

struct Case {
  Access access = small();
  RoleCatalogue catalogue{{"A"}, bits_of({"110"}), {}};
  BitMatrix assignments = bits_of({"1", "1"});
  CatalogueCheck check = check_catalogue(access.held, assignments, catalogue.permissions, {});
  CheckReport report() const { return {access, catalogue, assignments, check, "a.csv", "a sentence"}; }
};

TEST(RolesCheckDocument, TheAnswerComesFirst) {
  const Case one;
  const Document document = roles_check_document(one.report());
  EXPECT_TRUE(document.text.starts_with(
      "1 role covers 3 of 4 grants (75.0 %), would newly grant 1, and 1 stays individual\na sentence\n"
      "2 users, 3 permissions\n"))
      << document.text;
  EXPECT_EQ(document.json.at("coverage").as_number(), 0.75);
  EXPECT_EQ(document.json.at("exceptions").at("missing").as_whole(), 1);
  EXPECT_EQ(document.sections[0].title, "What the roles do");
}

TEST(RolesCheckDocument, ViolationsHaveASection) {
  const Case one;
  CheckReport report = one.report();
  report.violations.users = {{0, PairKind::permissions, 0, 1, false, {0}, {}}};
  const Document document = roles_check_document(report);
  expect_in(document.text, {"\n1 violation of pairs that must not come together, 0 roles that grant such a pair\n"});
  EXPECT_EQ(document.json.at("violations").at("users").as_list().size(), 1U);
  expect_in(to_html_body(document), {"Pairs that must not come together"});
}

TEST(RolesCheckDocument, ASearchThatWasCutShortIsTold) {
  const Case one;
  CheckReport report = one.report();
  report.unproved = 2;
  expect_in(roles_check_document(report).text,
            {"for 2 users the search for roles was cut short: a better set may exist\n"});
}

TEST(RolesCheckDocument, WhatNobodyWantsIsLeftOut) {
  const Case one;
  const Document document = roles_check_document(one.report(), {false, false});
  EXPECT_TRUE(document.json.is_null());
  EXPECT_TRUE(document.sections.empty());
}

}  // namespace
}  // namespace motet::roles::check_document_test
