#include "motet/multilabel/theory/precision_gamma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "multilabel/precision_cases.h"

namespace motet::multilabel::precision_gamma_test {
namespace {

// psi'(p) = sum 1 / (p + i)^2, the tail by its integral and the first corrections.
double trigamma(double p) {
  double sum = 0.0;
  for (int i = 0; i < 1000; ++i, p += 1.0) sum += 1.0 / (p * p);
  return sum + 1.0 / p + 0.5 / (p * p) + 1.0 / (6.0 * p * p * p);
}

Sources gamma_sources(std::vector<double> shapes, double rate) {
  Sources sources = alone_in_their_sets(Family::gamma, Combination::sum, std::move(shapes));
  sources.spread = {rate};
  return sources;
}

TEST(GammaPrecision, TheTestsOwnTrigammaIsRight) {
  EXPECT_NEAR(trigamma(1.0), std::numbers::pi * std::numbers::pi / 6.0, 1e-12);
  EXPECT_NEAR(trigamma(0.5), std::numbers::pi * std::numbers::pi / 2.0, 1e-12);
}

// Maximum likelihood of one gamma distribution: var p = p / (n (p psi'(p) - 1)), whatever the training is called.
TEST(GammaPrecision, OfOneSourceIsThatOfMaximumLikelihood) {
  for (const double p : {0.5, 1.0, 4.0}) {
    for (const double rate : {0.3, 2.0}) {
      const Precision found = gamma_location_precision(gamma_sources({p}, rate), sets_of({"1"}), std::vector{200.0});
      const double expected = std::sqrt(p / (200.0 * (p * trigamma(p) - 1.0)));
      for (const Training method : trainings) {
        const std::size_t place = found.place(method, 0, 0);
        EXPECT_NEAR(found.error[place], expected, 1e-9 * expected) << training_words[static_cast<int>(method)];
        EXPECT_NEAR(found.bias[place], 0.0, 1e-9);
      }
    }
  }
}

// Two sources alone in their sets share the rate: the information is [n1 t1, 0, -n1/r; 0, n2 t2, -n2/r; ..., sum n
// p/r^2].
TEST(GammaPrecision, SourcesAloneInTheirSetsShareTheRate) {
  const double p[] = {1.5, 0.7};
  const double n[] = {120.0, 300.0};
  constexpr double rate = 1.7;
  const Precision found =
      gamma_location_precision(gamma_sources({p[0], p[1]}, rate), sets_of({"10", "01"}), std::vector{n[0], n[1]});
  // Eliminating the rate: 1 / (n t) + (1 / (r t))^2 / left, left what the rate keeps.
  double left = 0.0;
  for (int k = 0; k < 2; ++k) left += n[k] * (p[k] - 1.0 / trigamma(p[k])) / (rate * rate);
  for (std::size_t k = 0; k < 2; ++k) {
    const double slope = 1.0 / (rate * trigamma(p[k]));
    const double expected = std::sqrt(1.0 / (n[k] * trigamma(p[k])) + slope * slope / left);
    for (const Training method : trainings) {
      const std::size_t place = found.place(method, k, 0);
      EXPECT_NEAR(found.error[place], expected, 1e-9 * expected) << training_words[static_cast<int>(method)];
      EXPECT_NEAR(found.bias[place], 0.0, 1e-9);
    }
  }
}

// Limits solve what the trainings solve: sum w (log x + log r - psi(p_k)) = 0 for each source, and one equation for the
// rate, sum w p_k = r sum w x.
TEST(GammaPrecision, LimitsSolveTheEquationsOfTheTrainings) {
  const auto digamma = [](double p) { return (std::lgamma(p + 1e-5) - std::lgamma(p - 1e-5)) / 2e-5; };
  const double shape[] = {1.0, 2.0, 3.0};  // of the sets 10, 01 and 11, whose items are as many; the true rate is 1
  const Precision found = gamma_location_precision(gamma_sources({1.0, 2.0}, 1.0), sets_of({"10", "01", "11"}),
                                                   std::vector{100.0, 100.0, 100.0});
  for (const Training method : {Training::cross, Training::probabilistic}) {
    const double both = method == Training::cross ? 1.0 : 0.5;
    double log_rate[2];
    double taught = 0.0;
    double values = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      const double limit = shape[k] + found.bias[found.place(method, k, 0)];
      log_rate[k] = digamma(limit) - (digamma(shape[k]) + both * digamma(shape[2])) / (1.0 + both);
      taught += (1.0 + both) * limit;
      values += shape[k] + both * shape[2];
    }
    constexpr double close = 1e-8;  // digamma by a difference
    EXPECT_NEAR(log_rate[0], log_rate[1], close);
    EXPECT_NEAR(std::log(taught / values), log_rate[0], close);
    EXPECT_GT(std::abs(log_rate[0]), 0.01);  // sums are no gamma distribution of either source
  }
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(found.bias[found.place(Training::ignore, k, 0)], 0.0, 1e-9);
    EXPECT_LT(found.error[found.place(Training::deconvolution, k, 0)],
              found.error[found.place(Training::ignore, k, 0)]);
  }
}

TEST(GammaPrecision, ASourceThatNoItemTeachesHasNoError) {
  const Precision found =
      gamma_location_precision(gamma_sources({1.0, 2.0}, 1.0), sets_of({"10", "11"}), std::vector{100.0, 100.0});
  EXPECT_TRUE(std::isnan(found.error[found.place(Training::ignore, 1, 0)]));
  EXPECT_TRUE(std::isnan(found.error[found.place(Training::fresh, 1, 0)]));
  EXPECT_FALSE(std::isnan(found.error[found.place(Training::deconvolution, 1, 0)]));
}

}  // namespace
}  // namespace motet::multilabel::precision_gamma_test
