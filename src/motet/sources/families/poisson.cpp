// Poisson sources: sums, in which the rates add.
#include <cmath>

#include "motet/base/log_gamma.h"
#include "motet/sources/density/marginal.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"
#include "motet/sources/sample.h"

namespace motet {
namespace {

double poisson_log_density(double rate, double, double x) {
  if (!(x >= 0.0) || x != std::floor(x)) return -infinity;
  if (rate == 0.0) return x == 0.0 ? 0.0 : -infinity;
  return x * std::log(rate) - rate - log_gamma(x + 1.0);
}

// P(xi > count) is the lower tail P(count + 1, rate) of the gamma distribution.
double poisson_tail(double rate, double count) {
  if (count < 0.0) return 0.0;
  if (rate <= 0.0) return -infinity;
  return log_lower_gamma(count + 1.0, rate);
}

Moments2 poisson_moments_above(double rate, double, double x, double log_tail) {
  const double first = rate * std::exp(poisson_tail(rate, x - 1.0) - log_tail);
  const double pairs = rate * rate * std::exp(poisson_tail(rate, x - 2.0) - log_tail);
  return from_powers(first, pairs + first);
}

// Given the sum, emissions are binomial.
std::vector<Moments2> poisson_sum_emissions(std::span<const Marginal> members, double y) {
  const double total = total_location(members);
  std::vector<Moments2> result;
  for (const Marginal& member : members) {
    const double share = total > 0.0 ? member.location / total : 0.0;
    result.push_back({y * share, y * share * (1.0 - share)});
  }
  return result;
}

// x log r - r
void poisson_plan(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  plan_totals(sources, all, at, plan, [](double rate, std::size_t, double& weight) {
    weight = log_or_nothing(rate);
    return -rate;
  });
}

void poisson_features(const DensityPlan& plan, std::span<const double* const> rows, double* features,
                      double* row_terms) {
  fill_features(plan, rows, features, row_terms, [](double x, std::size_t, double*, double& term, bool& is_possible) {
    int sign = 0;
    is_possible = is_possible && x >= 0.0 && x == std::floor(x);
    term -= x > 1.0 ? ::lgamma_r(x + 1.0, &sign) : 0.0;
  });
}

SharedValue poisson_centre(const PooledFeature& feature) {
  return {(feature.has_prior ? std::max(feature.mean, feature.least) : feature.mean) / feature.degree};
}

// l_k <- sum_L n_L mean_L l_k / l_L / N_k
void poisson_accumulate(const SetCells& cells) {
  for (std::size_t d = 0; d < cells.dimensions; ++d) {
    const double rate = cells.total[d];
    const double amount = cells.count * cells.mean[d];
    *cells.objective += times_log(amount, rate) - cells.count * rate;
    cells.taught[d] = rate > 0.0 ? amount / rate : 0.0;
  }
}

double poisson_row(const double* rate, const double*, const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t d = 0; d < size; ++d) sum += times_log(x[d], rate[d]) - rate[d];
  return sum;
}

FamilyFit poisson_fit() {
  FamilyFit fit;
  fit.centre = poisson_centre;
  fit.accumulate = poisson_accumulate;
  fit.emitted = [](double rate, double, double taught) { return taught * rate; };
  fit.emitted_mixed = [](double, double, double, double sum, double) { return sum; };
  fit.location = [](const SourceLesson& l) { return (l.emitted + l.nu * l.centre.location) / (l.items + l.nu); };
  fit.log_prior = [](double nu, double rate, double, const SharedValue& centre) {
    return nu * (centre.location * std::log(rate) - rate);
  };
  fit.row_log_density = poisson_row;
  fit.start = [](double mean, double) { return std::max(mean, 1e-3); };
  return fit;
}

void poisson_cost(ItemCost& item) {
  for (const double x : item.x) {
    item.is_possible = item.is_possible && x >= 0.0 && x == std::floor(x);
    item.mode.push_back(x);
    item.constant += lgamma_alone(x + 1.0);
  }
}

double poisson_least(const ItemCost& item, std::span<const double> low, std::span<const double> high) {
  return least_cost(item, low, high, [&](std::size_t d, double rate) {
    return item.x[d] == 0.0 ? rate : rate - item.x[d] * std::log(rate);
  });
}

FamilyDensity poisson_density() {
  FamilyDensity density;
  density.log_density = poisson_log_density;
  density.log_survival = [](double rate, double, double x) { return poisson_tail(rate, std::floor(x)); };
  density.moments = [](double rate, double) { return Moments2{rate, rate}; };
  density.moments_above = poisson_moments_above;
  density.draw = [](double rate, double, Rng& rng) { return sample_poisson(rate, rng); };
  density.log_sum = [](std::span<const Marginal> members, double y) {
    return poisson_log_density(total_location(members), 1.0, as_count(y));
  };
  density.sum_emissions = poisson_sum_emissions;
  return density;
}

}  // namespace

SourceFamily poisson_family() {
  using enum Combination;
  SourceFamily family;
  family.word = "poisson";
  family.location_word = "rate";
  family.allowed_value = "0, 1, 2, ...";
  family.allowed_values = "whole numbers from 0 on";
  family.are_allowed = are_counts;
  family.combinations = {sum, one_of, mean, minimum};
  family.closed = 2;
  family.is_whole = true;
  family.location_bounds.allowed = "a rate from 0 on";
  family.log_constant = minus_log_factorials;
  family.density = poisson_density();
  family.plan.plan_set = poisson_plan;
  family.plan.make_features = poisson_features;
  family.fit = poisson_fit();
  family.search = {poisson_cost, poisson_least};
  family.theory.response = [](double rate, double) { return SetResponse{rate, rate, 1.0 / rate, 1.0, 0.0}; };
  family.random_location = [](double, Rng& rng) { return rng.uniform(0.3, 3.0); };
  family.ways = {{sum, false}};
  family.suits = [](const ValueShape& values, bool is_named) {
    return values.is_count && (is_named || !values.is_boolean);
  };
  return family;
}

}  // namespace motet
