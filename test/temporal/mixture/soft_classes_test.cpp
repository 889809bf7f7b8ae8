#include "motet/temporal/mixture/soft_classes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/temporal/fit.h"
#include "motet/temporal/mixture/static_fit.h"
#include "support/errors.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::soft_classes_test {
namespace {

TemporalOptions soft_options(std::size_t radius = 0) {
  TemporalOptions options;
  options.class_assignment = ClassAssignment::soft;
  options.radius = radius;
  options.label_weight = 0.0;
  return options;
}

// Clusters at 0 and 8 in turns of 10 rows. In the first, three rows of ten are of class 1; in the second all are.
// Every second row has a label.
struct Shared {
  Features features = clustered_rows(1000, 2, 2, 8.0, 3, 10);
  RowLabels labels = RowLabels(1000, -1);

  Shared() {
    Rng rng(Seed{4});
    for (std::size_t n = 0; n < 1000; ++n) {
      const bool is_first = n / 10 % 2 == 0;
      const std::int32_t of_class = is_first && rng.uniform() < 0.7 ? 0 : 1;
      if (n % 2 == 0) labels[n] = of_class;
    }
  }
};

TEST(SoftClasses, ComponentsAreSharedAsTheLabelsSay) {
  const Shared data;
  for (const std::size_t radius : {0U, 2U}) {
    const TemporalFit fit = fit_temporal(data.features, 2, {"often", "else"}, data.labels, soft_options(radius), {});
    const std::size_t first = fit.mixture.components[0].mean[0] < 4.0 ? 0 : 1;
    // 250 labels of the first cluster: a standard error of 0.029 of the share; four of them.
    EXPECT_NEAR(fit.mixture.components[first].class_shares[0], 0.7, 0.12);
    EXPECT_NEAR(fit.mixture.components[1 - first].class_shares[1], 1.0, 1e-9);
    EXPECT_EQ(fit.mixture.components[first].of_class, 0);
    EXPECT_EQ(fit.mixture.components[1 - first].of_class, 1);
    for (std::size_t n = 1; n < 1000; n += 2) {  // without a label
      const bool is_first = n / 10 % 2 == 0;
      EXPECT_EQ(fit.classes.of_row[n], is_first ? 0 : 1);
      EXPECT_NEAR(fit.classes.probability[n], is_first ? fit.mixture.components[first].class_shares[0] : 1.0, 0.02);
    }
    for (std::size_t n = 0; n < 1000; n += 2) {
      EXPECT_EQ(fit.classes.of_row[n], data.labels[n]);
      EXPECT_EQ(fit.classes.probability[n], 1.0);
    }
  }
}

TEST(SoftClasses, PureComponentsGiveTheHardAssignment) {
  const Features features = clustered_rows(600, 2, 2, 12.0, 5, 10);
  RowLabels labels(600, -1);
  for (std::size_t n = 0; n < 600; n += 3) labels[n] = static_cast<std::int32_t>(n / 10 % 2);
  for (const double label_weight : {0.0, 0.5}) {
    for (const std::size_t radius : {0U, 2U}) {
      for (const Inference inference : {Inference::icm, Inference::mean_field, Inference::exact}) {
        TemporalOptions options = soft_options(radius);
        options.label_weight = label_weight;
        options.inference = inference;
        options.coupling = "3";
        const TemporalFit soft = fit_temporal(features, 2, {"a", "b"}, labels, options, {});
        options.class_assignment = ClassAssignment::hard;
        const TemporalFit hard = fit_temporal(features, 2, {"a", "b"}, labels, options, {});
        EXPECT_EQ(soft.states, hard.states);
        EXPECT_NEAR(soft.summary.objective.back(), hard.summary.objective.back(), 1e-6);
        for (std::size_t k = 0; k < 2; ++k) {
          const Component& component = soft.mixture.components[k];
          EXPECT_EQ(component.of_class, hard.mixture.components[k].of_class);
          EXPECT_NEAR(component.class_shares[static_cast<std::size_t>(component.of_class)], 1.0, 1e-9);
          EXPECT_NEAR(component.mean[0], hard.mixture.components[k].mean[0], 1e-6);
          EXPECT_NEAR(component.covariance[1], hard.mixture.components[k].covariance[1], 1e-6);
        }
      }
    }
  }
}

TEST(SoftClasses, TheObjectiveNeverFalls) {
  const Features features = clustered_rows(400, 2, 3, 2.0, 6, 8);
  RowLabels labels(400, -1);
  Rng rng(Seed{7});
  for (std::size_t n = 0; n < 400; n += 2) labels[n] = static_cast<std::int32_t>(rng.below(3));
  for (const ComponentLaw emission : {ComponentLaw::gaussian, ComponentLaw::student_t}) {
    for (const std::size_t radius : {0U, 2U}) {
      for (const Inference inference : {Inference::mean_field, Inference::exact}) {
        TemporalOptions options = soft_options(radius);
        options.emission = emission;
        options.inference = inference;
        options.coupling = "2";
        options.max_iterations = 80;
        const TemporalFit fit = fit_temporal(features, 3, {"a", "b", "c"}, labels, options, {});
        const std::vector<double>& objective = fit.summary.objective;
        EXPECT_GT(objective.size(), 3U);
        for (std::size_t i = 1; i < objective.size(); ++i) EXPECT_GE(objective[i], objective[i - 1] - 1e-10);
        for (const Component& component : fit.mixture.components) {
          double sum = 0.0;
          for (const double share : component.class_shares) sum += share;
          EXPECT_NEAR(sum, 1.0, 1e-12);
        }
      }
    }
  }
}

// The objective by its definition: log sum_k pi_k N_k beta_{k, y}, and differences along beta at the end of a fit.
TEST(SoftClasses, TheObjectiveIsTheJointLikelihoodAndFlatAtTheEnd) {
  const Shared data;
  TemporalOptions options = soft_options();
  options.tolerance = 1e-13;
  options.max_iterations = 2000;
  const Features features = clustered_rows(400, 2, 2, 2.0, 8, 10);
  const RowLabels labels(data.labels.begin(), data.labels.begin() + 400);
  const Mixture fitted = fit_temporal(features, 2, {"often", "else"}, labels, options, {}).mixture;
  const auto by_definition = [&](const Mixture& mixture) {
    std::vector<double> densities(800);
    log_densities(DensityFactors(mixture.components, 2), features, {1}, densities);
    double sum = 0.0;
    for (std::size_t n = 0; n < 400; ++n) {
      double p = 0.0;
      for (std::size_t k = 0; k < 2; ++k) {
        const Component& component = mixture.components[k];
        const double beta = labels[n] < 0 ? 1.0 : component.class_shares[static_cast<std::size_t>(labels[n])];
        p += component.share * beta * std::exp(densities[k * 400 + n]);
      }
      sum += std::log(p);
    }
    return sum;
  };
  std::vector<std::uint8_t> states(400);
  std::vector<double> probability(400);
  EXPECT_NEAR(assign_static(features, fitted, labels, {1}, states, probability), by_definition(fitted), 1e-8);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto moved = [&](double by) {
      Mixture mixture = fitted;
      mixture.components[k].class_shares[0] += by;
      mixture.components[k].class_shares[1] -= by;
      return by_definition(mixture);
    };
    constexpr double step = 1e-5;
    EXPECT_NEAR((moved(step) - moved(-step)) / (2.0 * step) / 400.0, 0.0, 1e-5);
  }
}

TEST(SoftClasses, FewerComponentsThanClassesWillDo) {
  const Features features = clustered_rows(200, 2, 1, 0.0, 9);
  RowLabels labels(200, -1);
  for (std::size_t n = 0; n < 40; ++n) labels[n] = n < 10 ? 0 : 1;
  const TemporalFit fit = fit_temporal(features, 1, {"a", "b"}, labels, soft_options(), {});
  EXPECT_NEAR(fit.mixture.components[0].class_shares[0], 0.25, 1e-12);
  EXPECT_EQ(fit.classes.of_row[100], 1);
  EXPECT_NEAR(fit.classes.probability[100], 0.75, 1e-12);
}

TEST(SoftClasses, TheModelKeepsThem) {
  const Shared data;
  const TemporalFit fit = fit_temporal(data.features, 2, {"often", "else"}, data.labels, soft_options(2), {});
  EXPECT_EQ(to_record(fit.mixture).version, 2);
  const Mixture back = read_back(fit.mixture);
  const TemporalStates again = assign_temporal(data.features, back, Inference::icm, {});
  EXPECT_EQ(again.states, fit.states);
  for (std::size_t n = 1; n < 1000; n += 2) EXPECT_EQ(again.classes.of_row[n], fit.classes.of_row[n]);
  Mixture parameters = fit.mixture;
  for (Component& component : parameters.components) component.class_shares.assign(2, 0.0);
  from_parameters(to_parameters(fit.mixture), parameters);
  EXPECT_EQ(parameters.components[0].class_shares, fit.mixture.components[0].class_shares);
  Record broken = to_record(fit.mixture);
  Value component = broken.fields.at("components").as_list()[0];
  component.set("class_shares", Value::list_of(std::vector<double>{0.5, 0.7}));
  broken.fields.set("components", Value::list({component}));
  EXPECT_EQ(error_of([&] { mixture_from_record(broken); }, ErrorKind::bad_data),
            "field 'class_shares' are not shares of 1");
}

TEST(SoftClasses, SameBytesOnAnyNumberOfThreads) {
  const Features features = clustered_rows(5'000, 2, 2, 2.0, 10, 10);
  RowLabels labels(5'000, -1);
  for (std::size_t n = 0; n < 5'000; n += 3) labels[n] = static_cast<std::int32_t>(n / 10 % 2);
  TemporalOptions options = soft_options();
  options.max_iterations = 5;
  const auto record_with = [&](unsigned threads) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    return to_record(fit_temporal(features, 2, {"a", "b"}, labels, options, run).mixture);
  };
  const Record one = record_with(1);
  EXPECT_EQ(record_with(2), one);
  EXPECT_EQ(record_with(4), one);
}

TEST(SoftClasses, NeedLabels) {
  EXPECT_EQ(
      error_of([&] { fit_temporal(clustered_rows(20, 1, 2, 5.0, 1), 2, {"a"}, RowLabels(20, -1), soft_options(), {}); },
               ErrorKind::usage),
      "--class-assignment soft needs rows with a label; there are none");
}

}  // namespace
}  // namespace motet::temporal::soft_classes_test
