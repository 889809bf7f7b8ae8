#include "motet/app/multilabel/analyze_document.h"

#include <gtest/gtest.h>

#include "multilabel/fit_cases.h"
#include "support/texts.h"

namespace motet::multilabel::analyze_document_test {
namespace {

TEST(MultilabelAnalyzeDocument, TellsWhatCannotBeToldApartAndWhatWouldHelp) {
  const MultilabelFit fit = two_sources();
  Analysis analysis;
  analysis.items = 42;
  analysis.identifiability.identifiable = false;
  analysis.identifiability.rank = 1;
  analysis.identifiability.confounded = {{0, 1}};
  analysis.identifiability.advice = {"items with speech alone would settle it"};
  analysis.parameters.push_back({0, 0, 1.0, {0.1, 0.2, 0.3, 0.1, 0.1}, {0, 0, 0, 0.5, 0.25}, 0.8, 1.2});
  analysis.sets.push_back({"speech|music", 12, 9.0, 2.0, 0.01, 0.7});
  analysis.tested = 1;
  analysis.overall_p = 0.01;
  const MultilabelAnalyzeReport report{analysis, fit.model, "a.csv"};
  const Document document = multilabel_analyze_document(report);
  const std::string& text = document.text;
  expect_in(text, {"tell only 1 of 2 sources apart; not told apart: speech music\n"
                   "  items with speech alone would settle it\n",
                   "some label sets do not behave as the combination says"});
  const Value& json = document.json;
  EXPECT_FALSE(json.at("identifiable").as_bool());
  EXPECT_EQ(json.at("parameters").as_list()[0].at("bias").at("cross").as_number(), 0.5);
  EXPECT_EQ(document.sections.size(), 4U);
}

}  // namespace
}  // namespace motet::multilabel::analyze_document_test
