// Lognormal sources: products, in which the logarithms are Gaussian and add.
#include <cmath>

#include "motet/sources/density/marginal.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"

namespace motet {
namespace {

double lognormal_log_density(double mean, double sd, double x) {
  if (!(x > 0.0)) return -infinity;
  const double z = (std::log(x) - mean) / sd;
  return -0.5 * z * z - std::log(sd * x) - log_root_two_pi;
}

double lognormal_log_survival(double mean, double sd, double x) {
  return x > 0.0 ? normal_log_survival((std::log(x) - mean) / sd) : 0.0;
}

Moments2 lognormal_moments(double mean, double sd) {
  const double expected = std::exp(mean + 0.5 * sd * sd);
  return {expected, expected * expected * std::expm1(sd * sd)};
}

Moments2 lognormal_moments_above(double mean, double sd, double x, double log_tail) {
  if (!(x > 0.0)) return lognormal_moments(mean, sd);
  const double z = (std::log(x) - mean) / sd;
  const auto power = [&](double p) {
    return std::exp(p * mean + 0.5 * p * p * sd * sd + normal_log_survival(z - p * sd) - log_tail);
  };
  return from_powers(power(1.0), power(2.0));
}

LogForm lognormal_in_logarithm(double mean, double sd) {
  LogForm form;
  form.shape = LogShape::square;
  form.constant = -std::log(sd) - log_root_two_pi;
  form.mode = {mean, mean};
  form.width = sd;
  return form;
}

void lognormal_features(const DensityPlan& plan, std::span<const double* const> rows, double* features,
                        double* row_terms) {
  fill_features(plan, rows, features, row_terms,
                [](double x, std::size_t, double* feature, double& term, bool& is_possible) {
                  is_possible = is_possible && x > 0.0;
                  *feature = is_possible ? std::log(x) : 0.0;
                  term -= *feature;
                });
}

}  // namespace

SourceFamily lognormal_family() {
  using enum Combination;
  SourceFamily family;
  family.word = "lognormal";
  family.location_word = "mean log";
  family.allowed_value = "a number above 0";
  family.allowed_values = "numbers above 0";
  family.are_allowed = are_positive;
  family.combinations = {product, one_of, sum, mean, minimum};
  family.closed = 2;
  family.has_scatter = true;
  family.is_logarithm = true;
  family.location_scale = ParameterScale::plain;
  family.density.log_density = lognormal_log_density;
  family.density.log_survival = lognormal_log_survival;
  family.density.quantile = [](double mean, double sd, double level) {
    return std::exp(normal_quantile_of(mean, sd, level));
  };
  family.density.moments = lognormal_moments;
  family.density.moments_above = lognormal_moments_above;
  family.density.in_logarithm = lognormal_in_logarithm;
  family.plan.make_features = lognormal_features;
  family.random_location = [](double separation, Rng& rng) { return rng.uniform(-separation, separation); };
  family.ways = {{product, false}};
  family.suits = [](const ValueShape& values, bool is_named) {
    return !values.has_negative && (is_named || !values.has_zero);
  };
  return family;
}

}  // namespace motet
