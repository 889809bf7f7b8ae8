// What holds for every family of the list, whichever it is.
#include "motet/sources/families.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "motet/base/numeric.h"
#include "motet/sources/density/marginal.h"
#include "support/errors.h"

namespace motet::families_test {
namespace {

TEST(SourceFamilies, TheirOrderIsThatOfTheNamesInTheCode) {
  using enum Family;
  constexpr std::pair<Family, const char*> words[] = {{gaussian, "gaussian"},       {bernoulli, "bernoulli"},
                                                      {exponential, "exponential"}, {gamma, "gamma"},
                                                      {poisson, "poisson"},         {lognormal, "lognormal"}};
  for (const auto& [family, word] : words) EXPECT_EQ(family_word(family), word);
  for (const std::string_view name : family_names()) EXPECT_EQ(family_word(family_named(name)), name);
}

TEST(SourceFamilies, AnUnknownNameIsRefused) {
  EXPECT_EQ(error_of([&] { family_named("cauchy"); }, ErrorKind::bad_data), "there is no family 'cauchy'");
}

TEST(SourceFamilies, HaveWhatTheirKindNeeds) {
  std::set<std::string_view> names;
  for (const SourceFamily& family : source_families()) {
    SCOPED_TRACE(std::string(family.word));
    EXPECT_TRUE(names.insert(family.word).second);
    EXPECT_FALSE(family.location.word.empty() || family.values.one.empty() || family.values.many.empty());
    EXPECT_EQ(family.shared.word.empty(), family.shared.words.empty());
    ASSERT_GE(family.closed, 1U);
    ASSERT_LE(family.closed, family.combinations.size());
    EXPECT_NE(family.alone(), Combination::one_of);
    EXPECT_TRUE(family.values.are_all != nullptr && family.density.log_density != nullptr &&
                family.density.moments != nullptr && family.plan.make_features != nullptr &&
                family.random_location != nullptr);
    EXPECT_EQ(family.ways.empty(), family.suits == nullptr);
    EXPECT_EQ(family.is_whole, family.density.in_logarithm == nullptr);
    if (family.has_scatter) continue;
    EXPECT_TRUE(family.density.draw != nullptr && family.plan.plan_set != nullptr && family.fit.centre != nullptr &&
                family.fit.accumulate != nullptr && family.fit.emitted != nullptr && family.fit.location != nullptr &&
                family.fit.log_prior != nullptr && family.fit.row_log_density != nullptr &&
                family.search.prepare != nullptr && family.search.least != nullptr);
    EXPECT_TRUE(family.has_flips || family.theory.response != nullptr);
    EXPECT_EQ(family.has_shared(), family.fit.best_shared != nullptr && family.fit.prior_amount != nullptr &&
                                       family.theory.information != nullptr && family.random_shared != nullptr);
  }
}

// Parameters in the middle of what a family allows.
Marginal typical(Family family) {
  Rng rng(Seed{9});
  const SourceFamily& own = family_of(family);
  Marginal one{family, own.random_location(1.0, rng), 1.0};
  if (own.location.scale == ParameterScale::logarithm) one.location = 1.5;  // shapes below 1 have a pole
  if (own.has_scatter) one.spread = 0.6;
  if (own.has_shared()) one.spread = own.random_shared(rng);
  return one;
}

// Total probability, mean and variance by sums over counts, or the trapezoidal rule.
TEST(SourceFamilies, MomentsAreThoseOfTheDensity) {
  for (const std::string_view name : family_names()) {
    SCOPED_TRACE(std::string(name));
    const Family family = family_named(name);
    const bool is_whole = family_of(family).is_whole;
    const Marginal one = typical(family);
    const MeanVariance expected = one.moments();
    const double step = is_whole ? 1.0 : 1e-3;
    const double first = is_whole ? 0.0 : -30.0 + 0.5 * step;  // between points where a density may begin
    double total = 0.0;
    double mean = 0.0;
    double square = 0.0;
    for (double x = first; x < 150.0; x += step) {
      const double p = std::exp(one.log_density(x)) * step;
      total += p;
      mean += p * x;
      square += p * x * x;
    }
    constexpr double of_the_rule = 1e-3;  // a density that jumps at 0, in steps of 1e-3
    EXPECT_NEAR(total, 1.0, of_the_rule);
    EXPECT_NEAR(mean, expected.mean, of_the_rule * (1.0 + std::abs(expected.mean)));
    EXPECT_NEAR(square - mean * mean, expected.variance, of_the_rule * (1.0 + expected.variance + mean * mean));
  }
}

TEST(SourceFamilies, WhatIsAllowedHasADensity) {
  for (const std::string_view name : family_names()) {
    const Family family = family_named(name);
    const Marginal one = typical(family);
    for (const double x : {-1.0, 0.0, 0.5, 1.0, 2.0}) {
      const bool has_density = std::isfinite(one.log_density(x));
      EXPECT_EQ(family_of(family).values.are_all({&x, 1}), has_density) << name << " " << x;
    }
  }
}

}  // namespace
}  // namespace motet::families_test
