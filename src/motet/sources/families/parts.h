// What several families share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "motet/base/numeric.h"
#include "motet/sources/density/density_block.h"
#include "motet/sources/density/density_plan.h"
#include "motet/sources/family.h"

namespace motet {

// e^(-e^u) is small only in a strip about the real line, and steps must be short against its width.
constexpr double widest_rate = 0.55;    // of exponentials of x: |Im u| < pi / 2
constexpr double widest_square = 0.27;  // of exponentials of x^2: |Im u| < pi / 4

double log_gamma(double x);
double log_or(double probability, double otherwise);  // the logarithm, or what it is to be of 0
double inverse_digamma(double y);

// log Q(shape, y) and log P(shape, y), the tails of the gamma distribution; where they are no doubles, their first
// term.
double log_upper_gamma(double shape, double y);
double log_lower_gamma(double shape, double y);

Moments2 from_powers(double first, double second);

// Locations that add up: the density of a sum is that of one emission with their total.
double total_location(std::span<const Marginal> members);

bool are_counts(std::span<const double> x);    // 0, 1, 2, ...
bool are_positive(std::span<const double> x);  // above 0
double minus_log_factorials(std::span<const double> x, std::size_t dimensions, Rows rows);

// The whole number that y is, but for the rounding of a division; -1 for another.
double as_count(double y);

// Refuses a feature that is always 0, where a rate would be without bound.
void require_some(const PooledFeature& feature);

// log_of_nothing stands for log 0 in weights.
double log_or_nothing(double value);

// Sums over the dimensions of an item, each at its best place between low and high.
template <class OfOne>
double least_cost(const ItemCost& item, std::span<const double> low, std::span<const double> high, OfOne of_one) {
  double cost = item.constant;
  for (std::size_t d = 0; d < item.mode.size(); ++d) {
    cost += of_one(d, std::clamp(item.mode[d], low[d], std::max(low[d], high[d])));
  }
  return cost;
}

// `cell(x, d, n)` adds to the term of the row and says whether the value is possible, after setting its feature.
template <class Cell>
void fill_features(const DensityPlan& plan, std::span<const double* const> rows, double* features, double* row_terms,
                   Cell cell) {
  for (std::size_t n = 0; n < density_rows; ++n) {
    const double* const row = rows[std::min(n, rows.size() - 1)];
    double term = 0.0;
    bool is_possible = true;
    for (std::size_t d = 0; d < plan.dimensions; ++d) {
      double* const feature = features + d * density_rows + n;
      *feature = row[d];
      cell(row[d], d, feature, term, is_possible);
    }
    row_terms[n] = is_possible ? term : -infinity;
  }
}

// Weights and constant of a set, dimension by dimension: `cell(total, d, weight)` returns what it adds to the constant.
template <class Cell>
void plan_totals(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan,
                 Cell cell) {
  double* const weights = plan.weights.data() + at * plan.weights_a_set;
  double constant = 0.0;
  for (std::size_t d = 0; d < sources.dimensions; ++d) {
    double total = 0.0;
    for (const std::size_t k : all) total += sources.location_of(k)[d];
    constant += cell(total, d, weights[d]);
  }
  plan.constant[at] = constant;
}

}  // namespace motet
