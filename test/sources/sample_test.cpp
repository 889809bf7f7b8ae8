#include "motet/sources/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "motet/base/numeric.h"
#include "motet/sources/density/set_density.h"
#include "source_cases.h"
#include "support/errors.h"

namespace motet::sample_test {
namespace {

using enum Combination;

constexpr std::size_t draws = 20'000;
// Beyond it the distance of Kolmogorov lies once in a thousand samples.
const double kolmogorov_bound = 1.95 / std::sqrt(static_cast<double>(draws));

std::vector<double> draw(const Sources& sources, const BitMatrix& set, std::uint64_t seed) {
  BitMatrix sets(draws, set.columns());
  for (std::size_t n = 0; n < draws; ++n) std::copy(set.row(0).begin(), set.row(0).end(), sets.row(n).begin());
  return sample_items(sources, sets, Rng(Seed{seed}));
}

// The largest difference of the sample's distribution from the density's, by the trapezium rule
// between the points of a fine grid.
double kolmogorov_distance(const Sources& sources, const BitMatrix& set, std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const bool is_positive = sources.family != Family::gaussian;
  const double low = is_positive ? std::log(x.front()) - 3.0 : x.front() - 3.0;
  const double high = is_positive ? std::log(x.back()) + 1.0 : x.back() + 3.0;
  constexpr std::size_t steps = 4000;
  const double width = (high - low) / steps;
  std::vector<double> points;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double at = low + width * static_cast<double>(i);
    points.push_back(is_positive ? std::exp(at) : at);
  }
  const std::vector<double> densities = log_densities(sources, set, points, {1});
  double below = 0.0;
  double most = 0.0;
  double last = 0.0;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double density = std::exp(densities[i]) * (is_positive ? points[i] : 1.0);
    if (i > 0) below += 0.5 * width * (density + last);
    last = density;
    const auto count = std::upper_bound(x.begin(), x.end(), points[i]) - x.begin();
    most = std::max(most, std::abs(static_cast<double>(count) / draws - below));
  }
  return most;
}

struct Pair {
  Family family;
  Combination combination;
  bool noise = false;
};

std::string name_of_pair(const testing::TestParamInfo<Pair>& info) {
  std::string name =
      family_word(info.param.family) + "_" + combination_words[static_cast<std::size_t>(info.param.combination)];
  std::replace(name.begin(), name.end(), '-', '_');
  return name + (info.param.noise ? "_noise" : "");
}

Sources sources_of(const Pair& pair) {
  return random_sources(pair.family, pair.combination, Covariance::diagonal, 2, 1, true, pair.noise, 31);
}

class ContinuousSample : public testing::TestWithParam<Pair> {};

TEST_P(ContinuousSample, FollowsTheDensityOfItsSet) {
  const Sources sources = sources_of(GetParam());
  const BitMatrix set = one_set(2, {0, 1});
  const std::vector<double> x = draw(sources, set, 7);
  EXPECT_LT(kolmogorov_distance(sources, set, x), kolmogorov_bound);
  Sources other = sources;  // and would not follow one that is a little different
  for (double& location : other.location) location += 0.15;
  EXPECT_GT(kolmogorov_distance(other, set, x), kolmogorov_bound);
}

INSTANTIATE_TEST_SUITE_P(Pairs, ContinuousSample,
                         testing::Values(Pair{Family::gaussian, sum}, Pair{Family::gaussian, mean},
                                         Pair{Family::gaussian, sum, true}, Pair{Family::gaussian, one_of},
                                         Pair{Family::gaussian, minimum}, Pair{Family::lognormal, product},
                                         Pair{Family::lognormal, one_of, true}, Pair{Family::exponential, minimum},
                                         Pair{Family::gamma, sum}, Pair{Family::gamma, mean},
                                         Pair{Family::gamma, minimum}),
                         name_of_pair);

class DiscreteSample : public testing::TestWithParam<Pair> {};

double chi_squared(const Sources& sources, const BitMatrix& set, const std::vector<double>& x, std::size_t& cells) {
  std::map<double, double> counts;
  for (const double value : x) counts[value] += 1.0;
  double statistic = 0.0;
  double expected_rest = draws;
  double found_rest = draws;
  cells = 0;
  for (const auto& [value, count] : counts) {
    const double expected = draws * std::exp(log_density(sources, set.row(0), std::vector<double>{value}).value);
    if (expected < 10.0) continue;
    statistic += (count - expected) * (count - expected) / expected;
    expected_rest -= expected;
    found_rest -= count;
    ++cells;
  }
  if (expected_rest > 1.0) {
    statistic += (found_rest - expected_rest) * (found_rest - expected_rest) / expected_rest;
    ++cells;
  }
  return statistic;
}

TEST_P(DiscreteSample, FollowsTheProbabilitiesOfItsSet) {
  const Sources sources = sources_of(GetParam());
  const BitMatrix set = one_set(2, {0, 1});
  const std::vector<double> x = draw(sources, set, 8);
  std::size_t cells = 0;
  const double statistic = chi_squared(sources, set, x, cells);
  const double bound = chi_squared_quantile(0.999, static_cast<double>(cells) - 1.0);
  EXPECT_LT(statistic, bound);
  Sources other = sources;
  for (double& location : other.location) location *= 0.9;
  EXPECT_GT(chi_squared(other, set, x, cells), bound);
}

INSTANTIATE_TEST_SUITE_P(Pairs, DiscreteSample,
                         testing::Values(Pair{Family::bernoulli, logical_or}, Pair{Family::bernoulli, logical_and},
                                         Pair{Family::bernoulli, logical_or, true},
                                         Pair{Family::bernoulli, one_of, true}, Pair{Family::bernoulli, sum},
                                         Pair{Family::poisson, sum}, Pair{Family::poisson, mean},
                                         Pair{Family::poisson, minimum}, Pair{Family::poisson, one_of}),
                         name_of_pair);

// |mean of a sample - expected| in standard errors.
double off_by(const std::vector<double>& values, double expected) {
  const MeanSd found = mean_sd(values);
  return std::abs(found.mean - expected) / found.error;
}

constexpr double most_errors = 4.0;  // of one number, once in 16,000

TEST(Sample, GammasHaveTheirMeanAndVariance) {
  for (const double shape : {0.05, 0.7, 1.0, 3.5, 40.0}) {
    Rng rng(Seed{3});
    std::vector<double> values(draws);
    for (double& value : values) value = sample_gamma(shape, rng);
    EXPECT_LT(off_by(values, shape), most_errors) << shape;
    for (double& value : values) value = (value - shape) * (value - shape);
    EXPECT_LT(off_by(values, shape), most_errors) << shape;
  }
}

TEST(Sample, PoissonsHaveTheirMeanAndVariance) {
  for (const double rate : {0.0, 0.3, 5.0, 11.9, 12.1, 60.0, 5000.0}) {
    Rng rng(Seed{4});
    std::vector<double> values(draws);
    for (double& value : values) value = sample_poisson(rate, rng);
    if (rate == 0.0) {
      EXPECT_EQ(*std::max_element(values.begin(), values.end()), 0.0);
      continue;
    }
    EXPECT_LT(off_by(values, rate), most_errors) << rate;
    for (double& value : values) value = (value - rate) * (value - rate);
    EXPECT_LT(off_by(values, rate), most_errors) << rate;
  }
}

TEST(Sample, LargePoissonsFollowTheirProbabilities) {
  Sources sources{.family = Family::poisson, .dimensions = 1, .count = 1, .location = {25.0}};
  const BitMatrix set = one_set(1, {0});
  std::size_t cells = 0;
  const double statistic = chi_squared(sources, set, draw(sources, set, 5), cells);
  EXPECT_LT(statistic, chi_squared_quantile(0.999, static_cast<double>(cells) - 1.0));
}

TEST(Sample, GaussianItemsHaveTheMomentsOfTheirSet) {
  for (const Covariance covariance : {Covariance::full, Covariance::shared, Covariance::point}) {
    const Sources sources = random_sources(Family::gaussian, mean, covariance, 3, 3, true, true, 17);
    const BitMatrix set = one_set(3, {0, 2});
    const SetMoments moments = set_moments(sources, set.row(0));
    const std::vector<double> x = draw(sources, set, 6);
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<double> values;
      for (std::size_t n = 0; n < draws; ++n) values.push_back(x[n * 3 + i]);
      EXPECT_LT(off_by(values, moments.mean[i]), most_errors);
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t n = 0; n < draws; ++n) {
          values[n] = (x[n * 3 + i] - moments.mean[i]) * (x[n * 3 + j] - moments.mean[j]);
        }
        EXPECT_LT(off_by(values, moments.covariance[i * 3 + j]), most_errors);
      }
    }
  }
}

TEST(Sample, AnItemDependsOnItsOwnStreamOnly) {
  const Sources sources = random_sources(Family::gamma, sum, {}, 3, 2, false, false, 17);
  const BitMatrix sets = all_sets(3, false);
  const Rng rng(Seed{9});
  const std::vector<double> x = sample_items(sources, sets, rng);
  for (std::size_t n = 0; n < sets.rows(); ++n) {
    Rng stream = rng.child(n);
    const std::vector<double> item = sample_item(sources, sets.row(n), stream);
    EXPECT_EQ(item[0], x[n * 2]);
    EXPECT_EQ(item[1], x[n * 2 + 1]);
  }
}

TEST(Sample, ASourceWithoutSpreadEmitsItsMean) {
  Sources sources = random_sources(Family::gaussian, sum, Covariance::full, 1, 2, false, false, 1);
  sources.spread = {1.0, 1.0, 1.0, 1.0};
  Rng rng(Seed{1});
  const std::vector<double> xi = sample_emission(sources, 0, rng);
  EXPECT_NEAR(xi[0] - sources.location[0], xi[1] - sources.location[1], 1e-12);
}

TEST(Sample, AnItemWithoutSourcesCannotBeDrawn) {
  const Sources sources = random_sources(Family::gaussian, sum, Covariance::diagonal, 2, 1, false, false, 1);
  Rng rng(Seed{1});
  EXPECT_EQ(error_of([&] { sample_item(sources, one_set(2, {}).row(0), rng); }, ErrorKind::usage),
            "an item without labels cannot be drawn; only a background source makes it possible");
}

}  // namespace
}  // namespace motet::sample_test
