#include "motet/app/superset/evaluate_document.h"

#include <gtest/gtest.h>

namespace motet::superset::evaluate_document_test {
namespace {

SupersetEvaluation an_evaluation() {
  SupersetEvaluation evaluation;
  evaluation.folds = {{10, 0.8, 0.9, {}}, {10, 0.6, 0.9, {}}};
  evaluation.inductive = {0.7, 0.1414, 0.1};
  evaluation.transductive = {0.9, 0.0, 0.0};
  evaluation.confusion = {7, 3, 3, 7};
  evaluation.coverage = 0.9;
  evaluation.covered = 0.95;
  evaluation.set_size = 1.5;
  return evaluation;
}

TEST(SupersetEvaluateReport, TellsAccuracyCoverageAndConfusions) {
  const SupersetEvaluation evaluation = an_evaluation();
  const SupersetEvaluateReport report{evaluation, {"cat", "dog"}, "a.csv", "auto"};
  const std::string text = superset_evaluate_document(report).text;
  EXPECT_NE(text.find("accuracy on items not seen 0.7000 +- 0.1000"), std::string::npos) << text;
  EXPECT_NE(text.find("held the truth for 0.950 of the items, with 1.50 labels on average"), std::string::npos) << text;
  EXPECT_NE(text.find("cat         dog              3\n"), std::string::npos) << text;
  EXPECT_EQ(superset_evaluate_document(report).json.at("confusion").as_list()[0].as_list()[1].as_whole(), 3);
}

TEST(SupersetEvaluateReport, SaysWhenAnotherMethodIsMoreAccurate) {
  const SupersetEvaluation evaluation = an_evaluation();
  SupersetEvaluateReport report{evaluation, {"cat", "dog"}, "a.csv", "auto"};
  report.comparison = {{"auto", {0.7, 0.1, 0.02}, {}, 0.1}, {"knn", {0.8, 0.1, 0.02}, {}, 0.1}};
  EXPECT_NE(superset_evaluate_document(report).text.find("knn is more accurate than auto here, by 0.1000"),
            std::string::npos);
  report.comparison[1].inductive.mean = 0.6;
  EXPECT_NE(superset_evaluate_document(report).text.find("auto is the most accurate, by 0.1000 before knn"),
            std::string::npos);
  report.comparison[1].inductive.mean = 0.71;
  EXPECT_NE(superset_evaluate_document(report).text.find("equally accurate within the standard error"),
            std::string::npos);
}

}  // namespace
}  // namespace motet::superset::evaluate_document_test
