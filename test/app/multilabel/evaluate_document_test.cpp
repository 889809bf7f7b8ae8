#include "motet/app/multilabel/evaluate_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/texts.h"

namespace motet::multilabel::evaluate_document_test {
namespace {

MultilabelEvaluateReport an_evaluation() {
  MultilabelEvaluateReport report;
  report.labels = {"speech", "music"};
  report.model_name = "deconvolution, gaussian sum, diagonal covariance";
  BitMatrix truth(4, 2);
  BitMatrix given(4, 2);
  for (std::size_t n = 0; n < 4; ++n) truth.set(n, n % 2);
  for (std::size_t n = 0; n < 4; ++n) given.set(n, n == 3 ? 0 : n % 2);
  report.quality = label_set_quality(truth, given);
  report.confused = most_confused(truth, given, 10);
  report.sets = {{"speech", 2, 0, true}, {"music", 2, 1, true}};
  const std::vector<double> probability = {0.9, 0.8, 0.7, 0.6};
  const std::vector<std::uint8_t> right = {1, 1, 1, 0};
  report.set_reliability = reliability(probability, right);
  report.reject = reject_curve(probability, right);
  return report;
}

TEST(MultilabelEvaluateReport, TellsTheErrorAndWhatIsTakenForWhat) {
  const MultilabelEvaluateReport report = an_evaluation();
  const std::string text = multilabel_evaluate_document(report).text;
  expect_in(text, {"exact-match error 0.2500 +- 0.2165\n", "music     speech         1\n"});
  const Value json = multilabel_evaluate_document(report).json;
  EXPECT_EQ(json.at("error_rate").as_number(), 0.25);
  EXPECT_EQ(json.at("hamming_loss").as_number(), 0.25);
  EXPECT_EQ(json.at("per_label").as_list().size(), 2U);
  EXPECT_EQ(json.at("confused").as_list()[0].at("truth").as_text(), "music");
}

TEST(MultilabelEvaluateReport, MeansOverItemsHaveStandardErrors) {
  const MultilabelEvaluateReport report = an_evaluation();
  expect_in(multilabel_evaluate_document(report).text,
            {"Hamming loss (share of wrong labels)        0.2500  0.2500\n"
             "precision, mean over items                  0.7500  0.2500\n"
             "recall, mean over items                     0.7500  0.2500\n"
             "F1, mean over items                         0.7500  0.2500\n"});
  const Value json = multilabel_evaluate_document(report).json;
  for (const char* key :
       {"hamming_loss_standard_error", "precision_standard_error", "recall_standard_error", "f1_standard_error"}) {
    EXPECT_EQ(json.at(key).as_number(), 0.25) << key;  // one wrong of four: sd 1/2 over the root of 4
  }
}

TEST(MultilabelEvaluateReport, TellsWhatRejectionWouldLeave) {
  MultilabelEvaluateReport report = an_evaluation();
  EXPECT_EQ(multilabel_evaluate_document(report).json.find("kept_error_rate"), nullptr);
  report.reject_below = 0.75;
  report.rejection.items = 2;
  report.rejection.kept_error = 0.5;
  report.rejection.kept_error_se = 0.25;
  expect_in(multilabel_evaluate_document(report).text,
            {"--reject-below 0.75 leaves 2 of 4 items (50.0 %) without labels; error of the others 0.5000 +- "
             "0.2500; all other measures are of all items\n"});
  report.rejection.items = 4;
  report.rejection.kept_error = report.rejection.kept_error_se = std::nan("");
  expect_in(multilabel_evaluate_document(report).text,
            {"--reject-below 0.75 leaves 4 of 4 items (100.0 %) without labels; all other measures are of all "
             "items\n"});
  EXPECT_TRUE(multilabel_evaluate_document(report).json.at("kept_error_rate").is_null());
}

TEST(MultilabelEvaluateReport, ThePageHasEverySectionThatHasData) {
  MultilabelEvaluateReport report = an_evaluation();
  const std::size_t plain = multilabel_evaluate_document(report).sections.size();
  report.comparison = {{"ours", report.quality, 0.0, 0.0}, {"other", report.quality, 0.0, 0.1}};
  report.learning = {{"ours", 10, 0.5, 0.1}, {"ours", 20, 0.4, 0.1}};
  EXPECT_EQ(multilabel_evaluate_document(report).sections.size(), plain + 2);
}

}  // namespace
}  // namespace motet::multilabel::evaluate_document_test
