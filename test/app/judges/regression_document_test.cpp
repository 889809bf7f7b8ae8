#include "motet/app/judges/regression_document.h"

#include <gtest/gtest.h>

#include "support/texts.h"

namespace motet::judges::regression_document_test {
namespace {

TEST(RegressionDocument, NamesTheLineOfAFactorJudgeOnlyThere) {
  RegressionFit fit;
  fit.model.judges.resize(1);
  fit.model.judges[0].name = "ann";
  fit.model.options.noise = RegressionNoise::channel;
  const Document channel = regression_document(fit, "a.csv", 3);
  EXPECT_EQ(channel.json.at("judges").as_list()[0].find("slope"), nullptr);
  expect_in(channel.text, {"theta"});
  fit.model.options.noise = RegressionNoise::factor;
  const Document factor = regression_document(fit, "a.csv", 3);
  EXPECT_NE(factor.json.at("judges").as_list()[0].find("slope"), nullptr);
  EXPECT_EQ(factor.text.find("theta"), std::string::npos);
  EXPECT_EQ(factor.sections.at(0).plots.size(), 2U);
}

}  // namespace
}  // namespace motet::judges::regression_document_test
