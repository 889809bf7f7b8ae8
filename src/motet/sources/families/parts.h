// What several families share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "motet/base/numeric.h"
#include "motet/sources/density/density_block.h"
#include "motet/sources/density/density_plan.h"
#include "motet/sources/density/marginal.h"
#include "motet/sources/family.h"

namespace motet {

// e^(-e^u) is small only in a strip about the real line, and steps must be short against its width.
constexpr double widest_rate = 0.55;    // of exponentials of x: |Im u| < pi / 2
constexpr double widest_square = 0.27;  // of exponentials of x^2: |Im u| < pi / 4

double log_gamma(double x);
double log_or(double probability, double otherwise);  // the logarithm, or what it is to be of 0
double inverse_digamma(double y);
double normal_quantile_of(double mean, double sd, double level);
double gamma_quantile_of(double shape, double rate, double level);

// log Q(shape, y) and log P(shape, y), the tails of the gamma distribution; where they are no doubles, their first
// term.
double log_upper_gamma(double shape, double y);
double log_lower_gamma(double shape, double y);

MeanVariance from_powers(double first, double second);

// Locations that add up: the density of a sum is that of one emission with their total.
double total_location(std::span<const Marginal> members);

// Given that sum, an emission is a share of it: its mean is that of its location in the total, its variance
// spread share (1 - share).
std::vector<MeanVariance> shares_of_sum(std::span<const Marginal> members, double y, double total, double spread);

inline bool is_positive(double x) { return x > 0.0 && std::isfinite(x); }
inline bool is_whole(double x) { return x >= 0.0 && std::isfinite(x) && x == std::floor(x); }
bool suits_positive(const ValueShape& values, bool is_named);
double random_amount(double, Rng& rng);             // of rates and shapes
double random_centre(double separation, Rng& rng);  // of Gaussian sources
double minus_log_factorials(std::span<const double> x, std::size_t dimensions, Rows rows);

// The whole number that y is, but for the rounding of a division; -1 for another.
double as_count(double y);

// Refuses a feature that is always 0, where a rate would be without bound.
void require_some(const PooledFeature& feature);

// log_of_nothing stands for log 0 in weights.
double log_or_nothing(double value);

// The rest are entries of a family's table, made of what it says of one number.

template <auto is_allowed>
bool all_are(std::span<const double> x) {
  bool is_right = true;
  for (const double value : x) is_right = is_right && is_allowed(value);
  return is_right;
}

inline constexpr AllowedValues whole_values = {"0, 1, 2, ...", "whole numbers from 0 on", all_are<is_whole>};
inline constexpr AllowedValues positive_values = {"a number above 0", "numbers above 0", all_are<is_positive>};

// `log_density(total, spread, y)` of emissions that add up.
template <auto log_density>
double density_of_sum(std::span<const Marginal> members, double y) {
  return log_density(total_location(members), members[0].spread, y);
}

// Sums over the dimensions of an item, each at its best place between low and high: `of_one(item, d, place)`.
template <auto of_one>
double least_cost(const ItemCost& item, std::span<const double> low, std::span<const double> high) {
  double cost = item.constant;
  for (std::size_t d = 0; d < item.mode.size(); ++d) {
    cost += of_one(item, d, std::clamp(item.mode[d], low[d], std::max(low[d], high[d])));
  }
  return cost;
}

// `cell(plan, x, d, feature, term, is_possible)` adds to the term of the row and says whether the value is possible,
// after setting its feature.
template <auto cell>
void fill_features(const DensityPlan& plan, std::span<const double* const> rows, double* features, double* row_terms) {
  for (std::size_t n = 0; n < density_rows; ++n) {
    const double* const row = rows[std::min(n, rows.size() - 1)];
    double term = 0.0;
    bool is_possible = true;
    for (std::size_t d = 0; d < plan.dimensions; ++d) {
      double* const feature = features + d * density_rows + n;
      *feature = row[d];
      cell(plan, row[d], d, feature, term, is_possible);
    }
    row_terms[n] = is_possible ? term : -infinity;
  }
}

// Weights and constant of a set, dimension by dimension: `cell(sources, total, d, weight)` returns what it adds to the
// constant.
template <auto cell>
void plan_totals(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  double* const weights = plan.weights.data() + at * plan.weights_a_set;
  double constant = 0.0;
  for (std::size_t d = 0; d < sources.dimensions; ++d) {
    double total = 0.0;
    for (const std::size_t k : all) total += sources.location_of(k)[d];
    constant += cell(sources, total, d, weights[d]);
  }
  plan.constant[at] = constant;
}

}  // namespace motet
