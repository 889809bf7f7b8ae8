#include "motet/multilabel/source_summary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/fit_cases.h"

namespace motet::multilabel::source_summary_test {
namespace {

TEST(SourceSummary, CountsTheItemsThatHaveASource) {
  MultilabelModel model = two_sources().model;
  EXPECT_EQ(items_of_source(model, 0), 42.0);
  EXPECT_EQ(items_of_source(model, 1), 12.0);
  EXPECT_EQ(items_of_source(model, 2), 42.0);  // the background is in all
  model.options.method = Training::fresh;
  EXPECT_EQ(items_of_source(model, 0), 30.0);
}

TEST(SourceSummary, SpreadIsTheRootOfTheMeanVariance) {
  Sources sources = two_sources().model.sources;
  sources.covariance = Covariance::diagonal;
  sources.spread = {1.0, 1.0, 7.0, 25.0};
  EXPECT_EQ(variances_of(sources, 1), (std::vector<double>{7.0, 25.0}));
  EXPECT_EQ(typical_spread(sources, 1), 4.0);
  sources.family = Family::poisson;
  EXPECT_TRUE(std::isnan(typical_spread(sources, 1)));
}

TEST(SourceSummary, PutsTheMostFrequentSetsFirst) {
  LabelSetPrior prior;
  prior.sets = BitMatrix(4, 2);
  prior.counts = {2.0, 5.0, 2.0, 9.0};
  EXPECT_EQ(sets_by_items(prior), (std::vector<std::size_t>{3, 1, 0, 2}));
}

TEST(SourceSummary, ErrorsAreRootMeanSquaresOverFeatures) {
  const std::vector<ParameterError> parameters = {{0, 0, 0.0, {3.0, 0, 0, 0, 0}, {0, 0, 0, 1.0, 0}, 0, 0},
                                                  {0, 1, 0.0, {4.0, 0, 0, 0, 0}, {0, 0, 0, 7.0, 0}, 0, 0}};
  const std::vector<SourceErrors> errors = errors_by_source(parameters, 2);
  EXPECT_DOUBLE_EQ(errors[0].standard_error[0], std::sqrt(12.5));
  EXPECT_DOUBLE_EQ(errors[0].bias[3], 5.0);
  EXPECT_TRUE(std::isnan(errors[1].bias[0]));
}

TEST(SourceSummary, DistanceFromTheTruthIsAMeanOverSources) {
  const MultilabelModel model = two_sources().model;  // (1, 2) and (-3, 0.5)
  const std::vector<double> truth = {1.0, 5.0, 1.0, 0.5};
  const TruthDistance of_model = truth_distance(truth, model, {});
  EXPECT_DOUBLE_EQ(of_model.mean_squared_error, 12.5);  // (9 + 16) / 2
  EXPECT_DOUBLE_EQ(of_model.root_mean_square, std::sqrt(12.5));
  EXPECT_TRUE(std::isnan(of_model.predicted_root_mean_square));
  std::vector<ParameterError> parameters;
  for (std::uint32_t i = 0; i < 4; ++i) {
    parameters.push_back({i / 2, i % 2, truth[i], {0.5, 0, 0, 0, 0}, {}, 0, 0});
  }
  const TruthDistance analysed = truth_distance(truth, model, parameters);
  EXPECT_EQ(analysed.mean_squared_error, 0.0);
  EXPECT_DOUBLE_EQ(analysed.predicted_root_mean_square, std::sqrt(0.5));  // 2 features of variance 1/4
}

}  // namespace
}  // namespace motet::multilabel::source_summary_test
