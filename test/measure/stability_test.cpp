#include "motet/measure/stability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "data/bits.h"
#include "motet/base/assignment.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "support/orders.h"
#include "support/threads.h"

namespace motet::stability_test {
namespace {

// The smallest share over all K! permutations, one after the other.
double brute_force(const BitMatrix& first, const BitMatrix& second) {
  std::vector<std::size_t> partner(first.columns());
  std::iota(partner.begin(), partner.end(), std::size_t{0});
  std::size_t fewest = first.rows();
  do {
    std::size_t differing = 0;
    for (std::size_t n = 0; n < first.rows(); ++n) {
      bool same = true;
      for (std::size_t k = 0; k < partner.size(); ++k) same = same && first(n, k) == second(n, partner[k]);
      differing += same ? 0 : 1;
    }
    fewest = std::min(fewest, differing);
  } while (std::next_permutation(partner.begin(), partner.end()));
  return static_cast<double>(fewest) / static_cast<double>(first.rows());
}

double share_under(const BitMatrix& first, const BitMatrix& second, std::span<const std::size_t> partner) {
  std::size_t differing = 0;
  for (std::size_t n = 0; n < first.rows(); ++n) {
    bool same = true;
    for (std::size_t k = 0; k < partner.size(); ++k) same = same && first(n, k) == second(n, partner[k]);
    differing += same ? 0 : 1;
  }
  return static_cast<double>(differing) / static_cast<double>(first.rows());
}

BitMatrix random_bits(std::size_t users, std::size_t clusters, double share, Rng& rng) {
  BitMatrix bits(users, clusters);
  for (std::size_t n = 0; n < users; ++n) {
    for (std::size_t k = 0; k < clusters; ++k) bits.set(n, k, rng.uniform() < share);
  }
  return bits;
}

// A copy with clusters renamed by `partner` and a share of the cells drawn anew.
BitMatrix renamed(const BitMatrix& bits, std::span<const std::size_t> partner, double noise, Rng& rng) {
  BitMatrix result(bits.rows(), bits.columns());
  for (std::size_t n = 0; n < bits.rows(); ++n) {
    for (std::size_t k = 0; k < bits.columns(); ++k) {
      result.set(n, partner[k], rng.uniform() < noise ? rng.uniform() < 0.4 : bits(n, k));
    }
  }
  return result;
}

// Sets of one or two clusters: the first with probability `first`, the others alike.
BitMatrix random_sets(std::size_t users, std::size_t clusters, double first, Rng& rng) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t a = 0; a < clusters; ++a) sets.push_back({a});
  for (std::size_t a = 0; a < clusters; ++a) {
    for (std::size_t b = 0; b < a; ++b) sets.push_back({a, b});
  }
  std::vector<double> weights(sets.size(), (1.0 - first) / static_cast<double>(sets.size() - 1));
  weights[0] = first;
  BitMatrix bits(users, clusters);
  for (std::size_t n = 0; n < users; ++n) {
    for (const std::size_t k : sets[rng.categorical(weights)]) bits.set(n, k);
  }
  return bits;
}

TEST(Stability, ExchangedClustersAreTheSameClustering) {
  const BitMatrix first = bits_of({"100", "010", "001", "110"});
  const BitMatrix second = bits_of({"010", "001", "100", "011"});
  const Instability result = instability(first, second);
  EXPECT_EQ(result.share, 0.0);
  EXPECT_EQ(result.partner, (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_TRUE(result.exact);
}

TEST(Stability, AUserCountsWhenOneClusterOfTheSetDiffers) {
  const BitMatrix first = bits_of({"10", "10", "01", "11"});
  const BitMatrix second = bits_of({"10", "10", "01", "10"});
  EXPECT_EQ(instability(first, second).share, 0.25);
}

// The matching of single clusters in which most cells agree.
std::vector<std::size_t> cluster_by_cluster(const BitMatrix& first, const BitMatrix& second) {
  const std::size_t k = first.columns();
  std::vector<double> alike(k * k, 0.0);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t n = 0; n < first.rows(); ++n) alike[i * k + j] += first(n, i) == second(n, j) ? 1.0 : 0.0;
    }
  }
  return best_assignment(alike, k);
}

TEST(Stability, NoPermutationIsBetterThoughOftenTheMatchingOfSingleClustersIsWorse) {
  Rng rng(Seed{5});
  int worse = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t clusters = 2 + rng.below(4);
    const BitMatrix first = random_bits(30, clusters, 0.4, rng);
    const BitMatrix second = renamed(first, random_order(clusters, rng), rng.uniform(0.1, 0.8), rng);
    const Instability result = instability(first, second);
    ASSERT_EQ(result.share, brute_force(first, second));
    ASSERT_EQ(result.share, share_under(first, second, result.partner));
    ASSERT_TRUE(result.exact);
    worse += result.share < share_under(first, second, cluster_by_cluster(first, second)) ? 1 : 0;
  }
  EXPECT_GT(worse, 20);
}

TEST(Stability, AMissingClusterIsAnEmptyOne) {
  const BitMatrix first = bits_of({"100", "010", "001"});
  const BitMatrix second = bits_of({"01", "10", "00"});
  const Instability result = instability(first, second);
  EXPECT_DOUBLE_EQ(result.share, 1.0 / 3.0);
  EXPECT_EQ(result.partner, (std::vector<std::size_t>{1, 0, 2}));
  EXPECT_DOUBLE_EQ(instability(second, first).share, 1.0 / 3.0);
}

TEST(Stability, ManyClustersAreFoundBySwaps) {
  Rng rng(Seed{6});
  const BitMatrix first = random_bits(400, 12, 0.2, rng);
  const std::vector<std::size_t> partner = random_order(12, rng);
  const Instability same = instability(first, renamed(first, partner, 0.0, rng));
  EXPECT_EQ(same.share, 0.0);
  EXPECT_EQ(same.partner, partner);
  EXPECT_FALSE(same.exact);
  const BitMatrix noisy = renamed(first, partner, 0.05, rng);
  EXPECT_LE(instability(first, noisy).share, share_under(first, noisy, partner));
}

TEST(Stability, IdenticalLabelsScoreOne) {
  Rng rng(Seed{7});
  const BitMatrix labels = random_sets(200, 3, 0.3, rng);
  const Stability result = stability(labels, labels, 6, 5, {});
  EXPECT_EQ(result.literal, 1.0);
  EXPECT_EQ(result.corrected, 1.0);
  EXPECT_GT(result.chance, 0.5);
}

TEST(Stability, LiteralValueByHand) {
  const BitMatrix first = bits_of({"10", "10", "01", "11"});
  const BitMatrix second = bits_of({"10", "10", "01", "10"});
  EXPECT_DOUBLE_EQ(stability(first, second, 4, 1, {}).literal, 1.0 - 4.0 / 3.0 * 0.25);
  EXPECT_TRUE(std::isnan(stability(first, second, 1, 1, {}).literal));
}

TEST(Stability, OneSetForAllHasNoCorrectedValue) {
  const BitMatrix labels = bits_of({"10", "10", "10"});
  const Stability result = stability(labels, labels, 4, 3, {});
  EXPECT_EQ(result.chance, 0.0);
  EXPECT_TRUE(std::isnan(result.corrected));
}

TEST(Stability, SameValueOnAnyNumberOfThreads) {
  Rng rng(Seed{8});
  const BitMatrix first = random_sets(100, 4, 0.2, rng);
  const BitMatrix second = random_sets(100, 4, 0.2, rng);
  RunContext one;
  one.threads.count = 1;
  RunContext four;
  StartedThreads started(4);
  four.threads = started;
  EXPECT_EQ(stability(first, second, 10, 12, one).corrected, stability(first, second, 10, 12, four).corrected);
}

TEST(Stability, LabelingsOfDifferentUsersAreADefect) {
  EXPECT_THROW(instability(BitMatrix(2, 2), BitMatrix(3, 2)), Error);
  EXPECT_TRUE(std::isnan(instability(BitMatrix(0, 2), BitMatrix(0, 2)).share));
}

struct IndependentScores {
  MeanSd literal;
  MeanSd corrected;
};

IndependentScores scores_of_independent_labels(std::size_t clusters, double first, std::size_t repeats) {
  std::vector<double> literal;
  std::vector<double> corrected;
  Rng rng(Seed{9});
  const std::size_t sets = clusters + clusters * (clusters - 1) / 2;
  const double share = first > 0.0 ? first : 1.0 / static_cast<double>(sets);
  for (std::size_t r = 0; r < repeats; ++r) {
    const BitMatrix a = random_sets(350, clusters, share, rng);
    const BitMatrix b = random_sets(350, clusters, share, rng);
    RunContext run;
    run.seed = Seed{r + 1};
    const Stability result = stability(a, b, sets, 40, run);
    literal.push_back(result.literal);
    corrected.push_back(result.corrected);
  }
  return {mean_sd(literal), mean_sd(corrected)};
}

// Published as 0; the minimum over permutations lifts it to 0.029 (K = 3) and 0.033 (K = 5).
TEST(StabilitySlow, IndependentUniformLabelsScoreAboveZeroLiterallyAndZeroCorrected) {
  const IndependentScores three = scores_of_independent_labels(3, 0.0, 100);
  const IndependentScores five = scores_of_independent_labels(5, 0.0, 60);
  RecordProperty("literal_3", std::to_string(three.literal.mean));
  RecordProperty("literal_5", std::to_string(five.literal.mean));
  EXPECT_NEAR(three.literal.mean, 0.029, 0.006);
  EXPECT_NEAR(five.literal.mean, 0.033, 0.006);
  EXPECT_NEAR(three.corrected.mean, 0.0, 4.0 * three.corrected.error);
  EXPECT_NEAR(five.corrected.mean, 0.0, 4.0 * five.corrected.error);
}

TEST(StabilitySlow, IndependentSkewedLabelsScoreFourFifthsLiterallyAndZeroCorrected) {
  for (const std::size_t clusters : {3U, 5U}) {
    const IndependentScores scores = scores_of_independent_labels(clusters, 0.9, 60);
    EXPECT_GT(scores.literal.mean, 0.77);
    EXPECT_LT(scores.literal.mean, 0.84);
    EXPECT_NEAR(scores.corrected.mean, 0.0, 4.0 * scores.corrected.error);
  }
}

}  // namespace
}  // namespace motet::stability_test
