#include "motet/multilabel/sources/fit_sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/sources/density/set_density.h"
#include "multilabel/training_cases.h"
#include "support/expect_error.h"
#include "support/threads.h"

namespace motet::multilabel::fit_sources_test {
namespace {

constexpr std::size_t labels = 4;
constexpr std::size_t dimensions = 3;
constexpr std::size_t rows = 400;

// Noise beside matrices: the best of them often has directions without spread, which EM nears slowly.
bool is_on_the_edge(const TrainOptions& options) {
  return options.noise && (options.covariance == Covariance::full || options.covariance == Covariance::shared);
}

// Maximum likelihood, all digits.
TrainOptions exactly(TrainOptions options) {
  options.shrinkage = 0.0;
  options.tolerance = is_on_the_edge(options) ? 1e-6 : 1e-13;
  return options;
}

class DeconvolutionSlow : public testing::TestWithParam<TrainingCase> {};

TEST_P(DeconvolutionSlow, never_lets_the_objective_fall) {
  const KnownItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 1);
  for (const double strength : {0.0, 3.0}) {
    for (const bool estimated : {false, true}) {
      TrainOptions options = GetParam().options;
      if (!estimated) options.shrinkage = 0.0;
      options.prior_strength = strength;
      options.max_iterations = 200;
      const SourceFit found = fit_of(drawn, options);
      EXPECT_NE(found.summary.stop, Stop::objective_fell);
      EXPECT_TRUE(found.summary.warnings.empty());
      const std::vector<double>& trace = found.summary.objective;
      for (std::size_t i = 1; i < trace.size(); ++i) {
        EXPECT_GE(trace[i], trace[i - 1] - 1e-12 * std::abs(trace[i])) << "step " << i;
      }
    }
  }
}

// Central differences of the log-likelihood along each parameter are 0 at the optimum.
TEST_P(DeconvolutionSlow, ends_where_the_score_vanishes) {
  const KnownItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 2);
  const SourceFit found = fit_of(drawn, exactly(GetParam().options));
  const auto likelihood = [&](const Sources& sources) {
    return log_likelihood(sources, drawn.index.sets, drawn.index.of_row, drawn.x, Threads{1});
  };
  EXPECT_NEAR(found.summary.objective.back(), likelihood(found.sources),
              1e-9 * std::abs(found.summary.objective.back()));
  constexpr double step = 1e-4;
  // Differences of a sum of about 1e3 cost 1e-12 / step, and the third derivative step^2 times the rows.
  constexpr double vanishing = 2e-4 * rows / 100.0;
  const auto check = [&](std::vector<double> Sources::*part, bool is_matrix) {
    const std::vector<double>& values = found.sources.*part;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t row = i / dimensions % dimensions;
      const std::size_t column = i % dimensions;
      if (is_matrix && row != column) continue;  // one side of a symmetric matrix cannot move alone
      const bool is_probability = found.sources.family == Family::bernoulli;
      if (std::min(values[i], is_probability ? 1.0 - values[i] : 1.0) < 3.0 * step) {
        if (part != &Sources::location || !is_gaussian(found.sources.family)) continue;  // on the edge
      }
      Sources moved = found.sources;
      (moved.*part)[i] = values[i] + step;
      const double up = likelihood(moved);
      (moved.*part)[i] = values[i] - step;
      const double score = (up - likelihood(moved)) / (2.0 * step);
      EXPECT_NEAR(score, 0.0, vanishing) << "parameter " << i;
    }
  };
  const bool matrices =
      GetParam().options.covariance == Covariance::full || GetParam().options.covariance == Covariance::shared;
  const bool gaussian = is_gaussian(GetParam().options.source);
  check(&Sources::location, false);
  if (is_on_the_edge(GetParam().options)) return;
  check(&Sources::spread, gaussian && matrices);
  const bool diagonal_noise =
      GetParam().options.covariance == Covariance::spherical || GetParam().options.covariance == Covariance::diagonal;
  if (gaussian && !diagonal_noise) check(&Sources::noise, true);
}

// Reordering items and renaming labels changes the sums by rounding only.
TEST_P(DeconvolutionSlow, does_not_depend_on_the_order_of_items_and_labels) {
  const KnownItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 3);
  const TrainOptions options = exactly(GetParam().options);
  const SourceFit one = fit_of(drawn, options);
  std::vector<std::uint32_t> order(labels);
  for (std::size_t k = 0; k < labels; ++k) order[k] = static_cast<std::uint32_t>((k + 1) % labels);
  KnownItems other{drawn.sources, {}, {}};
  BitMatrix sets(rows, labels);
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t from = rows - 1 - n;
    const std::span<const double> x(drawn.x.data() + from * dimensions, dimensions);
    other.x.insert(other.x.end(), x.begin(), x.end());
    for (std::size_t k = 0; k < labels; ++k) sets.set(n, k, drawn.index.sets(drawn.index.of_row[from], order[k]));
  }
  other.index = index_label_sets(sets);
  const SourceFit two = fit_of(other, options);
  EXPECT_NEAR(one.summary.objective.back(), two.summary.objective.back(), is_on_the_edge(options) ? 0.1 : 1e-8);
  // Where the optimum is flat (noise beside sources), parameters are only as sure as the root of that.
  const double within = options.noise ? 1e-2 : 1e-5;
  for (std::size_t k = 0; k < labels; ++k) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      EXPECT_NEAR(two.sources.location[k * dimensions + d], one.sources.location[order[k] * dimensions + d], within);
    }
  }
}

TEST_P(DeconvolutionSlow, gives_the_same_bits_on_any_number_of_threads) {
  const KnownItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 4);
  RunContext run;
  run.threads = {1};
  const SourceFit one = fit_sources(drawn.index, drawn.x, dimensions, GetParam().options, run);
  run.threads = {4, true};  // not counted: where a formula fits so few items, there is nothing to divide
  const SourceFit four = fit_sources(drawn.index, drawn.x, dimensions, GetParam().options, run);
  EXPECT_EQ(one.sources, four.sources);
}

// Planted parameters come back: the mean squared error of locations falls as 1 / items.
TEST_P(DeconvolutionSlow, recovers_what_was_planted) {
  const KnownItems drawn = drawn_items(GetParam().options, labels, dimensions, 4000, 5);
  const SourceFit found = fit_of(drawn, GetParam().options);
  // An item has a spread of about 3 and a source is in about 1600 items of 2 sources: 0.1 is over one standard error
  // of the worst family; 4 of them are allowed to any of the parameters.
  for (std::size_t i = 0; i < found.sources.location.size(); ++i) {
    EXPECT_NEAR(found.sources.location[i], drawn.sources.location[i], 0.4) << "at " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(closed_forms, DeconvolutionSlow, testing::ValuesIn(closed_forms()),
                         [](const auto& info) { return info.param.name; });

TEST(DeconvolutionWithoutSingles, needs_only_sets_of_full_rank) {
  const KnownItems drawn = with_sets({{0, 1}, {1, 2}, {0, 2}}, 3, 20, 2);
  const SourceFit found = fit_of(drawn, trained_as(Family::gaussian, Combination::sum));
  EXPECT_EQ(found.sources.count, 3U);
}

void refuses(const KnownItems& drawn, const TrainOptions& options, const std::string& text) {
  expect_error(ErrorKind::usage, text, [&] { fit_of(drawn, options); });
}

TEST(FitSources, WrongUsageIsRefused) {
  const KnownItems drawn = with_sets({{0}, {1}, {0, 1}}, 2, 20, 2);
  refuses(drawn, trained_as(Family::gaussian, Combination::sum, Covariance::point),
          "--covariance point is without spread; it needs --noise");
  TrainOptions options = trained_as(Family::gaussian, Combination::sum, Covariance::full, false, true);
  options.method = Training::cross;
  refuses(drawn, options, "--noise: --method cross cannot tell it from the sources; deconvolution can");
  options = trained_as(Family::poisson, Combination::sum, Covariance::diagonal, false, true);
  KnownItems counts = drawn;
  for (double& x : counts.x) x = std::floor(std::abs(x));
  refuses(counts, options, "--noise: --source poisson has none; gaussian, lognormal and bernoulli have");
  options = {};
  options.method = Training::automatic;
  refuses(drawn, options, "--method auto is chosen from items, not from statistics");
  refuses(drawn, trained_as(Family::lognormal, Combination::sum, Covariance::full),
          "--covariance full: --source lognormal with --combine sum has only diagonal");
}

TEST(FitSources, WhatNeedsTheItemsIsNotLearntFromStatistics) {
  const KnownItems drawn = drawn_items(trained_as(Family::lognormal, Combination::product), 2, 2, 50, 9);
  const SetStatistics statistics = gather(drawn.index, drawn.x, 2, Family::lognormal, false, {1});
  EXPECT_TRUE(is_closed_form(Family::lognormal, Combination::product));
  for (const Combination combine : {Combination::sum, Combination::one_of}) {
    EXPECT_FALSE(is_closed_form(Family::lognormal, combine));
    const std::string word = combination_words[static_cast<std::size_t>(combine)];
    expect_error(ErrorKind::usage,
                 "--source lognormal with --combine " + word + " cannot be learnt from statistics of label sets",
                 [&] { fit_sources(statistics, trained_as(Family::lognormal, combine), {}); });
  }
}

TEST(FitSources, ItemsAndTheirStatisticsTellTheSame) {
  for (const TrainOptions& closed :
       {trained_as(Family::gaussian, Combination::mean, Covariance::full, true),
        trained_as(Family::lognormal, Combination::product), trained_as(Family::gamma, Combination::sum)}) {
    for (const Training method : {Training::deconvolution, Training::cross, Training::fresh}) {
      TrainOptions options = closed;
      options.method = method;
      const KnownItems drawn = drawn_items(closed, 3, 2, 200, 10);
      const SourceFit items = fit_of(drawn, options);
      const bool full = options.covariance == Covariance::full;
      const SourceFit statistics = fit_sources(gather(drawn.index, drawn.x, 2, options.source, full, {1}), options, {});
      EXPECT_EQ(items.sources, statistics.sources) << family_word(closed.source);
      EXPECT_EQ(items.sources.count, method == Training::fresh ? drawn.index.size() : drawn.sources.count);
      EXPECT_EQ(items.sources.background, closed.background && method != Training::fresh);
    }
  }
}

// Items of several labels teach nothing to `ignore`: they may even be what the sources cannot make.
TEST(FitSources, ValuesOfItemsThatTeachNothingNeedNotSuit) {
  TrainOptions options = trained_as(Family::poisson, Combination::sum);
  options.method = Training::ignore;
  KnownItems drawn = drawn_items(trained_as(Family::poisson, Combination::sum), 3, 2, 200, 11);
  const Sources before = fit_of(drawn, options).sources;
  for (std::size_t n = 0; n < 200; ++n) {
    if (drawn.index.sets.count(drawn.index.of_row[n]) > 1) drawn.x[2 * n] = -0.5;
  }
  EXPECT_EQ(fit_of(drawn, options).sources, before);
}

TEST(FitSources, LabelsAreNamedWhereTheirNamesAreKnown) {
  const KnownItems drawn = with_sets({{0}, {1}}, 3, 20, 2);
  const std::vector<std::string> names{"rain", "wind", "hail"};
  expect_error(ErrorKind::unanswerable, "label 'hail' is in no item, so nothing can be learnt about it",
               [&] { fit_named_sources(drawn.index, drawn.x, 2, {}, {}, names); });
  expect_error(ErrorKind::unanswerable, "label 3 is in no item, so nothing can be learnt about it",
               [&] { fit_of(drawn, {}); });
}

}  // namespace
}  // namespace motet::multilabel::fit_sources_test
