#include "motet/sources/density/integrated_density.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/numeric.h"
#include "motet/sources/density/pair_density.h"
#include "sources/source_cases.h"
#include "support/errors.h"

namespace motet::integrated_density_test {
namespace {

using enum Combination;

// Two rates each: r s (e^(-r x) - e^(-s x)) / (s - r) for each dimension.
TEST(IntegratedDensity, DimensionsAreIndependent) {
  const Sources sources = random_sources(Family::exponential, sum, {}, 2, 3, false, false, 7);
  const IntegratedDensity density(sources, one_set(2, {0, 1}).row(0));
  const std::vector<double> x{0.4, 1.3, 0.05};
  double expected = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double r = sources.location_of(0)[d];
    const double s = sources.location_of(1)[d];
    expected += std::log(r * s * (std::exp(-r * x[d]) - std::exp(-s * x[d])) / (s - r));
  }
  EXPECT_NEAR(density.at(x).value, expected, 1e-10);
  EXPECT_EQ(density.at(x).error, 0.0);
}

TEST(IntegratedDensity, ErrorsOfTheDimensionsAdd) {
  const Sources sources = random_sources(Family::lognormal, sum, Covariance::diagonal, 2, 2, true, false, 7);
  const BitMatrix set = one_set(2, {1});
  const std::vector<double> x{2.0, 3.0};
  EstimatedDensity expected;
  for (std::size_t d = 0; d < 2; ++d) {
    std::vector<Marginal> members;
    for (const std::size_t k : {1U, 2U}) members.push_back(marginal_of(sources, k, d));  // with the background
    const EstimatedDensity one = PairDensity(members, sum).log_density(x[d]);
    EXPECT_GT(one.error, 0.0);
    expected.value += one.value;
    expected.error += one.error;
  }
  const EstimatedDensity found = IntegratedDensity(sources, set.row(0)).at(x);
  EXPECT_EQ(found.value, expected.value);
  EXPECT_EQ(found.error, expected.error);
}

TEST(IntegratedDensity, WithoutMembersThereIsNone) {
  const Sources sources = random_sources(Family::exponential, sum, {}, 2, 1, false, false, 7);
  IntegratedDensity made(sources, one_set(2, {}).row(0));
  const IntegratedDensity density(std::move(made));
  EXPECT_EQ(density.at(std::vector<double>{1.0}).value, -infinity);
}

TEST(IntegratedDensity, WhatHasNoDensityIsRefused) {
  const auto told = [](const Sources& sources) {
    return refusal([&] { IntegratedDensity(sources, one_set(2, {0, 1}).row(0)); }, ErrorKind::usage);
  };
  EXPECT_EQ(told(random_sources(Family::poisson, product, {}, 2, 1, false, false, 1)),
            "--combine product has no meaning for poisson sources; they have sum, one-of, mean, min");
  EXPECT_EQ(told(random_sources(Family::gaussian, minimum, Covariance::diagonal, 2, 1, false, true, 1)),
            "--noise has no meaning for gaussian sources with --combine min; it has for pairs with a closed form");
  EXPECT_EQ(told(random_sources(Family::lognormal, sum, Covariance::full, 2, 2, false, false, 1)),
            "--covariance full has no density with --combine sum; spherical and diagonal have");
}

}  // namespace
}  // namespace motet::integrated_density_test
