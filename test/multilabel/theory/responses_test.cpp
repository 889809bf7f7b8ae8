#include "motet/multilabel/theory/responses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/precision_cases.h"

namespace motet::multilabel::responses_test {
namespace {

std::vector<PrecisionCase> response_cases() {
  return {{"or", Family::bernoulli, Combination::logical_or},
          {"or noise", Family::bernoulli, Combination::logical_or, Covariance::diagonal, false, true},
          {"or background", Family::bernoulli, Combination::logical_or, Covariance::diagonal, true},
          {"and", Family::bernoulli, Combination::logical_and},
          {"exponential", Family::exponential, Combination::minimum},
          {"poisson", Family::poisson, Combination::sum},
          {"gamma", Family::gamma, Combination::sum}};
}

Responses asked(const Sources& sources, const std::vector<double>& count) {
  return responses(sources, sets_of(few_sets), count, 1);
}

TEST(Responses, GradientsAreThoseOfTheMean) {
  constexpr double step = 1e-6;
  constexpr double close = 1e-7;  // of central differences
  for (const PrecisionCase& given : response_cases()) {
    const Sources sources = sources_of(given);
    const Responses all = asked(sources, few_counts);
    const bool has_more = given.noise || given.family == Family::gamma;
    ASSERT_EQ(all.unknowns, sources.count + (has_more ? 1 : 0)) << given.name;
    for (std::size_t u = 0; u < all.unknowns; ++u) {
      const auto moved = [&](double by) {
        Sources other = sources;
        (u < sources.count ? other.location[2 * u + 1] : (given.noise ? other.noise : other.spread)[1]) += by;
        return asked(other, few_counts).mean;
      };
      const std::vector<double> up = moved(step);
      const std::vector<double> down = moved(-step);
      for (std::size_t j = 0; j < few_sets.size(); ++j) {
        EXPECT_NEAR(all.gradient[j * all.unknowns + u], (up[j] - down[j]) / (2.0 * step), close) << given.name;
      }
    }
  }
}

// Mean, variance and excess kurtosis, from the density of an item of each set, summed or integrated.
TEST(Responses, MomentsAreThoseOfTheItems) {
  for (const PrecisionCase& given : response_cases()) {
    if (given.background) continue;
    const Sources sources = sources_of(given);
    const Responses all = asked(sources, few_counts);
    const BitMatrix sets = sets_of(few_sets);
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      double sum = 0.0;
      double off = 1.0;
      double on = 1.0;
      for_each_bit(sets.row(j), [&](std::size_t k) {
        const double value = sources.location[2 * k + 1];
        sum += value;
        off *= 1.0 - value;
        on *= value;
      });
      double moments[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
      const auto add = [&](double x, double mass) {
        for (double& moment : moments) {
          moment += mass;
          mass *= x;
        }
      };
      if (given.family == Family::bernoulli) {
        double one = given.combination == Combination::logical_or ? 1.0 - off : on;
        if (given.noise) one = one * (1.0 - sources.noise[1]) + (1.0 - one) * sources.noise[1];
        add(1.0, one);
        add(0.0, 1.0 - one);
      } else if (given.family == Family::poisson) {
        for (int x = 0; x < 60; ++x) add(x, std::exp(x * std::log(sum) - sum - std::lgamma(x + 1.0)));
      } else {
        // In t = log x, where the density falls off fast at both ends.
        const double shape = given.family == Family::gamma ? sum : 1.0;
        const double rate = given.family == Family::gamma ? sources.spread[1] : sum;
        constexpr double width = 0.005;  // smooth functions that vanish at the ends: no error to speak of
        for (double t = -250.0; t < 8.0; t += width) {
          const double x = std::exp(t);
          add(x, width * std::exp(shape * (std::log(rate) + t) - rate * x - std::lgamma(shape)));
        }
      }
      const double mean = moments[1];
      const double variance = moments[2] - mean * mean;
      const double fourth =
          moments[4] - 4.0 * mean * moments[3] + 6.0 * mean * mean * moments[2] - 3.0 * std::pow(mean, 4);
      EXPECT_NEAR(moments[0], 1.0, 1e-9) << given.name;
      EXPECT_NEAR(all.mean[j], mean, 1e-9 * (1.0 + mean)) << given.name;
      EXPECT_NEAR(all.variance[j], variance, 1e-8 * (1.0 + variance)) << given.name;
      const double kurtosis = fourth / (variance * variance) - 3.0;
      EXPECT_NEAR(all.kurtosis[j], kurtosis, 1e-6 * (1.0 + std::abs(kurtosis))) << given.name;
    }
  }
}

// Where the mean of x says all, the information is sum n g g' / V.
TEST(Responses, InformationAddsOverSets) {
  for (const PrecisionCase& given : response_cases()) {
    if (given.family == Family::gamma) continue;
    const Responses all = asked(sources_of(given), few_counts);
    for (std::size_t u = 0; u < all.unknowns; ++u) {
      for (std::size_t v = 0; v < all.unknowns; ++v) {
        double sum = 0.0;
        for (std::size_t j = 0; j < few_sets.size(); ++j) {
          sum +=
              few_counts[j] * all.gradient[j * all.unknowns + u] * all.gradient[j * all.unknowns + v] / all.variance[j];
        }
        EXPECT_NEAR(all.information[u * all.unknowns + v], sum, 1e-9 * (1.0 + std::abs(sum))) << given.name;
      }
    }
  }
}

// psi'(1) = pi^2 / 6: one exponential item of a gamma source, in shape and rate.
TEST(Responses, InformationOfAGammaItemIsInShapeAndRate) {
  Sources sources = alone_in_their_sets(Family::gamma, Combination::sum, {1.0});
  sources.spread = {2.0};
  const Responses all = responses(sources, sets_of({"1"}), std::vector{3.0}, 0);
  ASSERT_EQ(all.unknowns, 2U);
  EXPECT_NEAR(all.information[0], 3.0 * 9.869604401089358 / 6.0, 1e-9);
  EXPECT_NEAR(all.information[1], -3.0 / 2.0, 1e-12);
  EXPECT_NEAR(all.information[2], -3.0 / 2.0, 1e-12);
  EXPECT_NEAR(all.information[3], 3.0 / 4.0, 1e-12);
}

TEST(Responses, AProbabilityOfNoughtIsTakenHalfAnItemAway) {
  Sources sources = sources_of({"", Family::bernoulli, Combination::logical_or});
  sources.location[1] = 0.0;
  sources.location[3] = 1.0;
  const Responses all = asked(sources, few_counts);
  // The first label is in 30 + 40 + 25 items, the second in 50 + 40 + 20 + 25.
  EXPECT_DOUBLE_EQ(all.value[0], 0.5 / 96.0);
  EXPECT_DOUBLE_EQ(all.value[1], 1.0 - 0.5 / 136.0);
}

}  // namespace
}  // namespace motet::multilabel::responses_test
