// Sources and label sets for the tests of predicted precision.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "experiments/multilabel/two_sources.h"
#include "motet/multilabel/theory/precision.h"
#include "motet/sources/sample.h"
#include "multilabel/set_cases.h"

namespace motet::multilabel {

inline const BitMatrix pair_sets = sets_of({"10", "01", "11"});
inline constexpr std::array<Training, 5> trainings = {Training::deconvolution, Training::ignore, Training::fresh,
                                                      Training::cross, Training::probabilistic};

inline Sources gaussian_pair(const GaussianPair& pair, Covariance covariance) {
  Sources sources;
  sources.covariance = covariance;
  sources.dimensions = 1;
  sources.count = 2;
  sources.location = {pair.mean[0], pair.mean[1]};
  sources.spread = {pair.variance[0], pair.variance[1]};
  if (covariance == Covariance::shared) sources.spread.resize(1);
  return sources;
}

inline void expect_pair(const Sources& sources, const auto& pair, const PairShares& shares) {
  constexpr double exact = 1e-10;
  constexpr double items = 700.0;
  const std::vector<double> count = {shares.first * items, shares.second * items, shares.both * items};
  const Precision found = location_precision(sources, pair_sets, count, {});
  for (const Training method : trainings) {
    const PairPrecision expected = pair_precision(pair, shares, items, method);
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t place = found.place(method, k, 0);
      EXPECT_NEAR(found.error[place] * found.error[place], expected.variance[k], exact)
          << training_words[static_cast<int>(method)] << k;
      EXPECT_NEAR(found.bias[place], expected.bias[k], exact);
    }
  }
}

// Three sources (and a background) in two dimensions.
struct PrecisionCase {
  std::string name;
  Family family = Family::gaussian;
  Combination combination = Combination::sum;
  Covariance covariance = Covariance::diagonal;
  bool background = false;
  bool noise = false;
};

inline Sources sources_of(const PrecisionCase& given) {
  Sources sources;
  sources.family = given.family;
  sources.combination = given.combination;
  sources.covariance = given.covariance;
  sources.dimensions = 2;
  sources.count = given.background ? 4 : 3;
  sources.background = given.background;
  sources.location = {0.3, 0.15, 0.5, 0.4, 0.2, 0.65, 0.35, 0.25};
  sources.location.resize(sources.count * 2);
  const auto matrix = [](double a, double b, double c) { return std::vector<double>{a, b, b, c}; };
  if (is_gaussian(given.family)) {
    if (given.covariance == Covariance::spherical) sources.spread = {1.0, 2.0, 1.5, 0.7};
    if (given.covariance == Covariance::diagonal) sources.spread = {1.0, 0.8, 2.0, 1.1, 1.5, 0.9, 0.7, 0.6};
    if (given.covariance == Covariance::shared) sources.spread = matrix(1.2, 0.4, 0.9);
    if (given.covariance == Covariance::full) {
      sources.spread = {1.0, 0.2, 0.2, 0.8, 2.0, -0.5, -0.5, 1.1, 1.5, 0.3, 0.3, 0.9, 0.7, 0.1, 0.1, 0.6};
    }
    const std::size_t a_source = given.covariance == Covariance::spherical  ? 1
                                 : given.covariance == Covariance::diagonal ? 2
                                                                            : 4;
    if (given.covariance != Covariance::shared) sources.spread.resize(sources.count * a_source);
    const bool turned = given.covariance == Covariance::shared || given.covariance == Covariance::full;
    if (given.noise) sources.noise = matrix(0.5, turned ? 0.1 : 0.0, 0.3);
  }
  if (given.family == Family::gamma) sources.spread = {1.3, 0.8};
  if (given.family == Family::bernoulli && given.noise) sources.noise = {0.05, 0.1};
  return sources;
}

inline const std::vector<std::string> few_sets = {"100", "010", "110", "011", "111", "001"};
inline const std::vector<double> few_counts = {30.0, 50.0, 40.0, 20.0, 25.0, 35.0};

inline SetStatistics drawn(const Sources& sources, const BitMatrix& sets, const std::vector<double>& share,
                           std::size_t items, const Rng& rng) {
  Rng lots = rng.child(0);
  std::vector<std::uint32_t> of_item;
  for (std::size_t n = 0; n < items; ++n) of_item.push_back(static_cast<std::uint32_t>(lots.categorical(share)));
  const BitMatrix drawn_sets = sets.rows_of(of_item);
  const std::vector<double> x = sample_items(sources, drawn_sets, rng.child(1));
  return gather(index_label_sets(drawn_sets), x, sources.dimensions, sources.family,
                sources.covariance == Covariance::full || sources.covariance == Covariance::shared, Threads{1});
}

// Sources of one family and one label set each: what each is taught by, whatever the training, is the same.
inline Sources alone_in_their_sets(Family family, Combination combination, std::vector<double> location) {
  Sources sources;
  sources.family = family;
  sources.combination = combination;
  sources.dimensions = 1;
  sources.count = location.size();
  sources.location = std::move(location);
  return sources;
}

}  // namespace motet::multilabel
