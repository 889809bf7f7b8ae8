#include "motet/app/roles/mine_parts.h"

#include <gtest/gtest.h>

#include "app/roles/roles_cases.h"
#include "support/texts.h"

namespace motet::roles::mine_parts_test {
namespace {

TEST(ComparisonSentence, SaysWhenASimplerMethodDoesAsWell) {
  std::vector<MethodScore> rows = compared_methods();
  EXPECT_EQ(comparison_sentence(rows),
            "The simpler method 'asso' predicts held-out users as well: 0.0550 against 0.0500.");
  rows[1].generalization_error = 0.07;
  EXPECT_EQ(comparison_sentence(rows), "No simpler method tried does as well.");
  rows[1].generalization_error = MethodScore::none;
  EXPECT_EQ(comparison_sentence(rows),
            "The simpler method 'asso' reproduces the data as well: error 0.0667 against 0.0667.");
  rows[0].training_error = 0.08;
  EXPECT_EQ(comparison_sentence(rows),
            "The simpler method 'asso' reproduces the data better: error 0.0667 against 0.0800.");
  rows.resize(1);
  EXPECT_EQ(comparison_sentence(rows), "");
}

TEST(ComparisonPart, HasNoErrorsWhereNoneWereMeasured) {
  std::vector<MethodScore> rows = compared_methods();
  expect_in(comparison_part(rows).text, {"generalization error"});
  for (MethodScore& row : rows) row.generalization_error = MethodScore::none;
  EXPECT_EQ(comparison_part(rows).text.find("generalization error"), std::string::npos);
  EXPECT_NE(comparison_part(rows).json.as_list()[0].find("generalization_error"), nullptr);
}

TEST(ComparisonPart, SaysNothingOfAFitAlone) {
  const Document part = comparison_part({compared_methods().front()});
  EXPECT_EQ(part.text, "");
  EXPECT_TRUE(part.sections.empty());
  EXPECT_EQ(part.json.as_list().size(), 1U);
}

TEST(AttributesPart, SaysWhenNoAttributeExplainsARole) {
  const AttributeProfile profile{{"department"}, {{"Finance"}}, {{{}, {0.01}}, {{}, {0.02}}}};
  const Document part = attributes_part(profile, roles_case().fit);
  EXPECT_EQ(part.text, "no attribute explains a role\n");
  EXPECT_TRUE(part.sections[0].lead.ends_with(" No attribute explains a role."));
  EXPECT_EQ(part.json.as_list()[1].at("explained").at("department").as_number(), 0.02);
}

TEST(ChangesPart, CountsRolesAndPermissions) {
  RoleChanges changes;
  changes.matched = {{0, 0, "ledger", 1.0, {}, {}}, {1, 1, "stock", 0.5, {"truck"}, {}}};
  changes.vanished = {"fax"};
  changes.permissions_added = {"truck"};
  const Document part = changes_part(changes, {"ledger", "stock"});
  EXPECT_EQ(part.text,
            "since the previous model: 1 role the same, 1 changed, 0 appeared, 1 vanished; permissions: 1 new, 0 gone\n"
            "role   what      similarity  permissions added  permissions removed\n"
            "stock  changed         0.50  truck\n"
            "fax    vanished\n");
  EXPECT_EQ(part.json.at("changed").as_list().size(), 1U);
  EXPECT_EQ(part.sections[0].tables.size(), 2U);
}

TEST(SomeNames, CountsThoseLeftOut) {
  EXPECT_EQ(some_names({"a", "b", "c"}, 3), "a, b, c");
  EXPECT_EQ(some_names({"a", "b", "c"}, 1), "a and 2 more");
}

}  // namespace
}  // namespace motet::roles::mine_parts_test
