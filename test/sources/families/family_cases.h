// What the tests of families compare with: sums over values in place of formulas.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "motet/base/numeric.h"
#include "motet/sources/density/marginal.h"
#include "motet/sources/family.h"

namespace motet {

inline constexpr double rounding = 1e-12;  // of formulas of a few steps

// Counts 0, 1, 2, ..., or the middles of equal steps.
struct ValueGrid {
  double first = 0.0;
  double step = 1.0;
  double end = 0.0;

  template <class Term>
  double sum(const Term& term) const {
    double total = 0.0;
    for (double x = first; x < end; x += step) total += step * term(x);
    return total;
  }
};

inline ValueGrid counts_below(double end) { return {0.0, 1.0, end}; }
inline ValueGrid steps_between(double begin, double end, double step) { return {begin + 0.5 * step, step, end}; }

inline double log_likelihood_of(const SourceFamily& family, double location, double shared,
                                const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += family.density.log_density(location, shared, value);
  return sum;
}

// Of emissions whose source is known, `location` makes likelihood and prior largest.
inline void expect_best_location(const SourceFamily& family, double shared, const std::vector<double>& x, double nu,
                                 const SharedValue& centre) {
  SourceLesson lesson;
  lesson.items = static_cast<double>(x.size());
  lesson.nu = nu;
  lesson.shared = shared;
  lesson.centre = centre;
  double sum = 0.0;
  double extra = 0.0;
  for (const double value : x) {
    sum += value;
    if (family.fit.extra != nullptr) extra += family.fit.extra(centre.location, value);
  }
  const auto mixed = family.fit.emitted_mixed;
  lesson.emitted = mixed == nullptr ? sum : mixed(centre.location, shared, lesson.items, sum, extra);
  const double best = family.fit.location(lesson);
  const auto objective = [&](double location) {
    double value = nu > 0.0 ? family.fit.log_prior(nu, location, shared, centre) : 0.0;
    for (const double one : x) value += family.fit.row_log_density(&location, &shared, &one, 1);
    return value;
  };
  for (const double factor : {0.9, 0.999, 1.001, 1.1}) EXPECT_GT(objective(best), objective(best * factor)) << factor;
}

// One label set, in which what adds up is `total`: the objective is the likelihood up to terms without parameters.
struct TaughtSet {
  double objective = 0.0;
  double taught = 0.0;
};
inline TaughtSet taught_by(const SourceFamily& family, double total, double shared, const std::vector<double>& x) {
  const double count = static_cast<double>(x.size());
  double mean = 0.0;
  double mean_log = 0.0;
  for (const double value : x) {
    mean += value / count;
    if (family.needs_log) mean_log += std::log(value) / count;
  }
  TaughtSet set;
  SetCells cells;
  cells.dimensions = 1;
  cells.count = count;
  cells.mean = &mean;
  cells.mean_log = &mean_log;
  cells.total = &total;
  cells.shared = &shared;
  cells.objective = &set.objective;
  cells.taught = &set.taught;
  family.fit.accumulate(cells);
  return set;
}

inline void expect_likelihood_of_totals(const SourceFamily& family, Combination combination, double shared,
                                        const std::vector<double>& x, double location, double other) {
  const auto total_of = [&](double value) {
    return family.added == nullptr ? value : family.added(value, combination);
  };
  const double found = taught_by(family, total_of(location), shared, x).objective -
                       taught_by(family, total_of(other), shared, x).objective;
  EXPECT_NEAR(found, log_likelihood_of(family, location, shared, x) - log_likelihood_of(family, other, shared, x),
              1e-10);
}

// A set of one source: what it is taught leads to the maximum of its likelihood, from anywhere and at once.
inline void expect_one_source_learns_all(const SourceFamily& family, Combination combination, double shared,
                                         const std::vector<double>& x, double start, double tolerance = 1e-12) {
  double location = start;
  const double total = family.added == nullptr ? start : family.added(start, combination);
  SourceLesson lesson;
  lesson.items = static_cast<double>(x.size());
  lesson.shared = shared;
  lesson.emitted = family.fit.emitted(start, lesson.items, taught_by(family, total, shared, x).taught);
  lesson.centre = {start, shared};
  location = family.fit.location(lesson);
  for (const double factor : {0.99, 1.01}) {
    EXPECT_GT(log_likelihood_of(family, location, shared, x), log_likelihood_of(family, location * factor, shared, x));
  }
  const double again = family.added == nullptr ? location : family.added(location, combination);
  lesson.emitted = family.fit.emitted(location, lesson.items, taught_by(family, again, shared, x).taught);
  EXPECT_NEAR(family.fit.location(lesson), location, tolerance * location);
}

// The least of -log p(x) over what adds up, between `low` and `high`.
inline void expect_least_cost(const Sources& sources, double x, double low, double high) {
  const SourceFamily& family = family_of(sources.family);
  ItemCost item;
  item.sources = &sources;
  const std::vector<double> row{x};
  item.x = row;
  family.search.prepare(item);
  ASSERT_TRUE(item.is_possible);
  const double shared = sources.spread.empty() ? 1.0 : sources.spread[0];
  double least = infinity;
  constexpr int steps = 4000;
  for (int i = 0; i <= steps; ++i) {
    const double total = low + (high - low) * i / steps;
    const double location = family.added == nullptr                          ? total
                            : sources.combination == Combination::logical_or ? -std::expm1(-total)
                                                                             : std::exp(-total);
    least = std::min(least, -family.density.log_density(location, shared, x));
  }
  const std::vector<double> from{low};
  const std::vector<double> to{high};
  EXPECT_NEAR(family.search.least(item, from, to), least, 1e-5) << x << " between " << low << " and " << high;
}

inline bool is_possible_item(const Sources& sources, std::vector<double> x) {
  ItemCost item;
  item.sources = &sources;
  item.x = x;
  family_of(sources.family).search.prepare(item);
  return item.is_possible;
}

// Mean, variance, excess kurtosis and slopes of items with a total, from sums over their density.
inline void expect_response(const SourceFamily& family, double total, double shared, const ValueGrid& grid,
                            double tolerance) {
  const auto mean_at = [&](double at, double with) {
    return grid.sum([&](double x) { return x * std::exp(family.density.log_density(at, with, x)); });
  };
  const double mean = mean_at(total, shared);
  const auto central = [&](int power) {
    return grid.sum(
        [&](double x) { return std::pow(x - mean, power) * std::exp(family.density.log_density(total, shared, x)); });
  };
  const SetResponse found = family.theory.response(total, shared);
  EXPECT_NEAR(found.mean, mean, tolerance);
  EXPECT_NEAR(found.variance, central(2), tolerance);
  EXPECT_NEAR(found.kurtosis, central(4) / (central(2) * central(2)) - 3.0, 10.0 * tolerance);
  constexpr double small = 1e-4;  // the error of a central difference is about its square
  EXPECT_NEAR(found.slope, (mean_at(total + small, shared) - mean_at(total - small, shared)) / (2.0 * small),
              10.0 * tolerance);
  if (!family.has_shared()) return;
  EXPECT_NEAR(found.shared_slope, (mean_at(total, shared + small) - mean_at(total, shared - small)) / (2.0 * small),
              10.0 * tolerance);
}

inline std::vector<double> drawn(const SourceFamily& family, double location, double shared, std::size_t count,
                                 std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> x(count);
  for (double& value : x) value = family.density.draw(location, shared, rng);
  return x;
}

// Mean and variance of draws lie within five standard errors; that of a variance is sqrt((kurtosis + 2) / n) of it.
inline void expect_draws(const SourceFamily& family, double location, double shared, double kurtosis) {
  constexpr std::size_t draws = 100'000;
  const MeanVariance expected = family.density.moments(location, shared);
  const MeanSd found = mean_sd(drawn(family, location, shared, draws, 5));
  EXPECT_NEAR(found.mean, expected.mean, 5.0 * std::sqrt(expected.variance / draws));
  EXPECT_NEAR(found.sd * found.sd, expected.variance, 5.0 * expected.variance * std::sqrt((kurtosis + 2.0) / draws));
}

}  // namespace motet
