#include "motet/measure/capacity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "data/bits.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::capacity_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The straight formula, without any care for large costs.
double information_by_hand(const std::vector<double>& first, const std::vector<double>& second, std::size_t sets,
                           double entropy, double b) {
  const std::size_t users = first.size() / sets;
  double sum = 0.0;
  for (std::size_t n = 0; n < users; ++n) {
    double z1 = 0.0;
    double z2 = 0.0;
    double both = 0.0;
    for (std::size_t c = 0; c < sets; ++c) {
      z1 += std::exp(-b * first[n * sets + c]);
      z2 += std::exp(-b * second[n * sets + c]);
      both += std::exp(-b * (first[n * sets + c] + second[n * sets + c]));
    }
    sum += std::log2(both / (z1 * z2));
  }
  return entropy + sum / static_cast<double>(users);
}

TEST(Capacity, InformationIsTheFormula) {
  const std::vector<double> first = {0.5, 1.0, 2.0, 3.0, 0.1, 0.7};
  const std::vector<double> second = {0.4, 1.5, 1.0, 2.0, 0.3, 0.2};
  const std::vector<UserPair> pairs = pair_in_order(2);
  const CapacityData data = {first, second, 3, pairs, 1.0};
  for (const double b : {0.0, 0.1, 1.0, 3.0, 20.0}) {
    EXPECT_NEAR(mutual_information(data, b, {}), information_by_hand(first, second, 3, 1.0, b), 1e-12) << b;
  }
}

TEST(Capacity, InfiniteTemperatureTellsNothing) {
  const std::vector<double> costs = {0.0, 5.0, 5.0, 0.0};
  const std::vector<UserPair> pairs = pair_in_order(2);
  EXPECT_DOUBLE_EQ(mutual_information({costs, costs, 2, pairs, 1.0}, 0.0, {}), 0.0);
}

TEST(Capacity, CleanDataTellTheWholeEntropy) {
  const std::vector<double> costs = {0.0, 5.0, 5.0, 0.0};
  const std::vector<UserPair> pairs = pair_in_order(2);
  const Capacity capacity = approximation_capacity({costs, costs, 2, pairs, 1.0}, {});
  EXPECT_DOUBLE_EQ(capacity.bits, 1.0);
  EXPECT_DOUBLE_EQ(capacity.error, 0.0);
}

TEST(Capacity, AtTemperatureZeroTiesShareAndContradictionsExclude) {
  const std::vector<UserPair> pairs = pair_in_order(1);
  const std::vector<double> tie = {1.0, 1.0, 2.0};
  const std::vector<double> sure = {1.0, 3.0, 3.0};
  const std::vector<double> other = {3.0, 3.0, 1.0};
  EXPECT_DOUBLE_EQ(mutual_information({tie, sure, 3, pairs, 1.0}, infinity, {}), 0.0);
  EXPECT_DOUBLE_EQ(mutual_information({tie, tie, 3, pairs, 1.0}, infinity, {}), 0.0);
  EXPECT_EQ(mutual_information({tie, other, 3, pairs, 1.0}, infinity, {}), -infinity);
}

TEST(Capacity, LargeCostsDoNotOverflow) {
  const std::vector<double> first = {10000.0, 0.0};
  const std::vector<double> second = {0.0, 10000.0};
  const std::vector<UserPair> pairs = pair_in_order(1);
  // Both sums are 1, the joint one is 2 exp(-10000).
  EXPECT_NEAR(mutual_information({first, second, 2, pairs, 0.0}, 1.0, {}), 1.0 - 10000.0 / std::log(2.0), 1e-6);
}

TEST(Capacity, EntropyOfTheType) {
  EXPECT_DOUBLE_EQ(type_entropy(std::vector<double>{0.5, 0.25, 0.25, 0.0}), 1.5);
  EXPECT_NEAR(type_entropy(std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3}), 1.5850, 1e-4);
}

TEST(Capacity, EqualCentroidsAreMergedAndMustBe) {
  const DistinctRows groups = distinct_rows(bits_of({"110", "011", "110", "000"}));
  EXPECT_EQ(groups.group_of, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_EQ(groups.first, (std::vector<std::uint32_t>{0, 1, 3}));
  const std::vector<double> share = {0.25, 0.5, 0.25, 0.0};
  EXPECT_EQ(merge_shares(share, groups), (std::vector<double>{0.5, 0.5, 0.0}));
  const std::vector<double> costs = {0.0, 9.0, 0.0, 30.0, 9.0, 0.0, 9.0, 30.0};
  const std::vector<double> merged = merge_costs(costs, share, groups);
  ASSERT_EQ(merged.size(), 6U);
  for (const auto& [at, cost] : {std::pair{0, 0.0}, {1, 9.0}, {2, 30.0}, {3, 9.0}, {4, 0.0}, {5, 30.0}}) {
    EXPECT_DOUBLE_EQ(merged[static_cast<std::size_t>(at)], cost);
  }
  const std::vector<UserPair> pairs = pair_in_order(2);
  EXPECT_NEAR(approximation_capacity({merged, merged, 3, pairs, 1.0}, {}).bits, 1.0, 1e-9);
  EXPECT_NEAR(approximation_capacity({costs, costs, 4, pairs, 1.0}, {}).bits, 0.5, 1e-9);
}

TEST(Capacity, UnequalCostsOfAGroupMergeByTheirShares) {
  const DistinctRows groups = distinct_rows(bits_of({"1", "1"}));
  const std::vector<double> merged =
      merge_costs(std::vector<double>{1.0, 2.0}, std::vector<double>{0.75, 0.25}, groups);
  EXPECT_DOUBLE_EQ(merged[0], -std::log(0.75 * std::exp(-1.0) + 0.25 * std::exp(-2.0)));
}

TEST(Capacity, ResponsibilitiesSumToOneAndSkipSetsWithoutShare) {
  const std::vector<double> r =
      responsibilities(std::vector<double>{1000.0, 1000.0 + std::log(2.0), 0.0}, std::vector<double>{0.5, 0.5, 0.0});
  EXPECT_NEAR(r[0], 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(r[1], 1.0 / 3.0, 1e-12);
  EXPECT_EQ(r[2], 0.0);
}

TEST(Capacity, PairsHaveTheDrawnLabelInCommon) {
  const std::vector<double> first = {1, 0, 0, 1, 1, 0};
  const std::vector<double> second = {0, 1, 1, 0, 0, 1, 1, 0};
  const std::vector<UserPair> pairs = pair_by_label(first, second, 2, 50, Rng(Seed{1}));
  ASSERT_EQ(pairs.size(), 150U);
  std::vector<int> met(4, 0);
  for (const UserPair& pair : pairs) {
    EXPECT_EQ(first[pair.first * 2], second[pair.second * 2]);
    ++met[pair.second];
  }
  for (const int count : met) EXPECT_GT(count, 10);
}

TEST(Capacity, ALabelThatDoesNotRecurHasNoPairs) {
  const std::vector<double> first = {1, 0, 0, 1};
  const std::vector<double> second = {1e-9, 1 - 1e-9, 1e-9, 1 - 1e-9};
  const std::vector<UserPair> pairs = pair_by_label(first, second, 2, 10, Rng(Seed{1}));
  EXPECT_EQ(pairs.size(), 10U);
  for (const UserPair& pair : pairs) EXPECT_EQ(pair.first, 1U);
}

TEST(Capacity, PartnersMakeTheRowsMostAlikeOneToOne) {
  // Both first rows are nearest to the first of the second; one has to give way where it costs least.
  EXPECT_EQ(pair_nearest(bits_of({"1110", "1111"}), bits_of({"1111", "1000"})),
            (std::vector<UserPair>{{0, 1}, {1, 0}}));
  const BitMatrix rows = bits_of({"1100", "0011", "1111"});
  EXPECT_EQ(pair_nearest(rows, rows.rows_of(std::vector<std::uint32_t>{2, 0, 1})),
            (std::vector<UserPair>{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_THROW(pair_nearest(rows, bits_of({"1100"})), Error);
}

// Two sets and one bit, which differs between the data sets with probability p: figure 10.3.
TEST(Capacity, OfOneNoisyBitIsThatOfTheBinarySymmetricChannel) {
  const std::vector<UserPair> pairs = pair_in_order(100);
  for (const int flipped : {0, 1, 5, 11, 25, 40, 50, 70}) {
    std::vector<double> first;
    std::vector<double> second;
    for (int n = 0; n < 100; ++n) {
      for (const double cost : {0.0, 1.0}) {
        first.push_back(cost);
        second.push_back(n < flipped ? 1.0 - cost : cost);
      }
    }
    const double p = 0.01 * flipped;
    const double entropy = flipped == 0 ? 0.0 : -p * std::log2(p) - (1.0 - p) * std::log2(1.0 - p);
    // Beyond a half the two posteriors are best left undecided.
    EXPECT_NEAR(approximation_capacity({first, second, 2, pairs, 1.0}, {}).bits, p < 0.5 ? 1.0 - entropy : 0.0, 1e-6)
        << p;
  }
}

TEST(Capacity, IsNeverBelowThatOfKnowingNothing) {
  const std::vector<UserPair> pairs = pair_in_order(1);
  // Costs so large that every b of the grid but 0 is sure of the wrong set.
  const std::vector<double> first = {1e9, 0.0};
  const std::vector<double> second = {0.0, 1e9};
  const Capacity capacity = approximation_capacity({first, second, 2, pairs, 1.0}, {});
  EXPECT_DOUBLE_EQ(capacity.bits, 0.0);
  EXPECT_EQ(capacity.inverse_temperature, 0.0);
}

TEST(Capacity, ErrorOfDistinctPairsIsTheOrdinaryOne) {
  std::vector<double> first;
  std::vector<double> second;
  Rng rng(Seed{3});
  for (int n = 0; n < 200; ++n) {
    for (std::vector<double>* costs : {&first, &second}) {
      costs->push_back(n % 2 == 0 ? 0.0 : rng.uniform(0.0, 4.0));
      costs->push_back(n % 2 == 0 ? rng.uniform(0.0, 4.0) : 0.0);
    }
  }
  const std::vector<UserPair> pairs = pair_in_order(200);
  const Capacity capacity = approximation_capacity({first, second, 2, pairs, 1.0}, {});
  std::vector<double> bits;
  for (std::uint32_t n = 0; n < 200; ++n) {
    const std::vector<UserPair> one = {{n, n}};
    bits.push_back(mutual_information({first, second, 2, one, 1.0}, capacity.inverse_temperature, {}));
  }
  EXPECT_NEAR(capacity.bits, mean_sd(bits).mean, 1e-12);
  EXPECT_NEAR(capacity.error, mean_sd(bits).error, 1e-12);
  // No point of a fine grid is better than the maximum found.
  for (double log_b = -5.0; log_b < 5.0; log_b += 0.05) {
    EXPECT_LE(mutual_information({first, second, 2, pairs, 1.0}, std::exp(log_b), {}), capacity.bits + 1e-6);
  }
}

TEST(Capacity, CostsThatDoNotFitAreADefect) {
  const std::vector<double> costs = {0.0, 1.0};
  const std::vector<UserPair> pairs = pair_in_order(2);
  EXPECT_THROW(approximation_capacity({costs, costs, 2, pairs, 1.0}, {}), Error);
  EXPECT_THROW(approximation_capacity({costs, costs, 2, {}, 1.0}, {}), Error);
}

// Section 10.3.1: two overlapping sources and 30 empty permissions; {1}, {2} and {1, 2},
// 100 users each; symmetric noise.
struct TwoSources {
  BitMatrix proxies = BitMatrix(3, 54);
  std::vector<double> shares = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};

  TwoSources() {
    for (std::size_t d = 0; d < 10; ++d) proxies.set(0, d);
    for (std::size_t d = 7; d < 17; ++d) proxies.set(1, d);
    for (std::size_t d = 0; d < 17; ++d) proxies.set(2, d);
  }

  BitMatrix draw(double noise, Rng& rng) const {
    BitMatrix held(300, 54);
    for (std::size_t n = 0; n < 300; ++n) {
      for (std::size_t d = 0; d < 54; ++d) {
        held.set(n, d, rng.uniform() < noise ? rng.uniform() < 0.5 : proxies(n / 100, d));
      }
    }
    return held;
  }

  std::vector<double> costs(const BitMatrix& held, double noise) const {
    const double wrong = std::max(0.5 * noise, 1e-6);
    std::vector<double> result;
    for (std::size_t n = 0; n < held.rows(); ++n) {
      for (std::size_t c = 0; c < 3; ++c) {
        double cost = 0.0;
        for (std::size_t d = 0; d < 54; ++d) cost -= std::log(held(n, d) == proxies(c, d) ? 1.0 - wrong : wrong);
        result.push_back(cost);
      }
    }
    return result;
  }
};

struct CapacityCase {
  double noise;
  double expected;  // with pairs of the same true set
  double nearest;   // with the pairs of (10.9); 0: not looked at

  friend std::ostream& operator<<(std::ostream& out, const CapacityCase& at) { return out << "noise " << at.noise; }
};

class CapacitySlow : public testing::TestWithParam<CapacityCase> {};

// Pairs drawn by the true model must agree with true pairs; those of (10.9) are too low, then too high.
TEST_P(CapacitySlow, DrawnPairsAreFairAndNearestRowsAreNot) {
  const CapacityCase& given = GetParam();
  const TwoSources sources;
  Rng rng(Seed{21});
  std::vector<double> same;
  std::vector<double> drawn;
  std::vector<double> nearest;
  std::vector<double> errors;
  for (std::uint64_t repeat = 0; repeat < 20; ++repeat) {
    const BitMatrix x1 = sources.draw(given.noise, rng);
    const BitMatrix x2 = sources.draw(given.noise, rng);
    const std::vector<double> r1 = sources.costs(x1, given.noise);
    const std::vector<double> r2 = sources.costs(x2, given.noise);
    const auto bits = [&](const std::vector<UserPair>& pairs) {
      return approximation_capacity({r1, r2, 3, pairs, type_entropy(sources.shares)}, {});
    };
    same.push_back(bits(pair_in_order(300)).bits);
    const Capacity capacity = bits(pair_by_label(responsibilities(r1, sources.shares),
                                                 responsibilities(r2, sources.shares), 3, 4, rng.child(repeat)));
    drawn.push_back(capacity.bits);
    errors.push_back(capacity.error);
    if (repeat < 5 && given.nearest > 0.0) nearest.push_back(bits(pair_nearest(x1, x2)).bits);
  }
  RecordProperty("same", std::to_string(mean_sd(same).mean));
  RecordProperty("drawn", std::to_string(mean_sd(drawn).mean));
  RecordProperty("drawn_sd", std::to_string(mean_sd(drawn).sd));
  RecordProperty("drawn_error", std::to_string(mean_sd(errors).mean));
  RecordProperty("nearest", std::to_string(mean_sd(nearest).mean));
  const MeanSd truly = mean_sd(same);
  const MeanSd by_draws = mean_sd(drawn);
  EXPECT_NEAR(truly.mean, given.expected, 0.04);
  EXPECT_NEAR(by_draws.mean, truly.mean, 4.0 * std::hypot(truly.error, by_draws.error) + 1e-9);
  // The error of one measurement is the spread of many, itself known to a sixth from 20.
  EXPECT_NEAR(mean_sd(errors).mean, by_draws.sd, 0.6 * by_draws.sd + 1e-9);
  if (given.nearest > 0.0) {
    EXPECT_NEAR(mean_sd(nearest).mean, given.nearest, 0.04);
  }
}

INSTANTIATE_TEST_SUITE_P(Noise, CapacitySlow,
                         testing::Values(CapacityCase{0.0, 1.585, 0.0}, CapacityCase{0.2, 1.55, 1.46},
                                         CapacityCase{0.3, 1.45, 1.23}, CapacityCase{0.5, 0.93, 0.743},
                                         CapacityCase{0.7, 0.28, 0.307}, CapacityCase{0.8, 0.07, 0.235}),
                         [](const auto& at) {
                           return "Percent" + std::to_string(static_cast<int>(100.0 * at.param.noise));
                         });

}  // namespace
}  // namespace motet::capacity_test
