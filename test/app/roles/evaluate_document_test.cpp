#include "motet/app/roles/evaluate_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/io/json.h"
#include "support/texts.h"

namespace motet::roles::evaluate_document_test {
namespace {

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

TEST(RolesEvaluateDocument, Text) {
  EXPECT_EQ(roles_evaluate_document(evaluated()).text,
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

TEST(RolesEvaluateDocument, ASimpleReferenceThatDoesAsWellIsNamed) {
  EvaluateReport report = evaluated();
  report.references.push_back({"nearest user", {0.0205, 0.001}});
  expect_in(roles_evaluate_document(report).text,
            {"The simple reference 'nearest user' predicts as well as or better"});
}

TEST(RolesEvaluateDocument, Json) {
  EvaluateReport report = evaluated();
  report.posterior.standard_error = std::nan("");
  const Document document = roles_evaluate_document(report);
  EXPECT_EQ(to_json(document.json, 0),
            "{\"generalization_error\":0.02,\"standard_error\":null,\"reveal\":0.1,\"repeats\":10,"
            "\"literal\":{\"generalization_error\":0.024,\"standard_error\":0.003},"
            "\"references\":{\"no permissions\":{\"error\":0.15,\"standard_error\":0.0},"
            "\"majority\":{\"error\":0.09,\"standard_error\":0.002}},\"users\":100,\"roles\":8,\"warnings\":[]}");
  EXPECT_EQ(document.sections[0].plots.size(), 1U);
}

}  // namespace
}  // namespace motet::roles::evaluate_document_test
