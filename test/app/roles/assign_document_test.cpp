#include "motet/app/roles/assign_document.h"

#include <gtest/gtest.h>

#include "support/texts.h"

namespace motet::roles::assign_document_test {
namespace {

AssignReport assigned() {
  return {.source = "new.csv",
          .users = 40,
          .roles = {"payroll_read +3", "stock"},
          .count = {30, 0.875, {21, 9}},
          .exceptions = {5, 2},
          .unknown_permissions = {"fax", "telex"}};
}

TEST(RolesAssignDocument, TellsMembersAndWhatIsUnknown) {
  EXPECT_EQ(roles_assign_document(assigned()).text,
            "40 users, 30 with a role (75.0 %); mean probability of the most probable set 0.875\n"
            "exceptions: 5 extra, 2 missing\n"
            "\n"
            "role             members\n"
            "payroll_read +3       21\n"
            "stock                  9\n"
            "warning: 2 permissions the model does not know were left out: fax, telex\n");
}

TEST(RolesAssignDocument, JsonAndPage) {
  const Document document = roles_assign_document(assigned());
  const Value& json = document.json;
  EXPECT_EQ(json.at("users_with_role").as_whole(), 30);
  EXPECT_EQ(json.at("unknown_permissions").as_list().size(), 2U);
  EXPECT_EQ(json.at("exceptions").at("extra").as_whole(), 5);
  expect_in(to_html_body(document), {"payroll_read +3"});
}

}  // namespace
}  // namespace motet::roles::assign_document_test
