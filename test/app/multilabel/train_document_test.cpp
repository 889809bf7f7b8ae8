#include "motet/app/multilabel/train_document.h"

#include <gtest/gtest.h>

#include "multilabel/fit_cases.h"
#include "support/texts.h"

namespace motet::multilabel::train_document_test {
namespace {

TEST(MultilabelTrainDocument, TellsTheSourcesAndHowTheFitEnded) {
  const MultilabelFit fit = two_sources();
  const std::string text = multilabel_train_document({fit, "a.csv"}).text;
  EXPECT_EQ(text,
            "42 items, 2 features, 2 labels in 2 different sets\n"
            "deconvolution, gaussian sum, diagonal covariance\n"
            "converged after 2 iterations, log-likelihood -2.000000 per item\n"
            "\n"
            "source  items  spread  mean low  mean high\n"
            "speech     42   1.000     1.000      2.000\n"
            "music      12   2.000    -3.000      0.500\n");
}

TEST(MultilabelTrainDocument, TellsTheObjectiveWhereItIsNotTheLogLikelihood) {
  MultilabelFit fit = two_sources();
  fit.log_likelihood = -63.0;
  expect_in(multilabel_train_document({fit, "a.csv"}).text,
            {", log-likelihood -1.500000 per item (objective -2.000000)\n"});
  EXPECT_EQ(multilabel_train_document({fit, "a.csv"}).json.at("log_likelihood").as_number(), -63.0);
  EXPECT_EQ(multilabel_train_document({fit, "a.csv"}).json.at("objective").as_number(), -84.0);
  fit.log_likelihood.reset();
  expect_in(multilabel_train_document({fit, "a.csv"}).text, {", objective -2.000000 per item\n"});
  EXPECT_TRUE(multilabel_train_document({fit, "a.csv"}).json.at("log_likelihood").is_null());
}

TEST(MultilabelTrainDocument, TellsWhatWasChosenAndByHowMuch) {
  MultilabelFit fit = two_sources();
  Trial first{"", fit.model.options, 0.25, 0.02, 1.5};
  Trial second = first;
  second.options.method = Training::cross;
  second.error = 0.5;
  second.behind = 0.25;
  second.behind_error = 0.03;
  fit.model.trials = {first, second};
  const std::string text = multilabel_train_document({fit, "a.csv"}).text;
  expect_in(text,
            {"chosen by cross-validation among 2 ways: exact-match error 0.2500 +- 0.0200; the next by error has "
             "0.5000, on the same items 0.2500 +- 0.0300 more\nrule: the least log loss of the ways within a standard "
             "error of the least exact-match error\n",
             "cross, gaussian sum, diagonal covariance"});
  const Value json = multilabel_train_document({fit, "a.csv"}).json;
  ASSERT_EQ(json.at("trials").as_list().size(), 2U);
  EXPECT_EQ(json.at("trials").as_list()[1].at("behind").as_number(), 0.25);
  EXPECT_EQ(json.at("trials").as_list()[1].at("behind_error").as_number(), 0.03);
  EXPECT_EQ(json.at("choice_rule").as_text(),
            "the least log loss of the ways within a standard error of the least exact-match error");
  // A way with a smaller error that the log loss did not choose.
  fit.model.trials[1].error = 0.24;
  fit.model.trials[1].behind = -0.01;
  expect_in(multilabel_train_document({fit, "a.csv"}).text,
            {"; the next by error has 0.2400, on the same items 0.0100 +- 0.0300 less\n"});
}

TEST(MultilabelTrainDocument, NamesWhatHasALabelSetOfItsOwn) {
  MultilabelFit fit = two_sources();
  fit.model.options.method = Training::fresh;
  expect_in(multilabel_train_document({fit, "a.csv"}).text, {"label set"});
}

TEST(MultilabelTrainDocument, TellsWhatWasOptimised) {
  MultilabelFit fit = two_sources();
  TrainOptions way;
  way.optimize = Optimize::micro_f1;
  fit.model.trials = {{"first", way, 0.25, 0.1, 1.0, 0.0, 0.0, 0, 0.125},
                      {"second", way, 0.2, 0.1, 1.0, -0.05, 0.01, 1, 0.5}};
  const Document document = multilabel_train_document({fit, "d.csv"});
  EXPECT_NE(document.text.find("rule: the least 1 - micro F1\n"), std::string::npos) << document.text;
  EXPECT_NE(document.text.find("0.1250"), std::string::npos) << document.text;
  EXPECT_EQ(document.json.at("choice_rule").as_text(), "the least 1 - micro F1");
  EXPECT_EQ(document.json.at("trials").as_list()[1].at("loss").as_number(), 0.5);
}

TEST(MultilabelTrainDocument, TellsWeightsWhereThereAreNoSources) {
  MultilabelFit fit = two_sources();
  fit.model.options.method = Training::log_linear;
  fit.model.linear = LinearWeights{2, 2, {1.25, 0.0, -3.0, 0.5, 0.25, 0.75}, {}};
  const Document document = multilabel_train_document({fit, "d.csv"});
  EXPECT_NE(document.text.find("log-linear, penalty 0.1\n"), std::string::npos) << document.text;
  EXPECT_NE(document.text.find("high -3.00, low +1.25"), std::string::npos) << document.text;
  EXPECT_NE(document.text.find("log-likelihood of the sets, given the items, -2.000000 per item"), std::string::npos)
      << document.text;
  const Value& music = document.json.at("linear").as_list().at(1);
  EXPECT_EQ(music.at("name").as_text(), "music");
  EXPECT_EQ(music.at("intercept").as_number(), 0.75);
  EXPECT_EQ(music.at("weights").as_list().size(), 2U);
}

TEST(MultilabelTrainDocument, TellsMachinesTheVariancesOfEachSource) {
  const MultilabelFit fit = two_sources();
  const Document document = multilabel_train_document({fit, "a.csv"});
  EXPECT_EQ(document.json.at("sources").as_list()[1], Value::object({{"name", "music"},
                                                                     {"items", 12.0},
                                                                     {"mean", Value::list({-3.0, 0.5})},
                                                                     {"variance", Value::list({4.0, 4.0})}}));
}

TEST(MultilabelTrainDocument, HasASectionForEachPartOfTheFit) {
  MultilabelFit fit = two_sources();
  fit.warnings = {"label 'speech' is in every item"};
  const Document document = multilabel_train_document({fit, "a.csv", {{"--method", "auto"}}});
  std::vector<std::string> titles;
  for (const Section& section : document.sections) titles.push_back(section.title);
  EXPECT_EQ(titles,
            (std::vector<std::string>{"What to know first", "The sources", "Which labels come together", "The fit"}));
  EXPECT_EQ(document.sections[1].plots.size(), 2U);
  EXPECT_EQ(document.sections[3].plots.size(), 1U);
  EXPECT_EQ(document.sections[3].tables.size(), 1U);
}

TEST(MultilabelTrainDocument, LeavesOutWhatNobodyWants) {
  const MultilabelFit fit = two_sources();
  const Document whole = multilabel_train_document({fit, "a.csv"});
  const Document text = multilabel_train_document({fit, "a.csv"}, {.json = false, .page = false});
  EXPECT_EQ(text.text, whole.text);
  EXPECT_TRUE(text.json.is_null());
  EXPECT_TRUE(text.sections.empty());
}

}  // namespace
}  // namespace motet::multilabel::train_document_test
