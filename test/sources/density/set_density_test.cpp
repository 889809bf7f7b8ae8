#include "motet/sources/density/set_density.h"

#include <gtest/gtest.h>

#include <limits>

#include "motet/base/numeric.h"
#include "sources/source_cases.h"
#include "support/errors.h"
#include "support/processor.h"
#include "support/threads.h"

namespace motet::set_density_test {
namespace {

using enum Combination;

constexpr double rounding = 1e-10;  // relative, of another order of the same sums
constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_same(double found, double expected) {
  if (std::isinf(expected)) {
    EXPECT_EQ(found, expected);
  } else {
    EXPECT_NEAR(found, expected, rounding * (1.0 + std::abs(expected)));
  }
}

std::vector<double> normals(std::size_t count, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> all(count);
  for (double& value : all) value = 2.0 * rng.normal();
  return all;
}

// Every Gaussian kind against elimination with the set's moments, over more rows than a block.
struct GaussianCase {
  Combination combination;
  Covariance covariance;
  bool noise;
};

class GaussianSetDensity : public testing::TestWithParam<GaussianCase> {};

TEST_P(GaussianSetDensity, IsThatOfTheMomentsOfTheSet) {
  const auto [combination, covariance, noise] = GetParam();
  for (const std::size_t dimensions : {1, 3, 4, 7, 17}) {
    const Sources sources =
        random_sources(Family::gaussian, combination, covariance, 4, dimensions, true, noise, 11 + dimensions);
    const BitMatrix sets = all_sets(4, true);
    const std::vector<double> x = normals(70 * dimensions, 3);
    const std::vector<double> found = log_densities(sources, sets, x, {1});
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      const SetMoments moments = set_moments(sources, sets.row(j));
      for (std::size_t n = 0; n < 70; n += 3) {
        const auto row = x.begin() + static_cast<std::ptrdiff_t>(n * dimensions);
        const std::vector<double> item(row, row + static_cast<std::ptrdiff_t>(dimensions));
        expect_same(found[n * sets.rows() + j], plain_gaussian(item, moments.mean, moments.covariance));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, GaussianSetDensity,
    testing::Values(GaussianCase{sum, Covariance::spherical, false}, GaussianCase{mean, Covariance::spherical, true},
                    GaussianCase{sum, Covariance::diagonal, false}, GaussianCase{mean, Covariance::diagonal, false},
                    GaussianCase{sum, Covariance::diagonal, true}, GaussianCase{sum, Covariance::full, false},
                    GaussianCase{mean, Covariance::full, true}, GaussianCase{sum, Covariance::shared, false},
                    GaussianCase{mean, Covariance::shared, false}, GaussianCase{sum, Covariance::shared, true},
                    GaussianCase{mean, Covariance::shared, true}, GaussianCase{sum, Covariance::point, true},
                    GaussianCase{mean, Covariance::point, true}),
    [](const testing::TestParamInfo<GaussianCase>& info) {
      return std::string(combination_words[static_cast<std::size_t>(info.param.combination)]) + "_" +
             covariance_words[static_cast<std::size_t>(info.param.covariance)] + (info.param.noise ? "_noise" : "");
    });

TEST(SetDensity, DiagonalNoiseKeepsADiagonalModelDiagonal) {
  Sources sources = random_sources(Family::gaussian, sum, Covariance::diagonal, 2, 2, false, false, 4);
  sources.noise = {0.5, 0.0, 0.0, 0.25};
  const BitMatrix sets = one_set(2, {0, 1});
  const SetMoments moments = set_moments(sources, sets.row(0));
  expect_same(log_density(sources, sets.row(0), std::vector<double>{0.3, -1.0}).value,
              plain_gaussian({0.3, -1.0}, moments.mean, moments.covariance));
}

TEST(SetDensity, LognormalCarriesTheJacobianOfTheLogarithm) {
  Sources sources = random_sources(Family::lognormal, product, Covariance::full, 3, 2, true, true, 6);
  const BitMatrix sets = all_sets(3, true);
  const std::vector<double> x{0.4, 2.5};
  const std::vector<double> found = log_densities(sources, sets, x, {1});
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    const SetMoments moments = set_moments(sources, sets.row(j));
    expect_same(found[j], plain_gaussian({std::log(0.4), std::log(2.5)}, moments.mean, moments.covariance) -
                              std::log(0.4) - std::log(2.5));
  }
}

TEST(SetDensity, ADensityOfALognormalSetIntegratesToOne) {
  const Sources sources = random_sources(Family::lognormal, product, Covariance::diagonal, 2, 1, false, false, 6);
  double total = 0.0;
  constexpr double step = 0.02;
  for (double t = -12.0; t < 12.0; t += step) {  // x = e^t
    const std::vector<double> x{std::exp(t)};
    total += step * x[0] * std::exp(log_density(sources, one_set(2, {0, 1}).row(0), x).value);
  }
  EXPECT_NEAR(total, 1.0, 1e-9);
}

TEST(SetDensity, BooleanSetsFollowTheirCombinationAndTheFlips) {
  for (const bool noise : {false, true}) {
    for (const Combination combination : {logical_or, logical_and}) {
      const Sources sources = random_sources(Family::bernoulli, combination, {}, 3, 2, true, noise, 8);
      const BitMatrix sets = all_sets(3, true);
      const std::vector<double> x{0, 1, 1, 1, 0, 0};
      const std::vector<double> found = log_densities(sources, sets, x, {1});
      for (std::size_t j = 0; j < sets.rows(); ++j) {
        for (std::size_t n = 0; n < 3; ++n) {
          double expected = 0.0;
          for (std::size_t d = 0; d < 2; ++d) {
            double all = 1.0;
            for (const std::size_t k : members(sources, sets.row(j))) {
              const double b = sources.location_of(k)[d];
              all *= combination == logical_or ? 1.0 - b : b;
            }
            double p = combination == logical_or ? 1.0 - all : all;
            if (noise) p = p * (1.0 - sources.noise[d]) + (1.0 - p) * sources.noise[d];
            expected += std::log(x[n * 2 + d] == 1.0 ? p : 1.0 - p);
          }
          expect_same(found[n * sets.rows() + j], expected);
        }
      }
    }
  }
}

TEST(SetDensity, CertainCellsThatDifferHaveNoDensity) {
  Sources sources{Family::bernoulli, logical_or, Covariance::diagonal, 2, 2, false, {1.0, 0.3, 0.0, 0.3}};
  const BitMatrix sets = all_sets(2, true);  // {}, {0}, {1}, {0,1}
  const std::vector<double> found = log_densities(sources, sets, std::vector<double>{1, 0, 0, 1}, {1});
  EXPECT_EQ(found[0], -infinity);
  expect_same(found[1], std::log(0.7));
  EXPECT_EQ(found[2], -infinity);
  expect_same(found[3], 2.0 * std::log(0.7));
  EXPECT_EQ(found[4 + 1], -infinity);
  expect_same(found[4 + 2], std::log(0.3));
}

TEST(SetDensity, RatesAndShapesAdd) {
  const std::vector<double> x{1.0, 2.0};
  for (const Family family : {Family::exponential, Family::poisson, Family::gamma}) {
    const Combination combination = family == Family::exponential ? minimum : sum;
    const Sources sources = random_sources(family, combination, {}, 2, 2, true, false, 9);
    double expected = 0.0;
    for (std::size_t d = 0; d < 2; ++d) {
      double rate = 0.0;
      for (std::size_t k = 0; k < 3; ++k) rate += sources.location_of(k)[d];
      if (family == Family::exponential) expected += std::log(rate) - rate * x[d];
      if (family == Family::poisson) expected += x[d] * std::log(rate) - rate - std::lgamma(x[d] + 1.0);
      if (family == Family::gamma) {
        const double b = sources.spread[d];
        expected += rate * std::log(b) - std::lgamma(rate) + (rate - 1.0) * std::log(x[d]) - b * x[d];
      }
    }
    expect_same(log_density(sources, one_set(2, {0, 1}).row(0), x).value, expected);
  }
}

TEST(SetDensity, ValuesThatAFamilyCannotGiveHaveNoDensity) {
  const auto density = [](Family family, Combination combination, double value) {
    const Sources sources = random_sources(family, combination, Covariance::full, 1, 1, false, false, 2);
    return log_density(sources, one_set(1, {0}).row(0), std::vector<double>{value}).value;
  };
  EXPECT_EQ(density(Family::bernoulli, logical_or, 0.5), -infinity);
  EXPECT_EQ(density(Family::exponential, minimum, -0.5), -infinity);
  EXPECT_EQ(density(Family::poisson, sum, 1.5), -infinity);
  EXPECT_EQ(density(Family::poisson, sum, -1.0), -infinity);
  EXPECT_EQ(density(Family::gamma, sum, 0.0), -infinity);
  EXPECT_EQ(density(Family::lognormal, product, 0.0), -infinity);
  EXPECT_TRUE(std::isfinite(density(Family::exponential, minimum, 0.0)));
}

TEST(SetDensity, OneOfIsAMixtureWithEqualWeights) {
  for (const Family family :
       {Family::gaussian, Family::bernoulli, Family::exponential, Family::gamma, Family::poisson, Family::lognormal}) {
    const Combination alone_as[] = {sum, logical_or, minimum, sum, sum, product};
    Sources sources = random_sources(family, one_of, Covariance::full, 3, 2, true, true, 12);
    const BitMatrix sets = all_sets(3, true);
    const std::vector<double> x{1.0, 1.0};
    const std::vector<double> found = log_densities(sources, sets, x, {1});
    Sources alone = sources;
    alone.background = false;
    alone.combination = alone_as[static_cast<std::size_t>(family)];
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      std::vector<double> parts;
      for (const std::size_t k : members(sources, sets.row(j))) {
        parts.push_back(log_density(alone, one_set(4, {k}).row(0), x).value);
      }
      expect_same(found[j], log_sum_exp(parts) - std::log(static_cast<double>(parts.size())));
    }
  }
}

TEST(SetDensity, TheEmptySetWithoutABackgroundHasNone) {
  for (const Combination combination : {sum, one_of, minimum}) {
    const Sources sources = random_sources(Family::gaussian, combination, Covariance::diagonal, 2, 2, false, false, 1);
    EXPECT_EQ(log_density(sources, one_set(2, {}).row(0), std::vector<double>{0.0, 0.0}).value, -infinity);
  }
}

TEST(SetDensity, APairWithoutAMeaningIsWrongUsage) {
  Sources sources = random_sources(Family::bernoulli, logical_or, {}, 2, 1, false, false, 1);
  sources.combination = product;
  EXPECT_EQ(
      refusal([&] { log_densities(sources, all_sets(2, false), std::vector<double>{1.0}, {1}); }, ErrorKind::usage),
      "--combine product has no meaning for bernoulli sources; they have or, and, one-of, sum, mean");
}

TEST(SetDensity, HasTheSameBitsOnAnyNumberOfThreads) {
  for (const Covariance covariance : {Covariance::diagonal, Covariance::full, Covariance::shared}) {
    for (const Combination combination : {sum, one_of}) {
      const Sources sources = random_sources(Family::gaussian, combination, covariance, 6, 5, false, true, 21);
      const BitMatrix sets = all_sets(6, false);
      const std::vector<double> x = normals(2500 * 5, 8);
      std::vector<std::uint32_t> of_row(2500);
      for (std::size_t n = 0; n < of_row.size(); ++n) of_row[n] = static_cast<std::uint32_t>(n * 5 % sets.rows());
      const std::vector<double> one = log_densities(sources, sets, x, {1});
      const double sum_one = log_likelihood(sources, sets, of_row, x, {1});
      for (const unsigned threads : {2U, 4U}) {
        EXPECT_TRUE(log_densities(sources, sets, x, StartedThreads(threads)) == one);
        EXPECT_EQ(log_likelihood(sources, sets, of_row, x, StartedThreads(threads)), sum_one);
      }
      double expected = 0.0;
      for (std::size_t n = 0; n < of_row.size(); ++n) expected += one[n * sets.rows() + of_row[n]];
      EXPECT_NEAR(sum_one, expected, rounding * std::abs(expected));
    }
  }
}

TEST(SetDensity, ManyMatricesInSeveralPlansAreThoseOfOne) {
  // 2,047 sets of 40 dimensions need more room than one plan may have.
  const std::size_t dimensions = 40;
  const Sources sources = random_sources(Family::gaussian, mean, Covariance::full, 11, dimensions, false, false, 3);
  const BitMatrix sets = all_sets(11, false);
  const std::vector<double> x = normals(2 * dimensions, 8);
  const std::vector<double> found = log_densities(sources, sets, x, {2});
  for (const std::size_t j : {0U, 511U, 1000U, 2046U}) {
    const SetMoments moments = set_moments(sources, sets.row(j));
    const std::vector<double> item(x.begin() + dimensions, x.end());
    expect_same(found[sets.rows() + j], plain_gaussian(item, moments.mean, moments.covariance));
  }
}

void expect_same_at_every_level(const Sources& sources, const std::vector<double>& x) {
  const BitMatrix sets = all_sets(sources.count, false);
  std::vector<std::uint32_t> of_row(x.size() / sources.dimensions);
  for (std::size_t n = 0; n < of_row.size(); ++n) of_row[n] = static_cast<std::uint32_t>(n * n % sets.rows());
  expect_same_bits_at_every_level([&] {
    return joined({log_densities(sources, sets, x, {1}), {log_likelihood(sources, sets, of_row, x, {1})}});
  });
}

TEST(SetDensity, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t dimensions : {1U, 3U, 7U}) {
    const std::vector<double> x = normals(333 * dimensions, 8);
    for (const Covariance covariance :
         {Covariance::spherical, Covariance::diagonal, Covariance::full, Covariance::shared}) {
      for (const Combination combination : {sum, one_of}) {
        for (const bool noise : {false, true}) {
          expect_same_at_every_level(
              random_sources(Family::gaussian, combination, covariance, 5, dimensions, false, noise, 21), x);
        }
      }
    }
    std::vector<double> booleans;
    for (const double value : x) booleans.push_back(value > 0.0 ? 1.0 : 0.0);
    expect_same_at_every_level(random_sources(Family::bernoulli, logical_or, {}, 5, dimensions, false, true, 21),
                               booleans);
  }
}

}  // namespace
}  // namespace motet::set_density_test
