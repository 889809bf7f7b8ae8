#include "motet/temporal/mixture/student.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "motet/temporal/fit.h"
#include "motet/temporal/mixture/static_fit.h"
#include "support/errors.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::student_test {
namespace {

constexpr double pi = 3.141592653589793;

TemporalOptions student_options() {
  TemporalOptions options;
  options.emission = ComponentLaw::student_t;
  return options;
}

// Two round clusters at 0 and 6 in turns of 20 rows; every 20th row lies anywhere within 80.
Features rows_with_far_ones(std::size_t rows, std::uint64_t seed, bool has_far = true) {
  Rng rng(Seed{seed});
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const double centre = n / 20 % 2 == 0 ? 0.0 : 6.0;
    const bool is_far = has_far && n % 20 == 7;
    for (int d = 0; d < 2; ++d) values.push_back(is_far ? rng.uniform(-80.0, 80.0) : centre + rng.normal());
  }
  return features_of(2, values);
}

// Largest distance of a planted centre from the nearest mean, column by column.
double worst_mean(const Mixture& mixture) {
  double worst = 0.0;
  for (const double centre : {0.0, 6.0}) {
    double nearest = 1e300;
    for (const Component& component : mixture.components) {
      nearest = std::min(nearest, std::max(std::abs(component.mean[0] - centre), std::abs(component.mean[1] - centre)));
    }
    worst = std::max(worst, nearest);
  }
  return worst;
}

// Rows of t with `degrees` whole degrees of freedom: normal over the root of a mean of squares.
Features student_rows(std::size_t rows, std::size_t dimensions, int degrees, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    double sum = 0.0;
    for (int i = 0; i < degrees; ++i) {
      const double x = rng.normal();
      sum += x * x;
    }
    const double scale = std::sqrt(static_cast<double>(degrees) / sum);
    for (std::size_t d = 0; d < dimensions; ++d) values.push_back(scale * rng.normal());
  }
  return features_of(dimensions, values);
}

std::vector<double> densities_of(const std::vector<Component>& components, const Features& features) {
  std::vector<double> densities(components.size() * features.rows());
  log_densities(DensityFactors(components, features.dimensions()), features, {1}, densities);
  return densities;
}

TEST(Student, TheDensityOfOneColumnIsThatOfBoost) {
  const Features features = features_of(1, {-3.0, 0.0, 0.4, 2.5, 30.0});
  for (const double degrees : {0.5, 3.0, 40.0, 1000.0}) {
    Component component{{0.4}, {2.25}, 1.0, -1, degrees};
    const std::vector<double> densities = densities_of({component}, features);
    const boost::math::students_t law(degrees);
    for (std::size_t n = 0; n < features.rows(); ++n) {
      const double z = (features.row(n)[0] - 0.4) / 1.5;
      EXPECT_NEAR(densities[n], std::log(boost::math::pdf(law, z) / 1.5), 1e-10 * std::max(1.0, -densities[n]));
    }
  }
}

// t is the mean of N(mu, Sigma / u) over u ~ Gamma(nu / 2, nu / 2): summed over log u, with nothing but Gaussians.
TEST(Student, TheDensityIsAMixtureOfGaussiansOverScales) {
  Rng rng(Seed{3});
  std::vector<Component> components = some_components(2, 3, 4);
  const std::vector<double> degrees{2.5, 9.0};
  for (std::size_t k = 0; k < 2; ++k) components[k].degrees = degrees[k];
  std::vector<double> values;
  for (int i = 0; i < 15; ++i) values.push_back(4.0 * rng.normal());
  const Features features = features_of(3, values);
  const std::vector<double> densities = densities_of(components, features);
  constexpr double step = 0.01;  // the sum over log u converges faster than any power of it
  for (std::size_t k = 0; k < 2; ++k) {
    const double half = degrees[k] / 2.0;
    std::vector<double> sums(features.rows(), 0.0);
    for (double log_u = -20.0; log_u < 6.0; log_u += step) {
      const double u = std::exp(log_u);
      Component scaled = components[k];
      scaled.degrees = 0.0;
      for (double& c : scaled.covariance) c /= u;
      const double log_weight = half * std::log(half) - std::lgamma(half) + half * log_u - half * u;
      const std::vector<double> gaussian = densities_of({scaled}, features);
      for (std::size_t n = 0; n < features.rows(); ++n) sums[n] += step * std::exp(gaussian[n] + log_weight);
    }
    for (std::size_t n = 0; n < features.rows(); ++n) {
      EXPECT_NEAR(densities[k * features.rows() + n], std::log(sums[n]), 1e-6);
    }
  }
}

TEST(Student, DistancesAreThoseOfTheDefinition) {
  const std::vector<Component> components{{{1.0, 2.0}, {4.0, 0.0, 0.0, 9.0}, 1.0, -1, 5.0},
                                          {{0.0, 0.0}, {2.0, 1.0, 1.0, 2.0}, 1.0, -1, 0.0}};
  const Features features = features_of(2, {3.0, 5.0, 1.0, 2.0});
  std::vector<double> squared(4);
  squared_distances(DensityFactors(components, 2), features, {1}, squared);
  EXPECT_NEAR(squared[0], 2.0, 1e-14);  // (2 / 2)^2 + (3 / 3)^2
  EXPECT_EQ(squared[1], 0.0);
  EXPECT_NEAR(squared[2], (2.0 * 9.0 - 2.0 * 15.0 + 2.0 * 25.0) / 3.0, 1e-13);
}

TEST(Student, DegreesAreWhereTheLikelihoodIsHighest) {
  Rng rng(Seed{5});
  std::vector<double> weights;
  std::vector<double> squared;
  for (int n = 0; n < 400; ++n) {
    weights.push_back(rng.uniform());
    const double x = rng.normal() / std::max(0.1, std::abs(rng.normal()));
    squared.push_back(x * x + rng.uniform());
  }
  const auto likelihood = [&](double degrees) {
    double sum = 0.0;
    for (std::size_t n = 0; n < squared.size(); ++n) {
      sum += weights[n] * (std::lgamma((degrees + 2.0) / 2.0) - std::lgamma(degrees / 2.0) - std::log(degrees * pi) -
                           (degrees + 2.0) / 2.0 * std::log1p(squared[n] / degrees));
    }
    return sum;
  };
  for (const double start : {0.5, 2.0, 700.0}) {
    const double best = best_degrees(weights, squared, 2, start, {1});
    EXPECT_GT(best, least_degrees);
    EXPECT_LT(best, 100.0);
    EXPECT_NEAR((likelihood(best + 1e-4) - likelihood(best - 1e-4)) / 2e-4, 0.0, 1e-3);  // 400 rows
    EXPECT_LT(likelihood(best * 1.1), likelihood(best));
    EXPECT_LT(likelihood(best / 1.1), likelihood(best));
  }
  const std::vector<double> near(400, 2.0);  // no row far out: as many degrees as allowed
  EXPECT_EQ(best_degrees(weights, near, 2, 4.0, {1}), most_degrees);
  const std::vector<double> nothing(400, 0.0);
  EXPECT_EQ(best_degrees(nothing, squared, 2, 4.0, {1}), 4.0);
}

TEST(Student, FarRowsDoNotMoveComponentsAsTheyMoveGaussians) {
  // 570 near rows per cluster: a standard error of 0.042 of each mean, a little more for what t gives away. Five of
  // them.
  constexpr double allowed = 0.25;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Features features = rows_with_far_ones(1200, seed);
    for (const std::size_t radius : {0U, 2U}) {
      TemporalOptions options = student_options();
      options.radius = radius;
      const TemporalFit robust = fit_temporal(features, 2, {}, {}, options, run_with(seed));
      EXPECT_LT(worst_mean(robust.mixture), allowed) << seed << " radius " << radius;
      for (const Component& component : robust.mixture.components) EXPECT_LT(component.covariance[0], 2.0);
    }
    const TemporalFit gaussian = fit_temporal(features, 2, {}, {}, {}, run_with(seed));
    EXPECT_GT(worst_mean(gaussian.mixture), 1.0) << seed;
  }
}

TEST(Student, PlantedDegreesAreFound) {
  const Features features = student_rows(3000, 2, 5, 8);
  const TemporalFit fit = fit_temporal(features, 1, {}, {}, student_options(), run_with(1));
  const Component& component = fit.mixture.components[0];
  // The standard error from the curvature of the likelihood; four of them, one in 16,000 by chance.
  const auto likelihood = [&](double degrees) {
    Component other = component;
    other.degrees = degrees;
    double sum = 0.0;
    for (const double density : densities_of({other}, features)) sum += density;
    return sum;
  };
  const double nu = component.degrees;
  constexpr double step = 0.05;
  const double curvature = (likelihood(nu + step) - 2.0 * likelihood(nu) + likelihood(nu - step)) / (step * step);
  ASSERT_LT(curvature, 0.0);
  EXPECT_NEAR(nu, 5.0, 4.0 / std::sqrt(-curvature));
  EXPECT_NEAR(component.covariance[0], 1.0, 0.15);  // four standard errors of a scale from 3000 rows
  EXPECT_NEAR(component.mean[0], 0.0, 0.1);
}

TEST(Student, GaussianRowsGiveTheGaussianMixture) {
  const Features features = rows_with_far_ones(1200, 4, false);
  const TemporalFit student = fit_temporal(features, 2, {}, {}, student_options(), run_with(1));
  const TemporalFit gaussian = fit_temporal(features, 2, {}, {}, {}, run_with(1));
  EXPECT_NEAR(worst_mean(student.mixture), worst_mean(gaussian.mixture), 0.02);
  // Two parameters more raise the likelihood by a nat by chance; by five once in 150.
  EXPECT_GT(student.summary.objective.back(), gaussian.summary.objective.back() - 1e-4);
  EXPECT_NEAR(student.summary.objective.back(), gaussian.summary.objective.back(), 5.0 / 1200.0);
  for (const Component& component : student.mixture.components) EXPECT_GT(component.degrees, 15.0);
}

TEST(Student, TheObjectiveNeverFalls) {
  const Features features = rows_with_far_ones(400, 6);
  for (const MixtureCovariance kind : {MixtureCovariance::full, MixtureCovariance::diagonal, MixtureCovariance::tied}) {
    for (const std::size_t radius : {0U, 2U}) {
      for (const Inference inference : {Inference::mean_field, Inference::exact}) {
        TemporalOptions options = student_options();
        options.radius = radius;
        options.coupling = "3";
        options.covariance = kind;
        options.inference = inference;
        options.max_iterations = 60;
        const TemporalFit fit = fit_temporal(features, 3, {}, {}, options, run_with(1));
        const std::vector<double>& objective = fit.summary.objective;
        EXPECT_GT(objective.size(), 3U);
        for (std::size_t i = 1; i < objective.size(); ++i) EXPECT_GE(objective[i], objective[i - 1] - 1e-10);
        EXPECT_NE(fit.summary.stop, Stop::objective_fell);
      }
    }
  }
}

// At the end of a fit no parameter can raise likelihood plus prior: differences of the objective itself.
TEST(Student, TheFitEndsWhereTheLikelihoodIsFlat) {
  const Features features = rows_with_far_ones(400, 7);
  TemporalOptions options = student_options();
  options.tolerance = 1e-14;
  options.max_iterations = 3000;
  const Mixture fitted = fit_temporal(features, 2, {}, {}, options, run_with(1)).mixture;
  const GlobalShape global = global_shape(features, options.floor, {1});
  const auto objective = [&](const Mixture& mixture) {
    std::vector<std::uint8_t> states(features.rows());
    std::vector<double> probability(features.rows());
    return (assign_static(features, mixture, {}, {1}, states, probability) +
            log_floor_prior(DensityFactors(mixture.components, 2), global, mixture.covariance)) /
           static_cast<double>(features.rows());
  };
  constexpr double step = 1e-4;
  constexpr double flat = 1e-6;  // a step that ends the fit raises the objective by 1e-14 per row
  const auto slope = [&](auto change) {
    Mixture up = fitted;
    Mixture down = fitted;
    change(up, step);
    change(down, -step);
    return (objective(up) - objective(down)) / (2.0 * step);
  };
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(slope([k](Mixture& m, double by) { m.components[k].mean[0] += by; }), 0.0, flat);
    EXPECT_NEAR(slope([k](Mixture& m, double by) { m.components[k].covariance[3] += by; }), 0.0, flat);
    EXPECT_NEAR(slope([k](Mixture& m, double by) {
                  m.components[k].covariance[1] += by;
                  m.components[k].covariance[2] += by;
                }),
                0.0, flat);
    EXPECT_NEAR(slope([k](Mixture& m, double by) { m.components[k].degrees += by; }), 0.0, flat);
  }
  EXPECT_NEAR(slope([](Mixture& m, double by) {
                m.components[0].share += by;
                m.components[1].share -= by;
              }),
              0.0, flat);
}

TEST(Student, DegreesMayBeGiven) {
  TemporalOptions options = student_options();
  options.degrees = 3.0;
  const TemporalFit fit = fit_temporal(rows_with_far_ones(200, 9), 2, {}, {}, options, run_with(1));
  for (const Component& component : fit.mixture.components) EXPECT_EQ(component.degrees, 3.0);
  EXPECT_TRUE(fit.mixture.degrees_are_given);
}

TEST(Student, LabelsNameTheComponents) {
  const Features features = rows_with_far_ones(400, 10);
  RowLabels labels(400, -1);
  for (std::size_t n = 0; n < 400; n += 7) labels[n] = n / 20 % 2 == 0 ? 0 : 1;
  for (const std::size_t radius : {0U, 2U}) {
    TemporalOptions options = student_options();
    options.radius = radius;
    const TemporalFit fit = fit_temporal(features, 2, {"low", "high"}, labels, options, run_with(1));
    EXPECT_LT(
        fit.mixture.components[0].of_class == 0 ? fit.mixture.components[0].mean[0] : fit.mixture.components[1].mean[0],
        1.0);
    for (std::size_t n = 0; n < 400; n += 7) {
      EXPECT_EQ(fit.mixture.components[fit.states[n]].of_class, labels[n]);  // also where the row is far
    }
  }
}

TEST(Student, AssignsTheRowsItWasFittedToAsTheFitDid) {
  const Features features = rows_with_far_ones(400, 11);
  for (const std::size_t radius : {0U, 2U}) {
    TemporalOptions options = student_options();
    options.radius = radius;
    options.inference = Inference::mean_field;
    const TemporalFit fit = fit_temporal(features, 2, {}, {}, options, run_with(1));
    EXPECT_EQ(to_record(fit.mixture).version, 2);
    const Mixture back = read_back(fit.mixture);
    EXPECT_EQ(assign_temporal(features, back, Inference::mean_field, run_with(1)).states, fit.states);
    Mixture parameters = fit.mixture;
    for (Component& component : parameters.components) component = {};
    from_parameters(to_parameters(fit.mixture), parameters);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(parameters.components[k].degrees, fit.mixture.components[k].degrees);
    }
  }
}

TEST(Student, SameBytesOnAnyNumberOfThreads) {
  const Features features = rows_with_far_ones(9'000, 12);
  TemporalOptions options = student_options();
  options.radius = 2;
  options.max_iterations = 4;
  const Record one = to_record(fit_temporal(features, 2, {}, {}, options, run_with(1)).mixture);
  for (const unsigned threads : {2U, 4U}) {
    EXPECT_EQ(to_record(fit_temporal(features, 2, {}, {}, options, run_with(1, StartedThreads(threads))).mixture), one);
  }
}

TEST(Student, RowsThatDoNotVaryAreFitted) {
  std::vector<double> values(60, 1.0);
  values[10] = 5.0;
  values[20] = 5.5;
  const TemporalFit fit = fit_temporal(features_of(1, values), 2, {}, {}, student_options(), run_with(1));
  EXPECT_TRUE(std::isfinite(fit.summary.objective.back()));
  for (const double p : fit.probability) EXPECT_TRUE(p >= 0.0 && p <= 1.0 + 1e-12);
}

TEST(Student, BadInputIsToldExactly) {
  const Features features = rows_with_far_ones(40, 13);
  TemporalOptions options;
  options.degrees = 4.0;
  EXPECT_EQ(error_of([&] { fit_temporal(features, 2, {}, {}, options, {}); }),
            "--degrees 4 is for student-t; components are gaussian");
  options = student_options();
  options.degrees = 0.1;
  EXPECT_EQ(error_of([&] { fit_temporal(features, 2, {}, {}, options, {}); }), "--degrees 0.1 is outside [0.5, 1000]");
  Record record = to_record(fit_temporal(features, 2, {}, {}, student_options(), {}).mixture);
  Value component = record.fields.at("components").as_list()[0];
  component.set("degrees", -1.0);
  record.fields.set("components", Value::list({component}));
  EXPECT_EQ(error_of([&] { mixture_from_record(record); }), "field 'degrees' is outside [0.5, 1000]");
  record.fields.set("emission", "cauchy");
  EXPECT_EQ(error_of([&] { mixture_from_record(record); }), "field 'emission' is 'cauchy'");
}

}  // namespace
}  // namespace motet::temporal::student_test
