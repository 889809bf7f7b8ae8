#include "motet/report/roles_verbs_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/io/json.h"

namespace motet {
namespace {

AssignReport assigned() {
  AssignReport report;
  report.source = "new.csv";
  report.users = 40;
  report.users_with_role = 30;
  report.confidence = 0.875;
  report.roles = {{"payroll_read +3", 21}, {"stock", 9}};
  report.unknown_permissions = {"fax", "telex"};
  report.extra = 5;
  report.missing = 2;
  return report;
}

EvaluateReport evaluated() {
  EvaluateReport report;
  report.source = "test.csv";
  report.users = 100;
  report.roles = 8;
  report.repeats = 10;
  report.posterior = {0.02, 0.001};
  report.literal = {0.024, 0.003};
  report.references = {{"no permissions", {0.15, 0.0}}, {"majority", {0.09, 0.002}}};
  return report;
}

TEST(AssignReport, Text) {
  EXPECT_EQ(assign_text(assigned()),
            "40 users, 30 with a role (75.0 %); mean probability of the most probable set 0.875\n"
            "exceptions: 5 extra, 2 missing\n"
            "\n"
            "role             members\n"
            "payroll_read +3       21\n"
            "stock                  9\n"
            "warning: 2 permissions the model does not know were left out: fax, telex\n");
}

TEST(AssignReport, JsonAndPage) {
  const Value json = assign_json(assigned());
  EXPECT_EQ(json.at("users_with_role").as_whole(), 30);
  EXPECT_EQ(json.at("unknown_permissions").as_list().size(), 2U);
  EXPECT_EQ(json.at("exceptions").at("extra").as_whole(), 5);
  EXPECT_NE(to_html_body(assign_page(assigned())).find("payroll_read +3"), std::string::npos);
}

TEST(EvaluateReport, Text) {
  EXPECT_EQ(evaluate_text(evaluated()),
            "generalization error 0.0200 +- 0.0010: share of the hidden permissions predicted wrongly\n"
            "100 users, 8 roles, 10 % of the permissions shown, 10 repeats\n"
            "\n"
            "prediction            error      +-\n"
            "roles, by posterior  0.0200  0.0010\n"
            "roles, nearest set   0.0240  0.0030\n"
            "no permissions       0.1500  0.0000\n"
            "majority             0.0900  0.0020\n"
            "The roles predict better than every simple reference; the best of those is 'majority'.\n");
}

TEST(EvaluateReport, ASimpleReferenceThatDoesAsWellIsNamed) {
  EvaluateReport report = evaluated();
  report.references.push_back({"nearest user", {0.0205, 0.001}});
  EXPECT_NE(evaluate_text(report).find("The simple reference 'nearest user' predicts as well as or better"),
            std::string::npos);
}

TEST(EvaluateReport, Json) {
  EvaluateReport report = evaluated();
  report.posterior.standard_error = std::nan("");
  EXPECT_EQ(to_json(evaluate_json(report), 0),
            "{\"generalization_error\":0.02,\"standard_error\":null,\"reveal\":0.1,\"repeats\":10,"
            "\"literal\":{\"generalization_error\":0.024,\"standard_error\":0.003},"
            "\"references\":{\"no permissions\":{\"error\":0.15,\"standard_error\":0.0},"
            "\"majority\":{\"error\":0.09,\"standard_error\":0.002}},\"users\":100,\"roles\":8,\"warnings\":[]}");
  EXPECT_EQ(evaluate_page(report).sections[0].plots.size(), 1U);
}

}  // namespace
}  // namespace motet
