#include "motet/app/roles/select_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/roles/roles_cases.h"

namespace motet::roles::select_document_test {
namespace {

TEST(RolesSelectDocument, TellsTheChoice) {
  const Document document = roles_select_document(two_selected());
  EXPECT_EQ(document.text,
            "2 roles by generalization error\n"
            "The smallest number within one standard error of the best.\n"
            "\n"
            "roles  capacity bits      +-  generalization error      +-  chosen\n"
            "    1         0.4000  0.0200                0.2100  0.0200\n"
            "    2         1.5000  0.0300                0.0500  0.0100  yes\n"
            "    3                                       0.0490  0.0100\n"
            "capacity bits is empty for 3 roles: half of the users ask for no more than 2 roles\n");
  const Value& json = document.json;
  EXPECT_EQ(json.at("criterion").as_text(), "generalization_error");
  EXPECT_EQ(json.at("chosen").as_whole(), 2);
  EXPECT_EQ(keys_of(json.at("rows").as_list()[0]),
            (std::vector<std::string>{"roles", "capacity_bits", "capacity_bits_standard_error", "generalization_error",
                                      "generalization_error_standard_error"}));
  const Value& empty = json.at("empty").as_list().at(0);
  EXPECT_EQ(empty.at("roles").as_whole(), 3);
  EXPECT_EQ(empty.at("criterion").as_text(), "capacity_bits");
  EXPECT_EQ(empty.at("reason").as_text(), "half of the users ask for no more than 2 roles");
  EXPECT_EQ(document.sections[0].plots.size(), 2U);
}

TEST(RolesSelectDocument, SaysOnceForAllNumbersWhyTheyAreEmpty) {
  RoleSelection selection = two_selected();
  selection.empty.push_back({4, "capacity_bits", selection.empty[0].reason});
  selection.empty.push_back({5, "capacity_bits", "another reason"});
  const Document document = roles_select_document(selection);
  EXPECT_TRUE(
      document.text.ends_with("capacity bits is empty for 3 to 4 roles: half of the users ask for no more than "
                              "2 roles\ncapacity bits is empty for 5 roles: another reason\n"))
      << document.text;
  EXPECT_EQ(document.sections[0].notes.size(), 2U);
}

SelectionRow measured(std::size_t roles, double held_out, double bic) {
  const double none = std::nan("");
  return {roles, held_out, 0.1, none, none, none, none, none, none, bic, none};
}

TEST(ToldSelection, LeavesOutWhatWasNotMeasuredAndWarnsAtTheEnds) {
  Selection selection;
  selection.rows = {measured(2, -3.0, 50.0), measured(3, -2.0, 40.0)};
  selection.held_out = 3;
  selection.bic = 2;
  const RoleSelection by_users = told_selection(selection, Criterion::held_out, {2, 3}, "a.csv");
  EXPECT_EQ(by_users.criteria, (std::vector<std::string>{"held_out_log_likelihood", "bic"}));
  EXPECT_EQ(by_users.criterion, "held_out_log_likelihood");
  EXPECT_EQ(by_users.rows[1].value, (std::vector<double>{-2.0, 40.0}));
  EXPECT_TRUE(std::isnan(by_users.rows[1].standard_error[1]));
  ASSERT_EQ(by_users.empty.size(), 2U);  // of BIC, which has no column of errors for people
  EXPECT_EQ(by_users.empty[1].criterion, "bic_standard_error");
  EXPECT_EQ(by_users.empty[1].reason, "there is one value, of all users");
  EXPECT_EQ(roles_select_document(by_users).text.find("standard error is empty"), std::string::npos);
  EXPECT_EQ(by_users.warnings,
            std::vector<std::string>{"the largest number of the range was chosen: more than 3 may be better"});
  selection.rows[0].description_length = 7.0;
  selection.description_length = 2;
  selection.empty = {{3, Criterion::description_length, "the users ask for no more than 2 roles"}};
  const RoleSelection shortest = told_selection(selection, Criterion::description_length, {1, 3}, "a.csv");
  EXPECT_EQ(shortest.criterion, "description_length");
  EXPECT_EQ(shortest.reason, "The data take the fewest nats to describe by so many roles.");
  EXPECT_EQ(shortest.empty[0].criterion, "description_length");
  EXPECT_EQ(shortest.empty[0].reason, "the users ask for no more than 2 roles");
  const RoleSelection by_bic = told_selection(selection, Criterion::bic, {2, 3}, "a.csv");
  EXPECT_EQ(by_bic.reason, "It has the smallest BIC.");
  EXPECT_EQ(by_bic.warnings,
            std::vector<std::string>{"the smallest number of the range was chosen: fewer than 2 may do"});
}

}  // namespace
}  // namespace motet::roles::select_document_test
