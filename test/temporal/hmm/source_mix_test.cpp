#include "motet/temporal/hmm/source_mix.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "temporal/hmm/hmm_cases.h"

namespace motet::temporal::source_mix_test {
namespace {

constexpr double exact = 1e-12;     // of sums of a few numbers of size 1
constexpr double of_paths = 1e-10;  // of a sum over all paths, against forward-backward

const SourceHmm first = some_source(0.0);
const SourceHmm second = some_source(5.0);

TEST(SourceMix, OfOneSourceIsTheSource) {
  const SourceHmm* const sources[] = {&first};
  const SourceMix mix(sources, SourceCombination::mean);
  EXPECT_EQ(mix.means, first.means);
  EXPECT_EQ(mix.variances, first.variances);
  EXPECT_EQ(mix.chain, first.chain);
  for (const double c : mix.share[0]) EXPECT_EQ(c, 1.0);
  for (const double r : mix.residual_variance[0]) EXPECT_EQ(r, 0.0);
}

TEST(SourceMix, OfTwoHasMeansAndAQuarterOfTheVariances) {
  const SourceHmm* const sources[] = {&first, &second};
  const SourceMix mix(sources, SourceCombination::mean);
  ASSERT_EQ(mix.joint, 4U);
  for (std::size_t j = 0; j < 4; ++j) {
    const std::size_t a = mix.state_of[0][j];
    const std::size_t b = mix.state_of[1][j];
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(mix.means[j * 2 + d], (first.means[a * 2 + d] + second.means[b * 2 + d]) / 2.0, exact);
      EXPECT_NEAR(mix.variances[j * 2 + d], (first.variances[a * 2 + d] + second.variances[b * 2 + d]) / 4.0, exact);
    }
  }
  double sum = 0.0;
  for (const double p : mix.chain.start) sum += p;
  EXPECT_NEAR(sum, 1.0, exact);
}

// E[xi_a | x, j] and its variance against a grid of values of the other source.
TEST(SourceMix, KnowsWhatEachSourceEmitted) {
  const SourceHmm* const sources[] = {&first, &second};
  const SourceMix mix(sources, SourceCombination::mean);
  constexpr double x = 3.1;
  for (std::size_t j = 0; j < 4; ++j) {
    const std::size_t a = mix.state_of[0][j] * 2;
    const std::size_t b = mix.state_of[1][j] * 2;
    double weight = 0.0, sum = 0.0, squares = 0.0;
    for (int i = -4000; i <= 4000; ++i) {
      const double xi = first.means[a] + 0.005 * i;
      const double other = 2.0 * x - xi;
      const double p = std::exp(-0.5 * std::pow(xi - first.means[a], 2.0) / first.variances[a] -
                                0.5 * std::pow(other - second.means[b], 2.0) / second.variances[b]);
      weight += p;
      sum += p * xi;
      squares += p * xi * xi;
    }
    const double mean = sum / weight;
    EXPECT_NEAR(first.means[a] + mix.share[0][j * 2] * (x - mix.means[j * 2]), mean, 1e-6);
    EXPECT_NEAR(mix.residual_variance[0][j * 2], squares / weight - mean * mean, 1e-6);
  }
}

TEST(SourceMix, OfEnergiesIsTheLogarithmOfTheirMean) {
  const SourceHmm* const sources[] = {&first, &second};
  const SourceMix mix(sources, SourceCombination::log_add);
  for (std::size_t j = 0; j < 4; ++j) {
    const double a = first.means[mix.state_of[0][j] * 2];
    const double b = second.means[mix.state_of[1][j] * 2];
    EXPECT_NEAR(mix.means[j * 2], std::log((std::exp(a) + std::exp(b)) / 2.0), exact);
    const double w = std::exp(a) / (std::exp(a) + std::exp(b));
    const double v = first.variances[mix.state_of[0][j] * 2];
    const double u = second.variances[mix.state_of[1][j] * 2];
    EXPECT_NEAR(mix.variances[j * 2], w * w * v + (1.0 - w) * (1.0 - w) * u, exact);
  }
}

TEST(SourceMix, HasTheLikelihoodOfAllPaths) {
  const SourceHmm* const both[] = {&first, &second};
  const SourceHmm* const one[] = {&second};
  for (const SourceCombination how : {SourceCombination::mean, SourceCombination::log_add}) {
    for (const auto& sources : {std::span<const SourceHmm* const>(both), std::span<const SourceHmm* const>(one)}) {
      const SourceMix mix(sources, how);
      const std::vector<double> rows = drawn_emissions(second, 5, Rng(Seed{3}));
      const double expected = likelihood_of_all_paths(mix, rows);
      EXPECT_NEAR(log_likelihood(mix, rows), expected, of_paths);
      EXPECT_NEAR(mix_posterior(mix, rows).log_likelihood, expected, of_paths);
    }
  }
}

TEST(SourceMix, SurvivesFramesFarFromEverySource) {
  const SourceHmm* const sources[] = {&first, &second};
  const SourceMix mix(sources, SourceCombination::mean);
  const std::vector<double> rows = {1e6, -1e6, 1e6, 1e6};
  const MixPosterior posterior = mix_posterior(mix, rows);
  EXPECT_TRUE(std::isfinite(posterior.log_likelihood));
  for (const double r : posterior.responsibilities) EXPECT_TRUE(r >= 0.0 && r <= 1.0 + exact);
}

TEST(SourceMix, RefusesTooManyJointStates) {
  const std::vector<const SourceHmm*> eight(8, &first);
  EXPECT_EQ(refusal([&] { SourceMix(eight, SourceCombination::mean); }, ErrorKind::usage),
            "8 sources of 2 states at once have more than 255 joint states; take fewer states");
}

}  // namespace
}  // namespace motet::temporal::source_mix_test
