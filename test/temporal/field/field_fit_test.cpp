#include "motet/temporal/field/field_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/temporal/field/conditional.h"
#include "motet/temporal/mixture/kmeans.h"
#include "motet/temporal/mixture/mixture_step.h"
#include "motet/temporal/mixture/static_fit.h"
#include "support/cancelled.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::field_fit_test {
namespace {

constexpr double rounding = 1e-10;  // relative, of a bound summed over all rows

struct Start {
  Features features;
  GlobalShape global;
  Mixture mixture;
  FieldState state;

  Start(Features given, std::size_t components, std::size_t radius, double nats)
      : features(std::move(given)), global(global_shape(features, 1e-6, {1})) {
    mixture.columns = features.columns;
    mixture.components.resize(components);
    const Clusters clusters = kmeans(features, components, 1, ColumnUnits::own, {});
    maximise_from_states(features, clusters.states, {}, 0.0, global, {1}, mixture);
    mixture.field.radius = radius;
    mixture.field = with_total_weight(mixture.field, nats);
    state.states = clusters.states;
  }

  FitSummary fit(const FieldRule& rule, const RowLabels& labels = {}, const RunContext& run = {},
                 std::string_view stage = "") {
    return fit_field(features, labels, global, rule, run, stage, mixture, state);
  }
};

TEST(FieldFit, ObjectiveNeverFallsWhenInferenceIsExactOrMeanField) {
  for (const Inference inference : {Inference::exact, Inference::mean_field}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Start start(clustered_rows(160, 2, 3, 0.8, seed, 12), 3, 2, 1.0 + static_cast<double>(seed));
      const FitSummary summary = start.fit({inference, 0.1, 30, 1e-12});
      EXPECT_GT(summary.iterations(), 3U);
      EXPECT_TRUE(summary.warnings.empty());
      for (std::size_t i = 1; i < summary.objective.size(); ++i) {
        EXPECT_GE(summary.objective[i], summary.objective[i - 1] - rounding * std::abs(summary.objective[i]))
            << "seed " << seed << ", step " << i;
      }
    }
  }
}

TEST(FieldFit, MeanFieldIsBelowExact) {
  Start exact(clustered_rows(200, 2, 2, 1.0, 3, 10), 2, 2, 3.0);
  Start mean_field = exact;
  const double bound = mean_field.fit({Inference::mean_field, 0.1, 1, 0.0}).objective[0];
  EXPECT_LT(bound, exact.fit({Inference::exact, 0.1, 1, 0.0}).objective[0]);
}

// A field that hardly pulls is a mixture of equal shares, whose likelihood is known without any field.
TEST(FieldFit, AWeakFieldHasTheLikelihoodOfEqualShares) {
  for (const Inference inference : {Inference::mean_field, Inference::exact}) {
    Start start(clustered_rows(150, 2, 3, 1.0, 2, 10), 3, 2, 1e-9);
    Mixture equal = start.mixture;
    for (Component& component : equal.components) component.share = 1.0 / 3.0;
    std::vector<std::uint8_t> states(150);
    std::vector<double> probability(150);
    const double expected = assign_static(start.features, equal, {}, {1}, states, probability) / 150.0;
    const double prior = log_floor_prior(DensityFactors(equal.components, 2), start.global, equal.covariance) / 150.0;
    EXPECT_NEAR(start.fit({inference, 0.0, 1, 0.0}).objective[0], expected + prior, 1e-7);
  }
}

// Summed over all places that one row could be at, the density of five rows is that of the other four.
TEST(FieldFit, TheExactObjectiveIsALogDensity) {
  Start start(features_of(1, {0.0, 0.3, 2.0, 2.5, 0.1}), 2, 2, 3.0);
  const double prior =
      log_floor_prior(DensityFactors(start.mixture.components, 1), start.global, MixtureCovariance::full);
  const auto log_density = [&](double middle) {
    Start own = start;
    own.features.values[2] = middle;
    return 5.0 * own.fit({Inference::exact, 0.0, 1, 0.0}).objective[0] - prior;
  };
  double integral = 0.0;
  const double step = 0.05;
  for (double x = -12.0; x < 15.0; x += step) integral += std::exp(log_density(x)) * step;
  double four = 0.0;  // by all labellings of five rows, the middle one summed out
  double z = 0.0;
  const auto density = [&](std::size_t k, double x) {
    const Component& component = start.mixture.components[k];
    const double d = x - component.mean[0];
    return std::exp(-0.5 * d * d / component.covariance[0]) /
           std::sqrt(2.0 * 3.141592653589793 * component.covariance[0]);
  };
  const std::vector<std::size_t> starts{0, 5};
  for (std::size_t all = 0; all < 32; ++all) {
    std::vector<std::uint8_t> states(5);
    double product = 1.0;
    for (std::size_t n = 0; n < 5; ++n) {
      states[n] = static_cast<std::uint8_t>(all >> n & 1U);
      if (n != 2) product *= density(states[n], start.features.values[n]);
    }
    const double weight = std::exp(-energy(starts, start.mixture.field, states));
    four += weight * product;
    z += weight;
  }
  EXPECT_NEAR(integral, four / z, 1e-6 * four / z);
}

TEST(FieldFit, TimeTellsApartWhatValuesDoNot) {
  const std::size_t run_length = 25;
  Start start(clustered_rows(1000, 2, 2, 1.2, 4, run_length), 2, 5, 8.0);
  const auto errors = [&](std::span<const std::uint8_t> states) {
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < states.size(); ++n) wrong += (states[n] != n / run_length % 2) ? 1U : 0U;
    return std::min(wrong, states.size() - wrong);
  };
  Mixture still = start.mixture;
  fit_static(start.features, {}, start.global, {0.0, 300, 1e-9}, {}, "", still);
  std::vector<std::uint8_t> states(1000);
  std::vector<double> probability(1000);
  assign_static(start.features, still, {}, {1}, states, probability);
  const std::size_t without = errors(states);
  start.fit({Inference::icm, 0.1, 300, 1e-9});
  EXPECT_LT(3 * errors(start.state.states), without);
}

TEST(FieldFit, ModesThatFallKeepTheBest) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Start start(clustered_rows(150, 2, 3, 0.5, seed, 4), 4, 3, 2.0);
    const FitSummary summary = start.fit({Inference::icm, 0.1, 200, 1e-10});
    for (std::size_t i = 1; i < summary.objective.size(); ++i) {
      EXPECT_GE(summary.objective[i], summary.objective[i - 1] - 1e-10);
    }
    const DensityFactors factors(start.mixture.components, 2);
    FieldState again = start.state;
    const double objective = (expect_field(start.features, start.mixture, factors, {}, Inference::icm, {1}, again) +
                              log_floor_prior(factors, start.global, MixtureCovariance::full)) /
                             150.0;
    EXPECT_NEAR(objective, summary.objective.back(), 1e-12) << seed;
    if (summary.stop == Stop::objective_fell) {
      ASSERT_EQ(summary.warnings.size(), 1U);
      EXPECT_TRUE(summary.warnings[0].ends_with(", as iterated conditional modes may; the model before it is kept"));
    }
  }
}

TEST(FieldFit, LabelledRowsStayInTheirClass) {
  for (const Inference inference : {Inference::icm, Inference::mean_field, Inference::exact}) {
    Start start(clustered_rows(200, 2, 2, 1.5, 5, 10), 2, 2, 3.0);
    start.mixture.classes = {"a", "b"};
    start.mixture.components[0].of_class = 0;
    start.mixture.components[1].of_class = 1;
    RowLabels labels(200, -1);
    for (std::size_t n = 3; n < 200; n += 17) {
      labels[n] = static_cast<std::int32_t>(n % 2);
      start.state.states[n] = static_cast<std::uint8_t>(n % 2);
    }
    start.fit({inference, 0.2, 30, 1e-9}, labels);
    for (std::size_t n = 0; n < 200; ++n) {
      if (labels[n] < 0) continue;
      EXPECT_EQ(start.state.states[n], labels[n]);
      EXPECT_NEAR(state_probability(start.state)[n], 1.0, 1e-12);
    }
  }
}

TEST(FieldFit, SameBitsOnAnyNumberOfThreads) {
  const Start start(clustered_rows(20'000, 3, 3, 1.0, 3, 20), 3, 4, 4.0);
  std::vector<double> parameters;
  for (const unsigned threads : {1U, 2U, 4U}) {
    Start own = start;
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    own.fit({Inference::icm, 0.0, 4, 0.0}, {}, run);
    if (threads == 1) parameters = to_parameters(own.mixture);
    EXPECT_EQ(to_parameters(own.mixture), parameters);
  }
}

TEST(FieldFit, GoesOnFromACheckpointToTheSameBits) {
  for (const Inference inference : {Inference::icm, Inference::mean_field, Inference::exact}) {
    const Start start(clustered_rows(300, 2, 3, 0.8, 7, 12), 3, 2, 3.0);
    Start whole = start;
    const FitSummary all = whole.fit({inference, 0.0, 9, 0.0}, {}, {}, "field");
    Checkpoint kept;
    RunContext first;
    first.save = [&](const Checkpoint& state) {
      if (state.iteration == 3) kept = state;
    };
    Start part = start;
    part.fit({inference, 0.0, 5, 0.0}, {}, first, "field");
    ASSERT_FALSE(kept.parameters.empty());
    RunContext second;
    second.resume = [&](std::string_view) { return &kept; };
    Start resumed = start;
    const FitSummary rest = resumed.fit({inference, 0.0, 9, 0.0}, {}, second, "field");
    EXPECT_EQ(to_parameters(resumed.mixture), to_parameters(whole.mixture));
    EXPECT_EQ(resumed.state.states, whole.state.states);
    EXPECT_EQ(rest.objective, all.objective);
  }
}

TEST(FieldFit, AnInterruptionKeepsTheState) {
  Checkpoint kept;
  RunContext run = cancelled_run();
  run.save = [&](const Checkpoint& state) { kept = state; };
  Start start(clustered_rows(300, 2, 2, 1.0, 7, 12), 2, 2, 3.0);
  EXPECT_EQ(start.fit({Inference::icm, 0.0, 50, 1e-9}, {}, run, "field").stop, Stop::interrupted);
  EXPECT_TRUE(kept.urgent);
  EXPECT_EQ(kept.stage, "field");
}

}  // namespace
}  // namespace motet::temporal::field_fit_test
