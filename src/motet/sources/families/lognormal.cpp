// Lognormal sources: products, in which the logarithms are Gaussian and add.
#include <cmath>

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

MeanVariance lognormal_moments(double mean, double sd) {
  const double expected = std::exp(mean + 0.5 * sd * sd);
  return {expected, expected * expected * std::expm1(sd * sd)};
}

MeanVariance lognormal_moments_above(double mean, double sd, double x, double log_tail) {
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

void lognormal_feature(const DensityPlan&, double x, std::size_t, double* feature, double& term, bool& is_possible) {
  is_possible = is_possible && x > 0.0;
  *feature = is_possible ? std::log(x) : 0.0;
  term -= *feature;
}

double lognormal_quantile(double mean, double sd, double level) {
  return std::exp(normal_quantile_of(mean, sd, level));
}

}  // namespace

SourceFamily lognormal_family() {
  using enum Combination;
  return {
      .word = "lognormal",
      .values = positive_values,
      .location = {.word = "mean log", .scale = ParameterScale::plain},
      .combinations = {product, one_of, sum, mean, minimum},
      .closed = 2,
      .has_scatter = true,
      .is_logarithm = true,
      .density = {.log_density = lognormal_log_density,
                  .log_survival = lognormal_log_survival,
                  .quantile = lognormal_quantile,
                  .moments = lognormal_moments,
                  .moments_above = lognormal_moments_above,
                  .in_logarithm = lognormal_in_logarithm},
      .plan = {.make_features = fill_features<lognormal_feature>},
      .random_location = random_centre,
      .ways = {{product, false}},
      .suits = suits_positive,
  };
}

}  // namespace motet
