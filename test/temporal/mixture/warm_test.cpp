#include "motet/temporal/mixture/warm.h"

#include <gtest/gtest.h>

#include "motet/temporal/field/field_fit.h"
#include "motet/temporal/mixture/mixture_step.h"
#include "motet/temporal/mixture/static_fit.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::warm_test {
namespace {

struct Case {
  Features features;
  GlobalShape global = global_shape(features, 1e-6, {1});
  WarmState state;
  RowLabels labels = RowLabels(features.rows(), -1);

  explicit Case(std::size_t radius, std::size_t rows = 700) : features(clustered_rows(rows, 3, 2, 2.0, 1, 20)) {
    state.mixture.columns = features.columns;
    state.mixture.components = some_components(3, 3, 2);
    state.mixture.classes = {"a", "b"};
    state.mixture.components[0].of_class = 0;
    state.mixture.components[1].of_class = 0;
    state.mixture.components[2].of_class = 1;
    state.mixture.field.radius = radius;
    state.states.assign(rows, 0);
    labels[30] = 0;
    labels[70] = 1;
    labels[699] = 1;
  }
  void iterate(Threads threads = {1}) { warm_iteration(features, global, labels, 0.2, threads, state); }
};

TEST(Warm, StaticIterationIsOneStepOfTheFit) {
  Case warm(0);
  const EmProblem problem = static_problem(warm.features, warm.labels, warm.global, 0.2, warm.state.mixture);
  const std::vector<double> start = to_parameters(warm.state.mixture);
  const std::vector<double> statistics = expect(problem, start, 1.0, Threads{1});
  const std::vector<double> expected = problem.maximise(statistics, start);
  warm.iterate();
  const std::vector<double> found = to_parameters(warm.state.mixture);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-11);
  EXPECT_NEAR(warm.state.objective, statistics[0], 1e-8);
}

TEST(Warm, IterationWithAFieldIsOneStepOfTheFit) {
  Case warm(3);
  Mixture mixture = warm.state.mixture;
  FieldState state{warm.state.states, {}};
  const DensityFactors factors(mixture.components, 3);
  const double objective = expect_field(warm.features, mixture, factors, warm.labels, Inference::icm, {1}, state);
  maximise_mixture(factors, warm.features, warm.labels, 0.2, warm.global, {1}, state.responsibilities, mixture);
  warm.iterate();
  EXPECT_EQ(to_parameters(warm.state.mixture), to_parameters(mixture));
  EXPECT_EQ(warm.state.objective, objective);
}

TEST(Warm, DensitiesAndStatesAreThoseOfTheNewMixture) {
  for (const std::size_t radius : {0U, 3U}) {
    Case warm(radius);
    warm.iterate();
    std::vector<double> densities(3 * 700);
    log_densities(DensityFactors(warm.state.mixture.components, 3), warm.features, {1}, densities);
    EXPECT_EQ(warm.state.densities, densities);
    for (std::size_t n = 0; n < 700; ++n) {
      const std::int32_t of_class = warm.state.mixture.components[warm.state.states[n]].of_class;
      if (warm.labels[n] >= 0) {
        EXPECT_EQ(of_class, warm.labels[n]);
      }
    }
    if (radius == 0) {
      std::vector<std::uint8_t> states(700);
      std::vector<double> probability(700);
      assign_static(warm.features, warm.state.mixture, warm.labels, {1}, states, probability);
      EXPECT_EQ(warm.state.states, states);
    }
  }
}

TEST(Warm, DensitiesAtHandChangeNothing) {
  for (const std::size_t radius : {0U, 3U}) {
    Case fresh(radius);
    fresh.iterate();
    Case kept = fresh;
    fresh.state.densities.clear();
    fresh.iterate();
    kept.iterate();
    EXPECT_EQ(to_parameters(fresh.state.mixture), to_parameters(kept.state.mixture));
    EXPECT_EQ(fresh.state.states, kept.state.states);
  }
}

TEST(Warm, SameBitsOnAnyNumberOfThreads) {
  for (const std::size_t radius : {0U, 3U}) {
    Case one(radius, 9'000);
    ASSERT_GT(RowTasks(one.features.rows()).count, 4U);
    one.iterate({1});
    for (const unsigned threads : {2U, 4U}) {
      Case more(radius, 9'000);
      more.iterate(StartedThreads(threads));
      EXPECT_EQ(to_parameters(more.state.mixture), to_parameters(one.state.mixture));
      EXPECT_EQ(more.state.responsibilities, one.state.responsibilities);
    }
  }
}

TEST(Warm, AFieldWithoutStrengthIsNone) {
  EXPECT_FALSE(has_field({}));
  TimeField field{.radius = 4};
  EXPECT_TRUE(has_field(field));
  field.strength = 0.0;
  EXPECT_FALSE(has_field(field));
}

}  // namespace
}  // namespace motet::temporal::warm_test
