#include "motet/sources/emission.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "motet/base/numeric.h"
#include "motet/sources/sample.h"
#include "source_cases.h"

namespace motet::emission_test {
namespace {

using enum Combination;

struct EmissionCase {
  Family family;
  Combination combination;
  bool noise = false;
  Covariance covariance = Covariance::full;
  std::size_t draws = 4'000;
};

std::string name_of_case(const testing::TestParamInfo<EmissionCase>& info) {
  std::string name =
      family_word(info.param.family) + "_" + combination_words[static_cast<std::size_t>(info.param.combination)];
  std::replace(name.begin(), name.end(), '-', '_');
  if (is_gaussian(info.param.family)) {
    name += std::string("_") + covariance_words[static_cast<std::size_t>(info.param.covariance)];
  }
  return name + (info.param.noise ? "_noise" : "");
}

// Emissions and the item they make, drawn here, without the code under test.
struct Draw {
  std::vector<std::vector<double>> xi;
  std::vector<double> x;
};

Draw draw(const Sources& sources, const std::vector<std::size_t>& all, Rng& rng) {
  Draw result;
  for (const std::size_t k : all) result.xi.push_back(sample_emission(sources, k, rng));
  result.x = result.xi[0];
  if (sources.combination == one_of) result.x = result.xi[rng.below(all.size())];
  for (std::size_t i = 1; i < all.size() && sources.combination != one_of; ++i) {
    for (std::size_t d = 0; d < sources.dimensions; ++d) {
      const double xi = result.xi[i][d];
      double& x = result.x[d];
      if (sources.combination == sum || sources.combination == mean) x += xi;
      if (sources.combination == product) x *= xi;
      if (sources.combination == minimum || sources.combination == logical_and) x = std::min(x, xi);
      if (sources.combination == logical_or) x = std::max(x, xi);
    }
  }
  if (sources.combination == mean) {
    for (double& x : result.x) x /= static_cast<double>(all.size());
  }
  if (sources.noise.empty()) return result;
  if (sources.family == Family::bernoulli) {
    for (std::size_t d = 0; d < sources.dimensions; ++d) {
      if (rng.uniform() < sources.noise[d]) result.x[d] = 1.0 - result.x[d];
    }
    return result;
  }
  Sources noise = random_sources(Family::gaussian, sum, Covariance::full, 1, sources.dimensions, false, false, 1);
  noise.location.assign(sources.dimensions, 0.0);
  noise.spread = sources.noise;
  const std::vector<double> added = sample_emission(noise, 0, rng);
  for (std::size_t d = 0; d < sources.dimensions; ++d) {
    result.x[d] = sources.family == Family::lognormal ? result.x[d] * std::exp(added[d]) : result.x[d] + added[d];
  }
  return result;
}

class Emissions : public testing::TestWithParam<EmissionCase> {};

// What is left of xi_k and of its square after the posterior is taken off has mean 0 whatever x is:
// over all draws, and over those where x is small, its mean lies within its standard errors.
TEST_P(Emissions, LeaveNothingThatTheItemTells) {
  constexpr double most_errors = 4.5;  // of some 36 numbers per case
  const auto [family, combination, noise, covariance, draws] = GetParam();
  const std::size_t dimensions = 2;
  Sources sources = random_sources(family, combination, covariance, 2, dimensions, true, noise, 23);
  const BitMatrix set = one_set(2, {0, 1});
  const std::vector<std::size_t> all = members(sources, set.row(0));
  const SetEmissions ready(sources, set.row(0));
  Rng rng(Seed{5});
  std::vector<std::vector<double>> left(all.size() * dimensions * 2 * 3);
  for (std::size_t n = 0; n < draws; ++n) {
    const Draw one = draw(sources, all, rng);
    const std::vector<Emission> found = ready.at(one.x);
    ASSERT_EQ(found.size(), all.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(found[i].source, all[i]);
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double xi = one.xi[i][d];
        const double first = xi - found[i].mean[d];
        const double second = xi * xi - found[i].mean[d] * found[i].mean[d] - found[i].sd[d] * found[i].sd[d];
        const double turned = std::atan(one.x[d]);
        for (const double test : {1.0, turned, one.x[1 - d] < 1.0 ? 1.0 : 0.0}) {
          left[at++].push_back(first * test);
          left[at++].push_back(second * test);
        }
      }
    }
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const MeanSd rest = mean_sd(left[i]);
    EXPECT_LE(std::abs(rest.mean), most_errors * rest.error + 1e-12) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, Emissions,
    testing::Values(EmissionCase{Family::gaussian, sum}, EmissionCase{Family::gaussian, mean},
                    EmissionCase{Family::gaussian, sum, true}, EmissionCase{Family::gaussian, mean, true},
                    EmissionCase{Family::gaussian, sum, true, Covariance::shared},
                    EmissionCase{Family::gaussian, sum, true, Covariance::point},
                    EmissionCase{Family::gaussian, one_of, true}, EmissionCase{Family::lognormal, product, true},
                    EmissionCase{Family::bernoulli, logical_or}, EmissionCase{Family::bernoulli, logical_and},
                    EmissionCase{Family::bernoulli, logical_or, true},
                    EmissionCase{Family::bernoulli, logical_and, true}, EmissionCase{Family::bernoulli, one_of, true},
                    EmissionCase{Family::bernoulli, sum}, EmissionCase{Family::exponential, minimum},
                    EmissionCase{Family::gamma, sum}, EmissionCase{Family::gamma, mean},
                    EmissionCase{Family::gamma, minimum}, EmissionCase{Family::poisson, sum},
                    EmissionCase{Family::poisson, minimum}, EmissionCase{Family::poisson, one_of},
                    EmissionCase{Family::gaussian, minimum, false, Covariance::diagonal},
                    EmissionCase{Family::lognormal, minimum, false, Covariance::diagonal}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(Integrated, Emissions,
                         testing::Values(EmissionCase{Family::exponential, sum, false, Covariance::full, 200},
                                         EmissionCase{Family::exponential, mean, false, Covariance::full, 200},
                                         EmissionCase{Family::gaussian, product, false, Covariance::diagonal, 200}),
                         name_of_case);

TEST(Emission, OfASumOfLognormalsIsThatOfTheIntegral) {
  Sources sources = random_sources(Family::lognormal, sum, Covariance::diagonal, 2, 1, false, false, 3);
  const auto log_density_of = [&](std::size_t k, double xi) {
    const double z = std::log(xi) - sources.location[k];
    return -0.5 * z * z / sources.spread[k] - 0.5 * std::log(sources.spread[k]) - std::log(xi);
  };
  for (const double x : {0.5, 2.0, 8.0, 50.0}) {
    double total = 0.0;
    double first = 0.0;
    double second = 0.0;
    for (double t = -30.0; t < 30.0; t += 0.01) {  // xi = x / (1 + e^-t)
      const double share = 1.0 / (1.0 + std::exp(-t));
      const double rest = 1.0 / (1.0 + std::exp(t));
      const double weight = share * rest * std::exp(log_density_of(0, x * share) + log_density_of(1, x * rest));
      total += weight;
      first += weight * x * share;
      second += weight * x * x * share * share;
    }
    const std::vector<Emission> found = emissions(sources, one_set(2, {0, 1}).row(0), std::vector<double>{x});
    constexpr double integrated = 1e-8;  // of x
    EXPECT_NEAR(found[0].mean[0], first / total, integrated * x);
    EXPECT_NEAR(found[0].sd[0], std::sqrt(second / total - first * first / (total * total)), integrated * x);
    EXPECT_NEAR(found[0].mean[0] + found[1].mean[0], x, 1e-9 * x);
  }
}

TEST(Emission, FormulasOfTheHeaderHold) {
  Sources sources{Family::exponential, minimum, Covariance::diagonal, 1, 2, false, {2.0, 3.0}};
  const BitMatrix set = one_set(2, {0, 1});
  const std::vector<double> x{0.7};
  std::vector<Emission> found = emissions(sources, set.row(0), x);
  EXPECT_NEAR(found[0].mean[0], 0.7 + 1.0 / 2.0 - 1.0 / 5.0, 1e-14);
  EXPECT_NEAR(found[0].sd[0], std::sqrt(1.0 - 0.16) / 2.0, 1e-14);
  sources.family = Family::gamma;
  sources.combination = sum;
  sources.spread = {1.5};
  found = emissions(sources, set.row(0), x);
  EXPECT_NEAR(found[0].mean[0], 0.7 * 2.0 / 5.0, 1e-14);
  EXPECT_NEAR(found[0].sd[0], 0.7 * std::sqrt(0.4 * 0.6 / 6.0), 1e-14);
  EXPECT_NEAR(found[0].mean[0] + found[1].mean[0], 0.7, 1e-14);
}

TEST(Emission, OfTheEmptySetWithoutABackgroundThereIsNone) {
  const Sources sources = random_sources(Family::gaussian, sum, Covariance::diagonal, 2, 1, false, false, 1);
  EXPECT_TRUE(emissions(sources, one_set(2, {}).row(0), std::vector<double>{1.0}).empty());
}

TEST(Emission, AnOnlySourceEmittedTheItem) {
  const Sources sources = random_sources(Family::gaussian, sum, Covariance::full, 2, 2, false, false, 1);
  const std::vector<Emission> found = emissions(sources, one_set(2, {1}).row(0), std::vector<double>{1.0, -2.0});
  EXPECT_NEAR(found[0].mean[0], 1.0, 1e-12);
  EXPECT_NEAR(found[0].mean[1], -2.0, 1e-12);
  EXPECT_NEAR(found[0].sd[0], 0.0, 1e-7);
}

}  // namespace
}  // namespace motet::emission_test
