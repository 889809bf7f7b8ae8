#include <gtest/gtest.h>

#include "motet/sources/density/set_density.h"
#include "sources/families/family_cases.h"
#include "sources/source_cases.h"

namespace motet::bernoulli_test {
namespace {

using enum Combination;

const std::vector<double> some_items{0, 1, 1, 0, 1};

const SourceFamily& family() { return family_of(Family::bernoulli); }

// Every way in which three coins can fall, with what they show together.
struct Fall {
  std::vector<double> coins;
  double probability = 1.0;
};
std::vector<Fall> every_fall(const std::vector<double>& heads) {
  std::vector<Fall> falls;
  for (std::size_t way = 0; way < (std::size_t{1} << heads.size()); ++way) {
    Fall fall;
    for (std::size_t k = 0; k < heads.size(); ++k) {
      fall.coins.push_back((way >> k & 1U) != 0 ? 1.0 : 0.0);
      fall.probability *= fall.coins[k] == 1.0 ? heads[k] : 1.0 - heads[k];
    }
    falls.push_back(fall);
  }
  return falls;
}

const std::vector<double> heads{0.3, 0.6, 0.1};

double shown_by(const Fall& fall, Combination combination) {
  double count = 0.0;
  for (const double coin : fall.coins) count += coin;
  if (combination == logical_or) return count > 0.0 ? 1.0 : 0.0;
  return count == static_cast<double>(fall.coins.size()) ? 1.0 : 0.0;
}

Sources coins(Combination combination, double flip = 0.0) {
  Sources sources;
  sources.family = Family::bernoulli;
  sources.combination = combination;
  sources.dimensions = 1;
  sources.count = 3;
  sources.location = heads;
  if (flip > 0.0) sources.noise = {flip};
  return sources;
}

TEST(Bernoulli, IsACoin) {
  EXPECT_NEAR(family().density.log_density(0.3, 1.0, 1.0), std::log(0.3), rounding);
  EXPECT_NEAR(family().density.log_density(0.3, 1.0, 0.0), std::log(0.7), rounding);
  EXPECT_EQ(family().density.log_density(0.3, 1.0, 0.5), -infinity);
  EXPECT_EQ(family().density.log_density(0.0, 1.0, 1.0), -infinity);
  EXPECT_EQ(family().density.log_survival(0.3, 1.0, -0.1), 0.0);
  EXPECT_NEAR(family().density.log_survival(0.3, 1.0, 0.5), std::log(0.3), rounding);
  EXPECT_EQ(family().density.log_survival(0.3, 1.0, 1.0), -infinity);
  expect_draws(family(), 0.3, 1.0, (1.0 - 6.0 * 0.21) / 0.21);
}

TEST(Bernoulli, ACountOfUnequalCoinsAndWhatItTellsOfEach) {
  std::vector<Marginal> members;
  for (const double b : heads) members.push_back({Family::bernoulli, b, 1.0});
  for (double y = 0.0; y < 4.0; ++y) {
    double whole = 0.0;
    std::vector<double> ones(3, 0.0);
    for (const Fall& fall : every_fall(heads)) {
      if (fall.coins[0] + fall.coins[1] + fall.coins[2] != y) continue;
      whole += fall.probability;
      for (std::size_t k = 0; k < 3; ++k) ones[k] += fall.probability * fall.coins[k];
    }
    EXPECT_NEAR(family().density.log_sum(members, y), std::log(whole), rounding);
    const std::vector<MeanVariance> found = family().density.sum_emissions(members, y);
    for (std::size_t k = 0; k < 3; ++k) {
      const double p = ones[k] / whole;
      EXPECT_NEAR(found[k].mean, p, rounding) << y << " " << k;
      EXPECT_NEAR(found[k].variance, p * (1.0 - p), rounding) << y << " " << k;
    }
  }
  EXPECT_EQ(family().density.log_sum(members, 4.0), -infinity);
  EXPECT_EQ(family().density.log_sum(members, 0.5), -infinity);
}

// Or and and, with and without flips: densities and posteriors by all falls and the flip.
TEST(Bernoulli, BooleanItemsAreThoseOfAllFalls) {
  const std::vector<std::size_t> all{0, 1, 2};
  for (const Combination combination : {logical_or, logical_and}) {
    for (const double flip : {0.0, 0.2}) {
      const Sources sources = coins(combination, flip);
      for (const double x : {0.0, 1.0}) {
        double whole = 0.0;
        std::vector<double> ones(3, 0.0);
        for (const Fall& fall : every_fall(heads)) {
          const double p = fall.probability * (shown_by(fall, combination) == x ? 1.0 - flip : flip);
          whole += p;
          for (std::size_t k = 0; k < 3; ++k) ones[k] += p * fall.coins[k];
        }
        EXPECT_NEAR(log_density(sources, one_set(3, all).row(0), std::vector<double>{x}).value, std::log(whole),
                    rounding);
        const std::vector<MeanVariance> found = family().density.closed_emissions(sources, all, 0, x);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k].mean, ones[k] / whole, rounding) << x << " " << k;
      }
    }
  }
}

TEST(Bernoulli, SourcesThatAreSureMakeNothingImpossible) {
  Sources sources = coins(logical_or);
  sources.location = {0.0, 0.0, 0.0};
  EXPECT_EQ(family().density.closed_emissions(sources, std::vector<std::size_t>{0, 1}, 0, 0.0)[0].mean, 0.0);
  EXPECT_EQ(log_density(sources, one_set(3, {0}).row(0), std::vector<double>{1.0}).value, -infinity);
  sources.combination = logical_and;
  sources.location = {1.0, 1.0, 1.0};
  EXPECT_EQ(family().density.closed_emissions(sources, std::vector<std::size_t>{0, 1}, 0, 1.0)[0].mean, 1.0);
}

TEST(Bernoulli, TheObjectiveIsTheLikelihoodAndAStepReachesItsMaximum) {
  expect_likelihood_of_totals(family(), logical_or, 1.0, some_items, 0.3, 0.7);
  expect_one_source_learns_all(family(), logical_or, 1.0, some_items, 0.2);
  for (const double nu : {0.0, 2.5}) expect_best_location(family(), 1.0, some_items, nu, {0.4, 1.0});
}

// With flips a source is taught the expected ones before them, and what was flipped is counted.
TEST(Bernoulli, FlipsAreExpectedToo) {
  const double b = 0.6;
  const double flip = 0.1;
  double objective = 0.0;
  double taught = 0.0;
  double flipped = 0.0;
  const double mean = 0.6;  // of five items
  const double total = -std::log1p(-b);
  SetCells cells;
  cells.dimensions = 1;
  cells.count = 5.0;
  cells.mean = &mean;
  cells.total = &total;
  cells.flips = &flip;
  cells.objective = &objective;
  cells.taught = &taught;
  cells.flipped = &flipped;
  family().fit.accumulate(cells);
  const double one = b * (1.0 - flip) + (1.0 - b) * flip;
  EXPECT_NEAR(objective, 3.0 * std::log(one) + 2.0 * std::log(1.0 - one), rounding);
  const double true_ones = 3.0 * b * (1.0 - flip) / one + 2.0 * b * flip / (1.0 - one);
  EXPECT_NEAR(taught * b, true_ones, rounding);
  EXPECT_NEAR(flipped, 3.0 * (1.0 - b) * flip / one + 2.0 * b * flip / (1.0 - one), rounding);
}

TEST(Bernoulli, FitsBeginAtTheProbabilityThatAllSourcesWouldShare) {
  PooledFeature feature;
  feature.mean = 0.75;
  feature.degree = 2.0;
  EXPECT_DOUBLE_EQ(family().fit.centre(feature).location, 0.5);  // two such coins show a one with 1 - 0.5^2
  feature.mean = 1.0;
  feature.least = 0.01;
  feature.has_prior = true;
  EXPECT_DOUBLE_EQ(family().fit.centre(feature).location, 1.0 - std::sqrt(0.01));
  EXPECT_EQ(family().fit.start(0.0, 1.0), 0.02);
}

TEST(Bernoulli, TheLeastCostIsThatOfTheBestProbability) {
  for (const Combination combination : {logical_or, logical_and}) {
    for (const double x : {0.0, 1.0}) {
      expect_least_cost(coins(combination), x, 0.1, 3.0);
      expect_least_cost(coins(combination), x, 1.5, 1.6);
    }
    EXPECT_FALSE(is_possible_item(coins(combination), {0.5}));
  }
  // Where most cells are flipped, a one is likelier the less of them there were.
  const Sources sources = coins(logical_or, 0.8);
  ItemCost item;
  item.sources = &sources;
  const std::vector<double> x{1.0};
  item.x = x;
  family().search.prepare(item);
  const std::vector<double> low{0.5};
  const std::vector<double> high{2.0};
  const double b = -std::expm1(-0.5);
  EXPECT_NEAR(family().search.least(item, low, high), -std::log(b * 0.2 + (1.0 - b) * 0.8), rounding);
}

TEST(Bernoulli, SuitsOnlyZerosAndOnes) {
  EXPECT_TRUE(family().suits({}, false));
  EXPECT_FALSE(family().suits({.is_boolean = false}, true));
}

}  // namespace
}  // namespace motet::bernoulli_test
