#include "motet/multilabel/search/threshold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "multilabel/model_cases.h"
#include "support/errors.h"

namespace motet::multilabel::threshold_test {
namespace {

constexpr std::size_t labels = 10;
constexpr std::size_t most = 4;
constexpr double sigma = 0.25;
constexpr std::size_t draws = 1000;

Sources equal_sources(Rng& rng) {
  Sources sources{Family::gaussian, Combination::sum, Covariance::shared, labels, labels};
  for (std::size_t i = 0; i < labels * labels; ++i) sources.location.push_back(rng.uniform(-2.0, 2.0));
  sources.spread.assign(labels * labels, 0.0);
  for (std::size_t d = 0; d < labels; ++d) sources.spread[d * labels + d] = sigma * sigma;
  return sources;
}

// Share of items that lose a source, over sets of `most` labels.
double simulated_error(const Sources& sources, const SourceThreshold& threshold, double tau, Rng& rng) {
  std::size_t lost = 0;
  for (std::size_t n = 0; n < draws; ++n) {
    BitMatrix set(1, labels);
    while (set.count(0) < most) set.set(0, rng.below(labels));
    std::vector<double> x(labels);
    for (std::size_t d = 0; d < labels; ++d) {
      for_each_bit(set.row(0), [&](std::size_t k) { x[d] += sources.location[k * labels + d] + sigma * rng.normal(); });
    }
    const std::vector<double> solution = least_squares_labels(threshold, x);
    bool loses = false;
    for_each_bit(set.row(0), [&](std::size_t k) { loses = loses || solution[k] <= tau; });
    lost += loses ? 1 : 0;
  }
  return static_cast<double>(lost) / static_cast<double>(draws);
}

// (5.21) as printed.
double printed_bound(const Sources& sources, double tau) {
  double eigenvalue = 0.0;  // the average of MM'
  for (const double mean : sources.location) eigenvalue += mean * mean / static_cast<double>(labels);
  const double value = (tau - 1.0) / (sigma * std::sqrt(static_cast<double>(most) / eigenvalue));
  const double lost = 0.5 * std::erfc(-value / std::numbers::sqrt2);
  return 1.0 - std::pow(1.0 - lost, static_cast<double>(most));
}

// (MM')^-1 by elimination.
std::vector<double> inverse_gram(const Sources& sources) {
  std::vector<double> gram(labels * labels);
  std::vector<double> result(labels * labels);
  for (std::size_t i = 0; i < labels; ++i) {
    result[i * labels + i] = 1.0;
    for (std::size_t j = 0; j < labels; ++j) {
      for (std::size_t d = 0; d < labels; ++d) {
        gram[i * labels + j] += sources.location[i * labels + d] * sources.location[j * labels + d];
      }
    }
  }
  for (std::size_t i = 0; i < labels; ++i) {
    const double pivot = gram[i * labels + i];
    for (std::size_t c = 0; c < labels; ++c) {
      gram[i * labels + c] /= pivot;
      result[i * labels + c] /= pivot;
    }
    for (std::size_t r = 0; r < labels; ++r) {
      const double factor = r == i ? 0.0 : gram[r * labels + i];
      for (std::size_t c = 0; c < labels; ++c) {
        gram[r * labels + c] -= factor * gram[i * labels + c];
        result[r * labels + c] -= factor * result[i * labels + c];
      }
    }
  }
  return result;
}

TEST(SourceThreshold, BoundHoldsWhereThePrintedOneDoesNot) {
  bool printed_fails = false;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    Rng rng(Seed{seed});
    const Sources sources = equal_sources(rng);
    const SourceThreshold threshold = make_threshold(sources, most, 0.05);
    for (const double tau : {0.3, 0.5, threshold.tau}) {
      const double error = simulated_error(sources, threshold, tau, rng);
      const double noise = 4.0 * std::sqrt(0.25 / static_cast<double>(draws));  // four standard errors at most
      EXPECT_LE(error, error_bound(threshold, tau) + noise);
      printed_fails = printed_fails || (error > 0.3 && printed_bound(sources, tau) < 0.01);
    }
  }
  EXPECT_TRUE(printed_fails);
}

TEST(SourceThreshold, ThresholdMeetsTheErrorItWasMadeFor) {
  Rng rng(Seed{7});
  const SourceThreshold threshold = make_threshold(equal_sources(rng), most, 0.05);
  EXPECT_NEAR(threshold.error, 0.05, 1e-9);
  EXPECT_LT(error_bound(threshold, threshold.tau - 0.1), 0.05);
  EXPECT_GT(error_bound(threshold, threshold.tau + 0.1), 0.05);
  EXPECT_LT(threshold_for(threshold, 0.01), threshold.tau);
}

TEST(SourceThreshold, VariancesOfEqualSourcesAreThoseOfTheInverseGramMatrix) {
  Rng rng(Seed{8});
  const Sources sources = equal_sources(rng);
  const SourceThreshold threshold = make_threshold(sources, most, 0.05);
  const std::vector<double> inverse = inverse_gram(sources);
  for (std::size_t m = 1; m <= most; ++m) {
    for (std::size_t k = 0; k < labels; ++k) {
      const double expected = sigma * sigma * static_cast<double>(m) * inverse[k * labels + k];
      EXPECT_NEAR(threshold.variance[(m - 1) * labels + k], expected, 1e-9 * expected);
    }
  }
}

TEST(SourceThreshold, ItemsWithoutNoiseGiveTheirLabelsBack) {
  Rng rng(Seed{9});
  for (const Family family : {Family::gaussian, Family::lognormal}) {
    ModelKind kind{.family = family, .covariance = Covariance::full, .background = true, .noise = true};
    if (family == Family::lognormal) kind.combination = Combination::product;
    const Sources sources = random_sources(kind, 5, 8, 1.0, rng);
    const SourceThreshold threshold = make_threshold(sources, 3, 0.05);
    std::vector<double> x(8);
    for (std::size_t d = 0; d < 8; ++d) {
      x[d] = sources.location_of(1)[d] + sources.location_of(3)[d] + sources.location_of(5)[d];
      if (family == Family::lognormal) x[d] = std::exp(x[d]);
    }
    const std::vector<double> solution = least_squares_labels(threshold, x);
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(solution[k], k == 1 || k == 3 ? 1.0 : 0.0, 1e-9);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ((kept_sources(threshold, x)[0] >> k & 1U) != 0, solution[k] > threshold.tau);
    }
  }
}

TEST(SourceThreshold, RefusesWhatItCannotBound) {
  Rng rng(Seed{10});
  const auto message = [&](const ModelKind& kind, std::size_t dimensions, double error) {
    return error_of([&] { make_threshold(random_sources(kind, 5, dimensions, 1.0, rng), 3, error); }, ErrorKind::usage);
  };
  EXPECT_EQ(message({}, 3, 0.05),
            "--heuristic-error needs linearly independent means: there are 5 labels, and their means have rank 3; "
            "leave it 0");
  EXPECT_EQ(
      message({.combination = Combination::mean}, 8, 0.05),
      "--heuristic-error needs gaussian sources that are summed or lognormal ones that are multiplied; leave it 0");
  EXPECT_EQ(message({}, 8, 1.5), "--heuristic-error 1.5 is not a probability between 0 and 1");
}

}  // namespace
}  // namespace motet::multilabel::threshold_test
