#include "motet/temporal/mixture/static_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/temporal/mixture/kmeans.h"
#include "motet/temporal/mixture/mixture_step.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::static_fit_test {
namespace {

constexpr double rounding = 1e-12;  // relative, of the objective

struct Start {
  Features features;
  GlobalShape global;
  Mixture mixture;

  Start(Features given, std::size_t components, MixtureCovariance kind = MixtureCovariance::full)
      : features(std::move(given)), global(global_shape(features, 1e-6, {1})) {
    mixture.columns = features.columns;
    mixture.covariance = kind;
    mixture.components.resize(components);
    const Clusters clusters = kmeans(features, components, 1, ColumnUnits::own, {});
    maximise_from_states(features, clusters.states, {}, 0.0, global, {1}, mixture);
  }
};

void expect_no_fall(const FitSummary& summary) {
  for (std::size_t i = 1; i < summary.objective.size(); ++i) {
    EXPECT_GE(summary.objective[i], summary.objective[i - 1] - rounding * std::abs(summary.objective[i])) << i;
  }
}

TEST(StaticFit, ObjectiveNeverFalls) {
  for (const MixtureCovariance kind : {MixtureCovariance::full, MixtureCovariance::diagonal, MixtureCovariance::tied}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Start start(clustered_rows(400, 3, 3, 1.0, seed), 4, kind);
      const FitSummary summary = fit_static(start.features, {}, start.global, {0.1, 200, 1e-10}, {}, "", start.mixture);
      EXPECT_GT(summary.iterations(), 5U);
      EXPECT_TRUE(summary.warnings.empty());
      expect_no_fall(summary);
    }
  }
}

TEST(StaticFit, ObjectiveNeverFallsWithLabelsThatAreNotWeighted) {
  Start start(clustered_rows(400, 3, 3, 1.0, 9), 3);
  start.mixture.classes = {"a", "b"};
  start.mixture.components[0].of_class = 0;
  start.mixture.components[1].of_class = 1;
  start.mixture.components[2].of_class = 1;
  RowLabels labels(400, -1);
  for (std::size_t n = 0; n < 60; ++n) labels[n] = n % 3 == 0 ? 0 : 1;
  const FitSummary summary =
      fit_static(start.features, labels, start.global, {0.0, 3000, 1e-10}, {}, "", start.mixture);
  expect_no_fall(summary);
  EXPECT_EQ(summary.stop, Stop::converged);
}

TEST(StaticFit, WeightedLabelsEndByASmallChange) {
  Start start(clustered_rows(400, 3, 2, 2.0, 9), 2);
  start.mixture.classes = {"a", "b"};
  start.mixture.components[0].of_class = 0;
  start.mixture.components[1].of_class = 1;
  RowLabels labels(400, -1);
  labels[0] = 0;
  labels[1] = 1;
  labels[2] = 1;  // wrong, and heavy
  const FitSummary summary = fit_static(start.features, labels, start.global, {0.5, 500, 1e-9}, {}, "", start.mixture);
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_TRUE(summary.warnings.empty());
}

TEST(StaticFit, SameBitsOnAnyNumberOfThreads) {
  const Start start(clustered_rows(20'000, 4, 3, 1.5, 3), 3);
  std::vector<double> parameters;
  for (const unsigned threads : {1U, 2U, 4U}) {
    Mixture mixture = start.mixture;
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    fit_static(start.features, {}, start.global, {0.0, 6, 0.0}, run, "", mixture);
    if (threads == 1) parameters = to_parameters(mixture);
    EXPECT_EQ(to_parameters(mixture), parameters);
  }
}

TEST(StaticFit, OrderOfRowsAndNamesOfComponentsDoNotMatter) {
  Start start(clustered_rows(500, 2, 2, 3.0, 4), 2);
  Start other = start;
  const std::size_t rows = start.features.rows();
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t d = 0; d < 2; ++d) other.features.values[(rows - 1 - n) * 2 + d] = start.features.row(n)[d];
  }
  std::swap(other.mixture.components[0], other.mixture.components[1]);
  const FitSummary one = fit_static(start.features, {}, start.global, {0.0, 500, 1e-13}, {}, "", start.mixture);
  const FitSummary two = fit_static(other.features, {}, other.global, {0.0, 500, 1e-13}, {}, "", other.mixture);
  EXPECT_NEAR(one.objective.back(), two.objective.back(), 1e-12);
  for (std::size_t d = 0; d < 2; ++d) {
    EXPECT_NEAR(start.mixture.components[0].mean[d], other.mixture.components[1].mean[d], 1e-6);
  }
}

TEST(StaticFit, PlantedParametersAreRecovered) {
  const std::size_t rows = 20'000;
  Start start(clustered_rows(rows, 2, 2, 4.0, 5), 2);
  fit_static(start.features, {}, start.global, {0.0, 500, 1e-10}, {}, "", start.mixture);
  const bool swapped = start.mixture.components[0].mean[0] > 2.0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Component& component = start.mixture.components[swapped ? 1 - k : k];
    // Variance 1.25, covariance 0.25, half the rows each; 5 standard errors, and a tenth more as clusters overlap.
    const double count = static_cast<double>(rows) / 2.0;
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(component.mean[d], 4.0 * static_cast<double>(k), 5.5 * std::sqrt(1.25 / count));
      EXPECT_NEAR(component.covariance[d * 3], 1.25, 5.5 * 1.25 * std::sqrt(2.0 / count));
    }
    EXPECT_NEAR(component.covariance[1], 0.25, 5.5 * std::sqrt((1.25 * 1.25 + 0.25 * 0.25) / count));
    EXPECT_NEAR(component.share, 0.5, 5.5 * 0.5 / std::sqrt(static_cast<double>(rows)));
  }
}

TEST(StaticFit, GoesOnFromACheckpointToTheSameBits) {
  const Start start(clustered_rows(3'000, 3, 3, 1.0, 6), 3);
  Mixture whole = start.mixture;
  const FitSummary all = fit_static(start.features, {}, start.global, {0.0, 30, 0.0}, {}, "static", whole);
  Checkpoint kept;
  RunContext first;
  first.save = [&](const Checkpoint& state) {
    if (state.iteration == 11) kept = state;
  };
  Mixture part = start.mixture;
  fit_static(start.features, {}, start.global, {0.0, 13, 0.0}, first, "static", part);
  RunContext second;
  second.resume = [&](std::string_view) { return &kept; };
  Mixture resumed = start.mixture;
  const FitSummary rest = fit_static(start.features, {}, start.global, {0.0, 30, 0.0}, second, "static", resumed);
  EXPECT_EQ(to_parameters(resumed), to_parameters(whole));
  EXPECT_EQ(rest.objective, all.objective);
}

TEST(StaticFit, ParametersAreKeptInAFlatVector) {
  const Start start(clustered_rows(50, 3, 2, 3.0, 6), 2);
  Mixture back = start.mixture;
  for (Component& component : back.components) component = {{}, {}, 0.0, component.of_class};
  from_parameters(to_parameters(start.mixture), back);
  EXPECT_EQ(back.components, start.mixture.components);
}

}  // namespace
}  // namespace motet::temporal::static_fit_test
