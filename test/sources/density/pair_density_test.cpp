#include "motet/sources/density/pair_density.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "motet/sources/sample.h"
#include "sources/source_cases.h"
#include "support/errors.h"

namespace motet::pair_density_test {
namespace {

using enum Combination;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double integrated = 1e-8;  // of the logarithm of a density by integrals; of those here 1e-9 or less

Sources sources_of(Family family, Combination combination, std::vector<double> location,
                   std::vector<double> spread = {}) {
  Sources sources{family,          combination, Covariance::diagonal, 1,
                  location.size(), false,       std::move(location),  std::move(spread)};
  return sources;
}

PairDensity density_of(const Sources& sources) {
  std::vector<Marginal> marginals;
  for (std::size_t k = 0; k < sources.count; ++k) marginals.push_back(marginal_of(sources, k, 0));
  return {std::move(marginals), sources.combination};
}

double exactly(const Sources& sources, double x) {
  const EstimatedDensity found = density_of(sources).log_density(x);
  EXPECT_EQ(found.error, 0.0);
  return found.value;
}

// An integral whose error is told, and small.
double by_integral(const Sources& sources, double x) {
  const EstimatedDensity found = density_of(sources).log_density(x);
  EXPECT_LT(found.error, integrated);
  return found.value;
}

// Hypoexponential: sum_k r_k e^(-r_k x) prod_{j != k} r_j / (r_j - r_k).
double hypoexponential(const std::vector<double>& rates, double x) {
  double density = 0.0;
  for (const double r : rates) {
    double term = r * std::exp(-r * x);
    for (const double other : rates) term *= other == r ? 1.0 : other / (other - r);
    density += term;
  }
  return std::log(density);
}

TEST(PairDensity, SumsOfExponentialsAreHypoexponential) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Combination combination = seed % 2 == 0 ? sum : mean;
    const Sources sources = random_sources(Family::exponential, combination, {}, 2 + seed % 3, 1, false, false, seed);
    Rng rng(Seed{seed});
    const std::vector<double> x = sample_item(sources, one_set(sources.count, {0, 1}).row(0), rng);
    const double m = combination == mean ? static_cast<double>(sources.count) : 1.0;
    // The formula compared with loses digits where rates are near each other.
    EXPECT_NEAR(exactly(sources, x[0]), hypoexponential(sources.location, m * x[0]) + std::log(m), 1e-7);
  }
}

TEST(PairDensity, SumsOfEqualExponentialsAreErlang) {
  const double x = 1.7;
  EXPECT_NEAR(exactly(sources_of(Family::exponential, sum, {2.0, 2.0}), x), std::log(4.0 * x) - 2.0 * x, 1e-13);
  const double nearly = exactly(sources_of(Family::exponential, sum, {2.0, 2.0 + 1e-12, 2.0 - 1e-12}), x);
  EXPECT_NEAR(nearly, std::log(8.0 * x * x / 2.0) - 2.0 * x, 1e-11);
}

// The convolution of two by the trapezium rule over log xi_1, from both sides.
double lognormal_sum(const Sources& sources, double x) {
  const auto log_density_of = [&](std::size_t k, double xi) {
    const double s2 = sources.spread[k];
    const double z = std::log(xi) - sources.location[k];
    return -0.5 * z * z / s2 - 0.5 * std::log(2.0 * std::numbers::pi * s2) - std::log(xi);
  };
  double total = 0.0;
  constexpr int steps = 2'000;
  for (int i = -steps; i <= steps; ++i) {  // xi = x / (1 + e^-t), d xi = xi (1 - xi / x) dt
    const double width = 40.0 / steps;
    const double share = 1.0 / (1.0 + std::exp(-width * i));
    const double rest = 1.0 / (1.0 + std::exp(width * i));
    total += width * x * share * rest * std::exp(log_density_of(0, x * share) + log_density_of(1, x * rest));
  }
  return std::log(total);
}

TEST(PairDensity, SumsOfTwoLognormalsAreTheirIntegralAlsoFarOut) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Sources sources = random_sources(Family::lognormal, sum, Covariance::diagonal, 2, 1, false, false, seed);
    for (const double x : {0.2, 1.0, 3.0, 10.0, 1000.0, 1e6}) {
      EXPECT_NEAR(by_integral(sources, x), lognormal_sum(sources, x), integrated) << seed << " " << x;
    }
  }
}

TEST(PairDensity, ANarrowAndAWideLognormalAreTheirIntegralToo) {
  const Sources sources = sources_of(Family::lognormal, sum, {0.0, 2.0}, {0.0025, 2.25});
  for (const double x : {1.02, 1.5, 8.0, 300.0}) {
    EXPECT_NEAR(by_integral(sources, x), lognormal_sum(sources, x), integrated) << x;
  }
}

TEST(PairDensity, ProductsOfTwoFollowTheirBesselFunctions) {
  for (const double x : {1e-6, 0.05, 0.3, 1.0, 2.0, 5.0, 40.0}) {
    // Gamma(a) Gamma(b): 2 x^((a + b) / 2 - 1) K_{a - b}(2 sqrt x) / (Gamma(a) Gamma(b))
    const double a = 2.5;
    const double b = 1.2;
    const double gammas = std::log(2.0 * std::cyl_bessel_k(a - b, 2.0 * std::sqrt(x))) +
                          ((a + b) / 2.0 - 1.0) * std::log(x) - std::lgamma(a) - std::lgamma(b);
    EXPECT_NEAR(by_integral(sources_of(Family::gamma, product, {a, b}, {1.0}), x), gammas, integrated);
    // rates r, s: 2 r s K_0(2 sqrt(r s x))
    const double exponentials = std::log(2.0 * 3.0 * std::cyl_bessel_k(0.0, 2.0 * std::sqrt(3.0 * x)));
    EXPECT_NEAR(by_integral(sources_of(Family::exponential, product, {1.5, 2.0}), x), exponentials, integrated);
    // N(0, s^2) N(0, t^2): K_0(|x| / (s t)) / (pi s t)
    const double gaussians = std::log(std::cyl_bessel_k(0.0, x / 1.5) / (std::numbers::pi * 1.5));
    EXPECT_NEAR(by_integral(sources_of(Family::gaussian, product, {0.0, 0.0}, {1.0, 2.25}), -x), gaussians, integrated);
  }
}

// The mass of all items, over equal steps of log x.
double mass(const Sources& sources, double from, double to, double sign = 1.0) {
  const PairDensity density = density_of(sources);
  constexpr double step = 0.02;
  double total = 0.0;
  for (double w = from; w < to; w += step) {
    total += step * std::exp(w + density.log_density(sign * std::exp(w)).value);
  }
  return total;
}

TEST(PairDensity, IntegratesToOne) {
  // The sum over equal steps of a smooth density that falls off on both sides is its integral.
  EXPECT_NEAR(mass(sources_of(Family::lognormal, sum, {0.3, -0.5}, {0.5, 0.8}), -8.0, 8.0), 1.0, integrated);
  EXPECT_NEAR(mass(sources_of(Family::lognormal, mean, {0.3, -0.5, 1.0}, {0.5, 0.8, 0.3}), -8.0, 8.0), 1.0, integrated);
  EXPECT_NEAR(mass(sources_of(Family::gamma, product, {2.0, 3.0, 4.0}, {1.5}), -20.0, 8.0), 1.0, integrated);
  EXPECT_NEAR(mass(sources_of(Family::exponential, sum, {0.5, 3.0, 3.0}), -10.0, 6.0), 1.0, integrated);
  const Sources signs = sources_of(Family::gaussian, product, {1.0, -0.4, 2.0}, {0.5, 1.0, 0.3});
  EXPECT_NEAR(mass(signs, -40.0, 6.0) + mass(signs, -40.0, 6.0, -1.0), 1.0, integrated);
}

// Three members in two other orders of integration: the answer is the same.
TEST(PairDensity, DoesNotDependOnTheOrderOfItsMembers) {
  const Sources one = sources_of(Family::lognormal, sum, {0.3, -0.5, 1.0}, {0.5, 0.5, 0.5});
  const Sources other = sources_of(Family::lognormal, sum, {1.0, 0.3, -0.5}, {0.5, 0.5, 0.5});
  for (const double x : {0.7, 2.0, 6.0, 50.0, 500.0}) {
    EXPECT_NEAR(by_integral(one, x), by_integral(other, x), integrated) << x;
  }
}

TEST(PairDensity, MinimaAreExact) {
  const Sources gaussians = sources_of(Family::gaussian, minimum, {0.0, 1.0}, {1.0, 4.0});
  const double x = 0.4;
  const auto upper = [](double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); };
  const auto density = [](double z) { return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi); };
  const double expected = density(0.4) * upper(-0.3) + density(-0.3) / 2.0 * upper(0.4);
  EXPECT_NEAR(exactly(gaussians, x), std::log(expected), 1e-12);
  // Far out, where the tails are no doubles, the densities still are: N(0, 1) alone would be -0.5 x^2.
  EXPECT_TRUE(std::isfinite(exactly(gaussians, 60.0)));
  EXPECT_TRUE(std::isfinite(exactly(sources_of(Family::gamma, minimum, {2.0, 3.0}, {1.0}), 2000.0)));
  const Sources exponentials = sources_of(Family::exponential, minimum, {0.5, 1.5});
  EXPECT_NEAR(exactly(exponentials, 0.7), std::log(2.0) - 2.0 * 0.7, 1e-12);
}

TEST(PairDensity, ADensityOfAMinimumIntegratesToOne) {
  for (const Family family : {Family::gamma, Family::lognormal, Family::gaussian}) {
    const Sources sources = random_sources(family, minimum, Covariance::diagonal, 3, 1, false, false, 4);
    double total = 0.0;
    constexpr double step = 0.01;
    for (double x = (family == Family::gaussian ? -12.0 : 0.0) + step / 2; x < 20.0; x += step) {
      total += step * std::exp(exactly(sources, x));
    }
    EXPECT_NEAR(total, 1.0, 1e-3);
  }
}

TEST(PairDensity, CountsAreExact) {
  const Sources coins = sources_of(Family::bernoulli, sum, {0.3, 0.6, 0.1});
  EXPECT_NEAR(exactly(coins, 0.0), std::log(0.7 * 0.4 * 0.9), 1e-12);
  EXPECT_NEAR(exactly(coins, 1.0), std::log(0.3 * 0.4 * 0.9 + 0.7 * 0.6 * 0.9 + 0.7 * 0.4 * 0.1), 1e-12);
  EXPECT_NEAR(exactly(coins, 3.0), std::log(0.3 * 0.6 * 0.1), 1e-12);
  EXPECT_EQ(exactly(coins, 4.0), -infinity);
  EXPECT_EQ(exactly(coins, 0.5), -infinity);
  const Sources average = sources_of(Family::bernoulli, mean, {0.3, 0.6, 0.1});
  EXPECT_NEAR(exactly(average, 1.0 / 3.0), exactly(coins, 1.0), 1e-12);
  const Sources events = sources_of(Family::poisson, mean, {0.5, 1.0, 2.0});
  EXPECT_NEAR(exactly(events, 4.0 / 3.0), 4.0 * std::log(3.5) - 3.5 - std::log(24.0), 1e-12);
  const Sources least = sources_of(Family::poisson, minimum, {0.5, 1.0});
  const double both_none = std::exp(-1.5);
  EXPECT_NEAR(exactly(least, 0.0), std::log(std::exp(-0.5) + std::exp(-1.0) - both_none), 1e-12);
  EXPECT_EQ(exactly(least, 0.5), -infinity);
}

TEST(PairDensity, GammasOfOneRateAreExact) {
  const Sources gammas = sources_of(Family::gamma, sum, {0.5, 2.0}, {1.5});
  const std::vector<double> x{0.8};
  EXPECT_NEAR(exactly(gammas, x[0]), log_density(gammas, one_set(2, {0, 1}).row(0), x).value, 1e-12);
  const Sources average = sources_of(Family::gamma, mean, {0.5, 2.0}, {1.5});
  EXPECT_NEAR(exactly(average, 0.4), exactly(gammas, 0.8) + std::log(2.0), 1e-12);
}

TEST(PairDensity, ASetOfOneSourceIsThatSource) {
  EXPECT_NEAR(exactly(sources_of(Family::exponential, sum, {2.0}), 0.5), std::log(2.0) - 1.0, 1e-12);
}

TEST(PairDensity, ValuesThatCannotBeHaveNoDensity) {
  EXPECT_EQ(exactly(sources_of(Family::exponential, sum, {2.0, 1.0}), -0.5), -infinity);
  EXPECT_EQ(exactly(sources_of(Family::lognormal, sum, {2.0, 1.0}, {1.0, 1.0}), 0.0), -infinity);
  EXPECT_EQ(exactly(sources_of(Family::gaussian, product, {0.0, 1.0}, {1.0, 1.0}), 0.0), infinity);
}

TEST(PairDensity, TheSameQuestionHasTheSameAnswer) {
  const Sources sources = random_sources(Family::lognormal, sum, Covariance::diagonal, 3, 4, true, false, 3);
  const BitMatrix sets = all_sets(3, true);
  const std::vector<double> x{1.0, 2.0, 0.5, 3.0, 2.0, 2.0, 1.5, 4.0};
  const std::vector<double> table = log_densities(sources, sets, x, {1});
  EXPECT_TRUE(log_densities(sources, sets, x, {3}) == table);
  double sum_of_rows = 0.0;
  for (std::size_t n = 0; n < 2; ++n) {
    const EstimatedDensity one = log_density(sources, sets.row(5), std::span(x).subspan(n * 4, 4));
    EXPECT_EQ(one.value, table[n * sets.rows() + 5]);
    EXPECT_GT(one.error, 0.0);
    sum_of_rows += one.value;
  }
  EXPECT_NEAR(log_likelihood(sources, sets, std::vector<std::uint32_t>{5, 5}, x, {2}), sum_of_rows, 1e-12);
}

}  // namespace
}  // namespace motet::pair_density_test
