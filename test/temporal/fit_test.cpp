#include "motet/temporal/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/temporal/mixture/static_fit.h"
#include "support/errors.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::fit_test {
namespace {

std::string message_of(const Features& features, std::size_t components, const std::vector<std::string>& classes,
                       const RowLabels& labels, const TemporalOptions& options, ErrorKind kind) {
  return error_of([&] { fit_temporal(features, components, classes, labels, options, {}); }, kind);
}

TEST(TemporalFit, CouplingIsChosenSoThatItSuitsTheData) {
  const auto strength = [](std::size_t run_length) {
    const Features features = clustered_rows(1200, 2, 2, 4.0, 1, run_length);
    TemporalOptions options;
    options.radius = 4;
    return total_weight(fit_temporal(features, 2, {}, {}, options, run_with(1)).mixture.field);
  };
  EXPECT_GT(strength(60), 4.0);
  EXPECT_LE(strength(1200), 16.0 + 1e-9);  // one change in all: as strong as allowed, no more
}

TEST(TemporalFit, RowsThatSayNothingOfTheirNeighboursAreFittedWithoutTime) {
  Rng rng(Seed{3});
  std::vector<double> values;
  for (std::size_t n = 0; n < 500; ++n) values.push_back(rng.normal() + (n % 2 == 0 ? 6.0 : 0.0));  // ever in turn
  const Features features = features_of(1, values);
  TemporalOptions options;
  options.radius = 1;
  const TemporalFit fit = fit_temporal(features, 2, {}, {}, options, run_with(1));
  EXPECT_EQ(fit.mixture.field.strength, 0.0);
  EXPECT_EQ(fit.mixture.field.radius, 1U);
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  for (std::size_t n = 1; n < 500; ++n) EXPECT_NE(fit.states[n], fit.states[n - 1]);
}

TEST(TemporalFit, CouplingMayBeGiven) {
  const Features features = clustered_rows(300, 2, 2, 3.0, 1, 10);
  TemporalOptions options;
  options.radius = 3;
  options.coupling = "literal";
  EXPECT_EQ(fit_temporal(features, 2, {}, {}, options, run_with(1)).mixture.field.strength, 1.0);
  options.coupling = "2.5";
  EXPECT_NEAR(total_weight(fit_temporal(features, 2, {}, {}, options, run_with(1)).mixture.field), 2.5, 1e-12);
}

TEST(TemporalFit, LabelsNameTheComponents) {
  const Features features = clustered_rows(600, 2, 3, 5.0, 2, 10);  // clusters at 0, 5, 10
  RowLabels labels(600, -1);
  for (const std::size_t n : {0U, 5U, 30U, 65U}) labels[n] = 1;         // cluster 0
  for (const std::size_t n : {12U, 25U, 44U, 54U, 82U}) labels[n] = 0;  // clusters 1 and 2
  for (const std::size_t radius : {0U, 2U}) {
    TemporalOptions options;
    options.radius = radius;
    const TemporalFit fit = fit_temporal(features, 3, {"other", "low", "never"}, labels, options, run_with(1));
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < 600; ++n) {
      const std::int32_t truth = n / 10 % 3 == 0 ? 1 : 0;
      wrong += fit.mixture.components[fit.states[n]].of_class == truth ? 0U : 1U;
    }
    EXPECT_LE(wrong, radius == 0 ? 12U : 0U);
    for (const Component& component : fit.mixture.components) EXPECT_NE(component.of_class, 2);
  }
}

TEST(TemporalFit, WithoutLabelsComponentsHaveNoClass) {
  const Features features = clustered_rows(100, 2, 2, 5.0, 2);
  const TemporalFit fit = fit_temporal(features, 2, {"a"}, RowLabels(100, -1), {}, run_with(1));
  for (const Component& component : fit.mixture.components) EXPECT_EQ(component.of_class, -1);
  EXPECT_EQ(fit.mixture.classes, (std::vector<std::string>{"a"}));
}

TEST(TemporalFit, DegenerateRowsAreFitted) {
  Rng rng(Seed{4});
  std::vector<double> silence(40, 0.0);
  silence[6] = silence[17] = 1.0;  // two odd values
  std::vector<double> equal;
  std::vector<double> huge;
  for (int n = 0; n < 60; ++n) {
    equal.insert(equal.end(), {n % 3 == 0 ? 1.0 : 2.0, 7.0, n % 3 == 0 ? 1.0 : 2.0});
    huge.insert(huge.end(), {1e150 * rng.uniform(-1.0, 1.0), 1e-150 * rng.normal(), rng.normal()});
  }
  const std::vector<Features> cases{features_of(2, silence), features_of(3, equal), features_of(3, huge),
                                    clustered_rows(7, 30, 2, 3.0, 5), clustered_rows(3, 1, 3, 9.0, 6)};
  for (const Features& features : cases) {
    for (const MixtureCovariance kind :
         {MixtureCovariance::full, MixtureCovariance::diagonal, MixtureCovariance::tied}) {
      for (const std::size_t radius : {0U, 2U}) {  // also where the sequence is shorter than 2 h + 1
        TemporalOptions options;
        options.covariance = kind;
        options.radius = radius;
        options.coupling = "literal";
        options.max_iterations = 60;
        const TemporalFit fit = fit_temporal(features, 2, {}, {}, options, run_with(1));
        EXPECT_TRUE(std::isfinite(fit.summary.objective.back()));
        EXPECT_NE(fit.summary.stop, radius == 0 ? Stop::objective_fell : Stop::interrupted);
        for (const double p : fit.probability) EXPECT_TRUE(p >= 0.0 && p <= 1.0 + 1e-12);
        EXPECT_EQ(mixture_from_record(to_record(fit.mixture)).components, fit.mixture.components);
      }
    }
  }
}

TEST(TemporalFit, AClassOfOneRowHasAComponent) {
  const Features features = clustered_rows(200, 3, 1, 0.0, 7);
  RowLabels labels(200, -1);
  labels[100] = 1;
  for (std::size_t n = 0; n < 20; ++n) labels[n] = 0;
  const TemporalFit fit = fit_temporal(features, 2, {"many", "one"}, labels, {}, run_with(1));
  EXPECT_EQ(fit.mixture.components[fit.states[100]].of_class, 1);
}

TEST(TemporalFit, SameBytesOnAnyNumberOfThreads) {
  const Features features = clustered_rows(9'000, 3, 2, 1.5, 8, 15);
  TemporalOptions options;
  options.radius = 3;
  options.max_iterations = 5;
  const TemporalFit one = fit_temporal(features, 3, {}, {}, options, run_with(1));
  for (const unsigned threads : {2U, 4U}) {
    const TemporalFit more = fit_temporal(features, 3, {}, {}, options, run_with(1, StartedThreads(threads)));
    EXPECT_EQ(to_record(more.mixture), to_record(one.mixture));
    EXPECT_EQ(more.states, one.states);
    EXPECT_EQ(more.probability, one.probability);
    EXPECT_EQ(more.summary.objective, one.summary.objective);
  }
}

TEST(TemporalFit, AssignsTheRowsItWasFittedToAsTheFitDid) {
  const Features features = clustered_rows(600, 2, 2, 3.0, 9, 20);
  for (const Inference inference : {Inference::icm, Inference::mean_field, Inference::exact}) {
    for (const std::size_t radius : {0U, 2U}) {
      TemporalOptions options;
      options.radius = radius;
      options.inference = inference;
      const TemporalFit fit = fit_temporal(features, 2, {}, {}, options, run_with(1));
      const TemporalStates again = assign_temporal(features, fit.mixture, inference, run_with(1));
      EXPECT_EQ(again.states, fit.states);
      EXPECT_NEAR(again.objective, fit.summary.objective.back(), 1e-4);  // the fit has the floor's prior too
      for (std::size_t n = 0; n < 600; ++n) EXPECT_NEAR(again.probability[n], fit.probability[n], 1e-5);
    }
  }
}

TEST(TemporalFit, SequencesDoNotTouch) {
  Features features = clustered_rows(40, 1, 2, 4.0, 10, 20);
  features.starts = {0, 20, 20, 40};
  features.sequences = {"one", "none", "two"};
  TemporalOptions options;
  options.radius = 3;
  options.coupling = "literal";
  const TemporalFit fit = fit_temporal(features, 2, {}, {}, options, run_with(1));
  for (std::size_t n = 0; n < 40; ++n) EXPECT_EQ(fit.states[n] == fit.states[0], n < 20);
}

TEST(TemporalFit, BadInputIsToldExactly) {
  const Features features = clustered_rows(20, 2, 2, 4.0, 1);
  const TemporalOptions options;
  EXPECT_EQ(message_of(features_of(2, {}), 1, {}, {}, options, ErrorKind::unanswerable), "there are no rows");
  EXPECT_EQ(message_of(features, 0, {}, {}, options, ErrorKind::usage), "--components 0 is outside [1, 255]");
  EXPECT_EQ(message_of(features, 256, {}, {}, options, ErrorKind::usage), "--components 256 is outside [1, 255]");
  EXPECT_EQ(message_of(features, 21, {}, {}, options, ErrorKind::unanswerable),
            "there are only 20 distinct rows for 21 components; ask for fewer");
  EXPECT_EQ(message_of(features, 2, {"a"}, RowLabels(3, -1), options, ErrorKind::usage),
            "labels = 3 are not one per row; there are 20 rows");
  EXPECT_EQ(message_of(features, 2, {"a"}, RowLabels(20, 1), options, ErrorKind::usage),
            "label = 1 names none of the 1 classes; -1 stands for unknown");
  EXPECT_EQ(message_of(features, 1, {"a", "b"}, RowLabels{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
                       options, ErrorKind::usage),
            "--components 1 is too few; the labels name 2 classes");
  TemporalOptions wrong = options;
  wrong.radius = 20;
  EXPECT_EQ(message_of(features, 2, {}, {}, wrong, ErrorKind::usage),
            "--radius 20 is too long; the longest sequence has 20 rows");
  wrong.radius = 13;
  wrong.inference = Inference::exact;
  EXPECT_EQ(message_of(features, 2, {}, {}, wrong, ErrorKind::usage),
            "--inference exact needs components^radius of at most 4096, and 2^13 is more; take icm or mean-field");
  wrong = options;
  wrong.coupling = "strong";
  EXPECT_EQ(message_of(features, 2, {}, {}, wrong, ErrorKind::usage),
            "--coupling: 'strong' is not auto, literal or a number of nats from 0 on");
  wrong = options;
  wrong.label_weight = 1.0;
  EXPECT_EQ(message_of(features, 2, {}, {}, wrong, ErrorKind::usage), "--label-weight 1 is outside [0, 0.99]");
  Features other = features;
  other.columns = {"x2", "x1"};
  EXPECT_EQ(
      error_of(
          [&] { assign_temporal(other, fit_temporal(features, 2, {}, {}, options, {}).mixture, Inference::icm, {}); },
          ErrorKind::bad_data),
      "the columns are not those of the model; name and order must agree");
}

}  // namespace
}  // namespace motet::temporal::fit_test
