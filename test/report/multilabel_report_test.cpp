#include "motet/report/multilabel_report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet {
namespace {

MultilabelFit two_sources() {
  MultilabelFit fit;
  MultilabelModel& model = fit.model;
  model.labels = {"speech", "music"};
  model.preparation.columns = {"low", "high"};
  model.options.covariance = Covariance::diagonal;
  model.sources.dimensions = 2;
  model.sources.count = 2;
  model.sources.location = {1.0, 2.0, -3.0, 0.5};
  model.sources.spread = {1.0, 1.0, 4.0, 4.0};
  model.prior.sets = BitMatrix(2, 2);
  model.prior.sets.set(0, 0);
  model.prior.sets.set(1, 0);
  model.prior.sets.set(1, 1);
  model.prior.counts = {30.0, 12.0};
  fit.items = 42;
  fit.label_sets = 2;
  fit.summary.stop = Stop::converged;
  fit.summary.objective = {-90.0, -84.0};
  fit.log_likelihood = -84.0;
  fit.explained = 42;
  return fit;
}

TEST(MultilabelTrainReport, TellsTheSourcesAndHowTheFitEnded) {
  const MultilabelFit fit = two_sources();
  const std::string text = multilabel_train_text({fit, "a.csv"});
  EXPECT_EQ(text,
            "42 items, 2 features, 2 labels in 2 different sets\n"
            "deconvolution, gaussian sum, diagonal covariance\n"
            "converged after 2 iterations, log-likelihood -2.000000 an item\n"
            "\n"
            "source  items  spread  mean low  mean high\n"
            "speech     42   1.000     1.000      2.000\n"
            "music      12   2.000    -3.000      0.500\n");
}

TEST(MultilabelTrainReport, TellsTheObjectiveWhereItIsNotTheLogLikelihood) {
  MultilabelFit fit = two_sources();
  fit.log_likelihood = -63.0;
  EXPECT_NE(multilabel_train_text({fit, "a.csv"}).find(", log-likelihood -1.500000 an item (objective -2.000000)\n"),
            std::string::npos);
  EXPECT_EQ(multilabel_train_json({fit, "a.csv"}).at("log_likelihood").as_number(), -63.0);
  EXPECT_EQ(multilabel_train_json({fit, "a.csv"}).at("objective").as_number(), -84.0);
  fit.log_likelihood.reset();
  EXPECT_NE(multilabel_train_text({fit, "a.csv"}).find(", objective -2.000000 an item\n"), std::string::npos);
  EXPECT_TRUE(multilabel_train_json({fit, "a.csv"}).at("log_likelihood").is_null());
}

TEST(MultilabelTrainReport, TellsWhatWasChosenAndByHowMuch) {
  MultilabelFit fit = two_sources();
  Trial first{"", fit.model.options, 0.25, 0.02, 1.5};
  Trial second = first;
  second.options.method = Training::cross;
  second.error = 0.5;
  second.behind = 0.25;
  second.behind_error = 0.03;
  fit.model.trials = {first, second};
  const std::string text = multilabel_train_text({fit, "a.csv"});
  EXPECT_NE(
      text.find(
          "chosen by cross-validation among 2 ways: exact-match error 0.2500 +- 0.0200; the next by error has "
          "0.5000, on the same items 0.2500 +- 0.0300 more\nrule: the least log loss of the ways within a standard "
          "error of the least exact-match error\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("cross, gaussian sum, diagonal covariance"), std::string::npos) << text;
  const Value json = multilabel_train_json({fit, "a.csv"});
  ASSERT_EQ(json.at("trials").as_list().size(), 2U);
  EXPECT_EQ(json.at("trials").as_list()[1].at("behind").as_number(), 0.25);
  EXPECT_EQ(json.at("trials").as_list()[1].at("behind_error").as_number(), 0.03);
  EXPECT_EQ(json.at("choice_rule").as_text(),
            "the least log loss of the ways within a standard error of the least exact-match error");
  // A way with a smaller error that the log loss did not choose.
  fit.model.trials[1].error = 0.24;
  fit.model.trials[1].behind = -0.01;
  EXPECT_NE(multilabel_train_text({fit, "a.csv"})
                .find("; the next by error has 0.2400, on the same items 0.0100 +- 0.0300 less\n"),
            std::string::npos);
}

TEST(MultilabelTrainReport, ProjectedFeaturesAreNamedByComponent) {
  Preparation preparation;
  preparation.columns = {"a", "b", "c"};
  EXPECT_EQ(model_columns(preparation), preparation.columns);
  preparation.components = {1, 0, 0, 0, 1, 0};
  preparation.explained = {0.6, 0.3};
  EXPECT_EQ(model_columns(preparation), (std::vector<std::string>{"pc1", "pc2"}));
}

TEST(MultilabelTrainReport, NamesWhatHasALabelSetOfItsOwn) {
  MultilabelFit fit = two_sources();
  fit.model.options.method = Training::fresh;
  EXPECT_EQ(source_name(fit.model, 0), "speech");
  EXPECT_EQ(source_name(fit.model, 1), "speech|music");
  EXPECT_NE(multilabel_train_text({fit, "a.csv"}).find("label set"), std::string::npos);
}

TEST(MultilabelAnalyzeReport, TellsWhatCannotBeToldApartAndWhatWouldHelp) {
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
  const std::string text = multilabel_analyze_text(report);
  EXPECT_NE(text.find("tell only 1 of 2 sources apart; not told apart: speech music\n"
                      "  items with speech alone would settle it\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("some label sets do not behave as the combination says"), std::string::npos) << text;
  const Value json = multilabel_analyze_json(report);
  EXPECT_FALSE(json.at("identifiable").as_bool());
  EXPECT_EQ(json.at("parameters").as_list()[0].at("bias").at("cross").as_number(), 0.5);
  EXPECT_EQ(multilabel_analyze_page(report).sections.size(), 4U);
}

}  // namespace
}  // namespace motet
