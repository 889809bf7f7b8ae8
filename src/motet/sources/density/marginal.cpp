#include "motet/sources/density/marginal.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/sources/family.h"

namespace motet {
double normal_log_survival(double z) {
  constexpr double far = 30.0;  // beyond, two terms of the series in 1/z^2 are exact to 1e-5
  if (z < far) return std::log(0.5 * std::erfc(z * std::numbers::sqrt2 / 2.0));
  return -0.5 * z * z - std::log(z) - log_root_two_pi + std::log1p(-1.0 / (z * z));
}

double Marginal::log_density(double x) const { return family_of(family).density.log_density(location, spread, x); }

double Marginal::log_survival(double x) const { return family_of(family).density.log_survival(location, spread, x); }

double Marginal::quantile(double level) const {
  const auto of = family_of(family).density.quantile;
  if (of == nullptr) fail(ErrorKind::internal, "quantiles are only of continuous families");
  return of(location, spread, level);
}

MeanVariance Marginal::moments() const { return family_of(family).density.moments(location, spread); }

MeanVariance Marginal::moments_above(double x) const {
  const double log_tail = log_survival(x);
  if (log_tail == -infinity) return {x, 0.0};
  return family_of(family).density.moments_above(location, spread, x, log_tail);
}

Marginal marginal_of(const Sources& sources, std::size_t source, std::size_t dimension) {
  Marginal marginal;
  marginal.family = sources.family;
  marginal.location = sources.location_of(source)[dimension];
  if (!is_gaussian(sources.family)) {
    if (!sources.spread.empty()) marginal.spread = sources.spread[dimension];
    return marginal;
  }
  const std::size_t d = sources.dimensions;
  const std::vector<double> covariance = covariance_of(sources, source);
  marginal.spread = std::sqrt(covariance[dimension * d + dimension]);
  if (!(marginal.spread > 0.0)) fail(ErrorKind::unanswerable, "a source without a variance has no density");
  return marginal;
}

std::vector<MeanVariance> source_moments(const Sources& sources, std::size_t source) {
  const std::size_t d = sources.dimensions;
  const std::vector<double> covariance =
      is_gaussian(sources.family) ? covariance_of(sources, source) : std::vector<double>();
  std::vector<MeanVariance> result;
  for (std::size_t i = 0; i < d; ++i) {
    Marginal marginal{sources.family, sources.location_of(source)[i], 1.0};
    if (covariance.empty() && !sources.spread.empty()) marginal.spread = sources.spread[i];
    if (!covariance.empty()) marginal.spread = std::sqrt(covariance[i * d + i]);
    result.push_back(marginal.moments());
  }
  return result;
}

}  // namespace motet
