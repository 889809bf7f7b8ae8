// What holds for every deconvolution, whatever the family.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/sources/density/set_density.h"
#include "multilabel/training_cases.h"
#include "support/threads.h"

namespace motet::multilabel::deconvolution_test {
namespace {

constexpr std::size_t labels = 4;
constexpr std::size_t dimensions = 3;
constexpr std::size_t rows = 400;

SourceFit fit(const DrawnItems& drawn, TrainOptions options) {
  return fit_sources(drawn.index, drawn.x, drawn.sources.dimensions, options, {});
}

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
  const DrawnItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 1);
  for (const double strength : {0.0, 3.0}) {
    for (const bool estimated : {false, true}) {
      TrainOptions options = GetParam().options;
      if (!estimated) options.shrinkage = 0.0;
      options.prior_strength = strength;
      options.max_iterations = 200;
      const SourceFit found = fit(drawn, options);
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
  const DrawnItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 2);
  const SourceFit found = fit(drawn, exactly(GetParam().options));
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
  const DrawnItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 3);
  const TrainOptions options = exactly(GetParam().options);
  const SourceFit one = fit(drawn, options);
  std::vector<std::uint32_t> order(labels);
  for (std::size_t k = 0; k < labels; ++k) order[k] = static_cast<std::uint32_t>((k + 1) % labels);
  DrawnItems other{drawn.sources, {}, {}};
  BitMatrix sets(rows, labels);
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t from = rows - 1 - n;
    const std::span<const double> x(drawn.x.data() + from * dimensions, dimensions);
    other.x.insert(other.x.end(), x.begin(), x.end());
    for (std::size_t k = 0; k < labels; ++k) sets.set(n, k, drawn.index.sets(drawn.index.of_row[from], order[k]));
  }
  other.index = index_label_sets(sets);
  const SourceFit two = fit(other, options);
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
  const DrawnItems drawn = drawn_items(GetParam().options, labels, dimensions, rows, 4);
  RunContext run;
  run.threads = {1};
  const SourceFit one = fit_sources(drawn.index, drawn.x, dimensions, GetParam().options, run);
  run.threads = {4, true};  // not counted: where a formula fits so few items, there is nothing to divide
  const SourceFit four = fit_sources(drawn.index, drawn.x, dimensions, GetParam().options, run);
  EXPECT_EQ(one.sources, four.sources);
}

// Planted parameters come back: the mean squared error of locations falls as 1 / items.
TEST_P(DeconvolutionSlow, recovers_what_was_planted) {
  const DrawnItems drawn = drawn_items(GetParam().options, labels, dimensions, 4000, 5);
  const SourceFit found = fit(drawn, GetParam().options);
  // An item has a spread of about 3 and a source is in about 1600 items of 2 sources: 0.1 is over one standard error
  // of the worst family; 4 of them are allowed to any of the parameters.
  for (std::size_t i = 0; i < found.sources.location.size(); ++i) {
    EXPECT_NEAR(found.sources.location[i], drawn.sources.location[i], 0.4) << "at " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(closed_forms, DeconvolutionSlow, testing::ValuesIn(closed_forms()),
                         [](const auto& info) { return info.param.name; });

// One EM step at a time, the means by Gauss-Seidel sweeps of (5.15): a slower way to the same optimum.
TEST(DeconvolutionBySweeps, agrees) {
  TrainOptions options = exactly(trained_as(Family::gaussian, Combination::sum, Covariance::spherical));
  const DrawnItems drawn = drawn_items(options, labels, dimensions, rows, 6);
  const SourceFit found = fit(drawn, options);
  const SetStatistics s = gather(drawn.index, drawn.x, dimensions, Family::gaussian, false, {1});
  std::vector<double> mean(labels * dimensions, 0.0);
  std::vector<double> variance(labels, 1.0);
  const auto sum = [&](std::size_t l, std::size_t d) {
    double total = 0.0;
    for (std::size_t k = 0; k < labels; ++k) total += s.sets(l, k) ? mean[k * dimensions + d] : 0.0;
    return total;
  };
  const auto spread = [&](std::size_t l) {
    double total = 0.0;
    for (std::size_t k = 0; k < labels; ++k) total += s.sets(l, k) ? variance[k] : 0.0;
    return total;
  };
  for (int iteration = 0; iteration < 600; ++iteration) {
    for (std::size_t k = 0; k < labels; ++k) {
      for (std::size_t d = 0; d < dimensions; ++d) {
        double above = 0.0;
        double below = 0.0;
        for (std::size_t l = 0; l < s.size(); ++l) {
          if (!s.sets(l, k)) continue;
          const double weight = s.count[l] / spread(l);
          above += weight * (s.mean[l * dimensions + d] - sum(l, d) + mean[k * dimensions + d]);
          below += weight;
        }
        mean[k * dimensions + d] = above / below;
      }
    }
    std::vector<double> next(labels);
    for (std::size_t k = 0; k < labels; ++k) {
      double above = 0.0;
      double items = 0.0;
      for (std::size_t l = 0; l < s.size(); ++l) {
        if (!s.sets(l, k)) continue;
        items += s.count[l];
        for (std::size_t d = 0; d < dimensions; ++d) {
          const double r = s.mean[l * dimensions + d] - sum(l, d);
          const double square = s.scatter[l * dimensions + d] + s.count[l] * r * r;
          above += (square / spread(l) - s.count[l]) / spread(l);
        }
      }
      next[k] = variance[k] + variance[k] * variance[k] * above / (items * dimensions);
    }
    variance = next;
  }
  for (std::size_t k = 0; k < labels; ++k) EXPECT_NEAR(found.sources.spread[k], variance[k], 1e-7);
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(found.sources.location[i], mean[i], 1e-7);
}

// One covariance for all is the same from items, from statistics, and as own covariances shrunk wholly.
TEST(SharedCovariance, needs_only_one_matrix_of_scatter) {
  for (const bool background : {false, true}) {
    for (const Combination combine : {Combination::sum, Combination::mean}) {
      const TrainOptions options = trained_as(Family::gaussian, combine, Covariance::shared, background);
      const DrawnItems drawn = drawn_items(options, labels, dimensions, rows, 7);
      const SourceFit from_items = fit(drawn, options);
      const SourceFit from_statistics =
          fit_sources(gather(drawn.index, drawn.x, dimensions, Family::gaussian, true, {1}), options, {});
      for (std::size_t i = 0; i < from_items.sources.spread.size(); ++i) {
        EXPECT_NEAR(from_items.sources.spread[i], from_statistics.sources.spread[i], 1e-11);
      }
      EXPECT_NEAR(from_items.summary.objective.back(), from_statistics.summary.objective.back(), 1e-7);
    }
  }
}

std::string message_of(const DrawnItems& drawn, const TrainOptions& options, ErrorKind kind) {
  try {
    fit(drawn, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "";
}

DrawnItems with_sets(const std::vector<std::vector<std::size_t>>& sets, std::size_t label_count, std::size_t each,
                     std::size_t columns) {
  Rng rng(Seed{8});
  DrawnItems drawn;
  BitMatrix bits(sets.size() * each, label_count);
  for (std::size_t n = 0; n < bits.rows(); ++n) {
    for (const std::size_t k : sets[n / each]) bits.set(n, k);
    for (std::size_t d = 0; d < columns; ++d) drawn.x.push_back(rng.normal() + static_cast<double>(n / each));
  }
  drawn.sources.dimensions = columns;
  drawn.index = index_label_sets(bits);
  return drawn;
}

TEST(DeconvolutionWithoutSingles, needs_only_sets_of_full_rank) {
  const DrawnItems drawn = with_sets({{0, 1}, {1, 2}, {0, 2}}, 3, 20, 2);
  const SourceFit found = fit(drawn, trained_as(Family::gaussian, Combination::sum));
  EXPECT_EQ(found.sources.count, 3U);
}

TEST(DeconvolutionErrors, name_sources_that_cannot_be_told_apart) {
  const DrawnItems drawn = with_sets({{0, 1}, {2}, {0, 1, 2}}, 3, 20, 2);
  TrainOptions options = trained_as(Family::gaussian, Combination::sum);
  EXPECT_EQ(message_of(drawn, options, ErrorKind::unanswerable),
            "the label sets have rank 2, below the 3 sources: label 1 and label 2 cannot be told apart; add items in "
            "which they occur in other sets, or use --prior-strength");
  options.prior_strength = 1.0;
  EXPECT_EQ(message_of(drawn, options, ErrorKind::unanswerable), "");
}

TEST(DeconvolutionErrors, tell_items_without_labels) {
  const DrawnItems drawn = with_sets({{}, {0}, {1}}, 2, 20, 2);
  EXPECT_EQ(message_of(drawn, trained_as(Family::gaussian, Combination::sum), ErrorKind::unanswerable),
            "20 items have no label, so no source explains them; use --background");
}

TEST(DeconvolutionErrors, tell_a_label_in_no_item) {
  const DrawnItems drawn = with_sets({{0}, {1}}, 3, 20, 2);
  EXPECT_EQ(message_of(drawn, trained_as(Family::gaussian, Combination::sum), ErrorKind::unanswerable),
            "label 3 is in no item, so nothing can be learnt about it");
}

TEST(DeconvolutionErrors, tell_more_features_than_items) {
  const DrawnItems drawn = with_sets({{0}, {1}, {0, 1}}, 2, 5, 20);
  for (const Covariance covariance : {Covariance::full, Covariance::shared, Covariance::diagonal}) {
    TrainOptions options = trained_as(Family::gaussian, Combination::sum, covariance);
    EXPECT_EQ(message_of(drawn, options, ErrorKind::unanswerable), "");  // shrinkage is estimated
    if (covariance == Covariance::diagonal) continue;
    options.shrinkage = 0.0;
    EXPECT_EQ(message_of(drawn, options, ErrorKind::unanswerable),
              "shrinkage = 0 leaves a covariance that cannot be inverted: 20 features and 15 items; leave shrinkage to "
              "be estimated, or use fewer features");
  }
}

TEST(DeconvolutionErrors, tell_a_constant_feature) {
  DrawnItems drawn = with_sets({{0}, {1}, {0, 1}}, 2, 20, 3);
  for (std::size_t n = 0; n < 60; ++n) drawn.x[n * 3 + 1] = 0.0;
  for (const Covariance covariance :
       {Covariance::full, Covariance::shared, Covariance::diagonal, Covariance::spherical}) {
    TrainOptions options = trained_as(Family::gaussian, Combination::sum, covariance);
    EXPECT_EQ(message_of(drawn, options, ErrorKind::unanswerable), "");
    options.shrinkage = 0.0;
    EXPECT_EQ(message_of(drawn, options, ErrorKind::unanswerable),
              "shrinkage = 0 leaves a covariance that cannot be inverted: feature 2 does not vary inside the label "
              "sets; leave shrinkage to be estimated, or use fewer features");
  }
}

TEST(DeconvolutionErrors, tell_wrong_usage) {
  const DrawnItems drawn = with_sets({{0}, {1}, {0, 1}}, 2, 20, 2);
  EXPECT_EQ(message_of(drawn, trained_as(Family::gaussian, Combination::sum, Covariance::point), ErrorKind::usage),
            "covariance = point is without spread; it needs noise");
  TrainOptions options = trained_as(Family::gaussian, Combination::sum, Covariance::full, false, true);
  options.method = Training::cross;
  EXPECT_EQ(message_of(drawn, options, ErrorKind::usage),
            "noise: method = cross cannot tell it from the sources; deconvolution can");
  options = trained_as(Family::poisson, Combination::sum, Covariance::diagonal, false, true);
  DrawnItems counts = drawn;
  for (double& x : counts.x) x = std::floor(std::abs(x));
  EXPECT_EQ(message_of(counts, options, ErrorKind::usage),
            "noise: source = poisson has none; gaussian, lognormal and bernoulli have");
}

}  // namespace
}  // namespace motet::multilabel::deconvolution_test
