// Exponential sources: minima, in which the rates add.
#include <cmath>

#include "motet/sources/density/divided_exp.h"
#include "motet/sources/density/marginal.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"

namespace motet {
namespace {

bool are_from_zero(std::span<const double> x) {
  bool is_right = true;
  for (const double value : x) is_right = is_right && value >= 0.0 && std::isfinite(value);
  return is_right;
}

LogForm exponential_in_logarithm(double rate, double) {
  LogForm form;
  form.shape = LogShape::exp;
  form.constant = std::log(rate);
  form.slope = 1.0;
  form.rate = rate;
  form.mode = {-form.constant, -form.constant};
  form.width = widest_rate;
  return form;
}

std::vector<double> exponents(std::span<const Marginal> members, double y) {
  std::vector<double> points;
  for (const Marginal& member : members) points.push_back(-member.location * y);
  return points;
}

double exponential_log_sum(std::span<const Marginal> members, double y) {
  if (!(y > 0.0)) return -infinity;
  double sum = static_cast<double>(members.size() - 1) * std::log(y);
  for (const Marginal& member : members) sum += std::log(member.location);
  return sum + log_divided_exp(exponents(members, y));
}

std::vector<Moments2> exponential_sum_emissions(std::span<const Marginal> members, double y) {
  std::vector<double> points = exponents(members, y);
  const double whole = log_divided_exp(points);
  std::vector<Moments2> result;
  for (std::size_t k = 0; k < members.size(); ++k) {
    points.push_back(points[k]);
    const double mean = y * std::exp(log_divided_exp(points) - whole);
    points.push_back(points[k]);
    const double square = 2.0 * y * y * std::exp(log_divided_exp(points) - whole);
    points.resize(members.size());
    result.push_back({mean, std::max(0.0, square - mean * mean)});
  }
  return result;
}

// log r - r x
void exponential_plan(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  plan_totals(sources, all, at, plan, [](double rate, std::size_t, double& weight) {
    weight = -rate;
    return std::log(rate);
  });
}

void exponential_features(const DensityPlan& plan, std::span<const double* const> rows, double* features,
                          double* row_terms) {
  fill_features(plan, rows, features, row_terms, [](double x, std::size_t, double*, double&, bool& is_possible) {
    is_possible = is_possible && x >= 0.0;
  });
}

SharedValue exponential_centre(const PooledFeature& feature) {
  require_some(feature);
  return {1.0 / (feature.mean * feature.degree)};
}

// 1/r_k <- 1/r_k + sum_L n_L (mean_L - 1/r_L) / N_k
void exponential_accumulate(const SetCells& cells) {
  for (std::size_t d = 0; d < cells.dimensions; ++d) {
    const double rate = cells.total[d];
    *cells.objective += cells.count * (std::log(rate) - rate * cells.mean[d]);
    cells.taught[d] = cells.count * (cells.mean[d] - 1.0 / rate);
  }
}

double exponential_row(const double* rate, const double*, const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t d = 0; d < size; ++d) sum += std::log(rate[d]) - rate[d] * x[d];
  return sum;
}

FamilyFit exponential_fit() {
  FamilyFit fit;
  fit.centre = exponential_centre;
  fit.accumulate = exponential_accumulate;
  fit.emitted = [](double rate, double items, double taught) { return items / rate + taught; };
  fit.emitted_mixed = [](double, double, double, double sum, double) { return sum; };
  fit.location = [](const SourceLesson& l) { return (l.items + l.nu) / (l.emitted + l.nu / l.centre.location); };
  fit.log_prior = [](double nu, double rate, double, const SharedValue& centre) {
    return nu * (std::log(rate) - rate / centre.location);
  };
  fit.row_log_density = exponential_row;
  fit.start = [](double mean, double) { return 1.0 / std::max(mean, 1e-9); };
  return fit;
}

void exponential_cost(ItemCost& item) {
  for (const double x : item.x) {
    item.is_possible = item.is_possible && x >= 0.0;
    item.mode.push_back(1.0 / x);
  }
}

double exponential_least(const ItemCost& item, std::span<const double> low, std::span<const double> high) {
  return least_cost(item, low, high, [&](std::size_t d, double rate) { return rate * item.x[d] - std::log(rate); });
}

SetResponse exponential_response(double rate, double) {
  return {1.0 / rate, 1.0 / (rate * rate), 6.0, -(1.0 / (rate * rate)), 0.0};
}

FamilyDensity exponential_density() {
  FamilyDensity density;
  density.log_density = [](double rate, double, double x) { return x >= 0.0 ? std::log(rate) - rate * x : -infinity; };
  density.log_survival = [](double rate, double, double x) { return x > 0.0 ? -rate * x : 0.0; };
  density.quantile = [](double rate, double, double level) { return -std::log1p(-level) / rate; };
  density.moments = [](double rate, double) { return Moments2{1.0 / rate, 1.0 / (rate * rate)}; };
  density.moments_above = [](double rate, double, double x, double) {
    return Moments2{std::max(x, 0.0) + 1.0 / rate, 1.0 / (rate * rate)};
  };
  density.in_logarithm = exponential_in_logarithm;
  density.draw = [](double rate, double, Rng& rng) { return -std::log1p(-rng.uniform()) / rate; };
  density.log_sum = exponential_log_sum;
  density.sum_emissions = exponential_sum_emissions;
  return density;
}

}  // namespace

SourceFamily exponential_family() {
  using enum Combination;
  SourceFamily family;
  family.word = "exponential";
  family.location_word = "rate";
  family.allowed_value = "a number from 0 on";
  family.allowed_values = "numbers from 0 on";
  family.are_allowed = are_from_zero;
  family.combinations = {minimum, one_of, sum, mean, product};
  family.closed = 2;
  family.location_bounds = {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max(),
                            "a rate above 0"};
  family.density = exponential_density();
  family.plan.plan_set = exponential_plan;
  family.plan.make_features = exponential_features;
  family.fit = exponential_fit();
  family.search = {exponential_cost, exponential_least};
  family.theory.response = exponential_response;
  family.theory.is_inverse_mean = true;
  family.random_location = [](double, Rng& rng) { return rng.uniform(0.3, 3.0); };
  family.ways = {{minimum, false}};
  family.suits = [](const ValueShape& values, bool is_named) {
    return !values.has_negative && (is_named || !values.has_zero);
  };
  return family;
}

}  // namespace motet
