#include "motet/sources/marginal.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet {
namespace {

namespace policies = boost::math::policies;
using Policy =
    policies::policy<policies::promote_double<false>, policies::overflow_error<policies::ignore_error>,
                     policies::underflow_error<policies::ignore_error>, policies::denorm_error<policies::ignore_error>>;

double log_gamma(double x) { return boost::math::lgamma(x, Policy()); }

double log_of(double probability, double otherwise) { return probability > 0.0 ? std::log(probability) : otherwise; }

// log Q(shape, y), the upper tail of the gamma distribution; where it is no double, its first term.
double log_gamma_tail(double shape, double y) {
  if (y <= 0.0) return 0.0;
  return log_of(boost::math::gamma_q(shape, y, Policy()), (shape - 1.0) * std::log(y) - y - log_gamma(shape));
}

// log P(Poisson(rate) > count), which is the lower tail P(count + 1, rate) of the gamma distribution.
double log_poisson_tail(double rate, double count) {
  if (count < 0.0) return 0.0;
  if (rate <= 0.0) return -infinity;
  const double first = (count + 1.0) * std::log(rate) - rate - log_gamma(count + 2.0);
  return log_of(boost::math::gamma_p(count + 1.0, rate, Policy()), first);
}

Moments2 from_powers(double first, double second) { return {first, std::max(0.0, second - first * first)}; }

}  // namespace

double normal_log_survival(double z) {
  constexpr double far = 30.0;  // beyond, two terms of the series in 1/z^2 are exact to 1e-5
  if (z < far) return std::log(0.5 * std::erfc(z * std::numbers::sqrt2 / 2.0));
  return -0.5 * z * z - std::log(z) - log_root_two_pi + std::log1p(-1.0 / (z * z));
}

double Marginal::log_density(double x) const {
  switch (family) {
    case Family::gaussian: {
      const double z = (x - location) / spread;
      return -0.5 * z * z - std::log(spread) - log_root_two_pi;
    }
    case Family::lognormal: {
      if (!(x > 0.0)) return -infinity;
      const double z = (std::log(x) - location) / spread;
      return -0.5 * z * z - std::log(spread * x) - log_root_two_pi;
    }
    case Family::exponential: return x >= 0.0 ? std::log(location) - location * x : -infinity;
    case Family::gamma:
      if (!(x > 0.0)) return -infinity;
      return location * std::log(spread) - log_gamma(location) + (location - 1.0) * std::log(x) - spread * x;
    case Family::poisson:
      if (!(x >= 0.0) || x != std::floor(x)) return -infinity;
      if (location == 0.0) return x == 0.0 ? 0.0 : -infinity;
      return x * std::log(location) - location - log_gamma(x + 1.0);
    default: return x == 1.0 ? log_of(location, -infinity) : x == 0.0 ? log_of(1.0 - location, -infinity) : -infinity;
  }
}

double Marginal::log_survival(double x) const {
  switch (family) {
    case Family::gaussian: return normal_log_survival((x - location) / spread);
    case Family::lognormal: return x > 0.0 ? normal_log_survival((std::log(x) - location) / spread) : 0.0;
    case Family::exponential: return x > 0.0 ? -location * x : 0.0;
    case Family::gamma: return log_gamma_tail(location, spread * x);
    case Family::poisson: return log_poisson_tail(location, std::floor(x));
    default: return x < 0.0 ? 0.0 : x < 1.0 ? log_of(location, -infinity) : -infinity;
  }
}

double Marginal::quantile(double level) const {
  const auto normal = [&] {
    return location - spread * std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * level, Policy());
  };
  switch (family) {
    case Family::gaussian: return normal();
    case Family::lognormal: return std::exp(normal());
    case Family::exponential: return -std::log1p(-level) / location;
    case Family::gamma: return boost::math::gamma_p_inv(location, level, Policy()) / spread;
    default: fail(ErrorKind::internal, "quantiles are only of continuous families");
  }
}

Moments2 Marginal::moments() const {
  switch (family) {
    case Family::gaussian: return {location, spread * spread};
    case Family::lognormal: {
      const double mean = std::exp(location + 0.5 * spread * spread);
      return {mean, mean * mean * std::expm1(spread * spread)};
    }
    case Family::exponential: return {1.0 / location, 1.0 / (location * location)};
    case Family::gamma: return {location / spread, location / (spread * spread)};
    case Family::poisson: return {location, location};
    default: return {location, location * (1.0 - location)};
  }
}

Moments2 Marginal::moments_above(double x) const {
  const double log_tail = log_survival(x);
  if (log_tail == -infinity) return {x, 0.0};
  switch (family) {
    case Family::gaussian: {
      const double z = (x - location) / spread;
      const double hazard = std::exp(-0.5 * z * z - log_root_two_pi - log_tail);
      return {location + spread * hazard, spread * spread * std::max(0.0, 1.0 + z * hazard - hazard * hazard)};
    }
    case Family::lognormal: {
      if (!(x > 0.0)) return moments();
      const double z = (std::log(x) - location) / spread;
      const auto power = [&](double p) {
        return std::exp(p * location + 0.5 * p * p * spread * spread + normal_log_survival(z - p * spread) - log_tail);
      };
      return from_powers(power(1.0), power(2.0));
    }
    case Family::exponential: return {std::max(x, 0.0) + 1.0 / location, 1.0 / (location * location)};
    case Family::gamma: {
      const double first = location / spread * std::exp(log_gamma_tail(location + 1.0, spread * x) - log_tail);
      const double second = location * (location + 1.0) / (spread * spread) *
                            std::exp(log_gamma_tail(location + 2.0, spread * x) - log_tail);
      return from_powers(first, second);
    }
    case Family::poisson: {
      const double first = location * std::exp(log_poisson_tail(location, x - 1.0) - log_tail);
      const double pairs = location * location * std::exp(log_poisson_tail(location, x - 2.0) - log_tail);
      return from_powers(first, pairs + first);
    }
    default: return {1.0, 0.0};
  }
}

Marginal marginal_of(const Sources& sources, std::size_t source, std::size_t dimension) {
  Marginal marginal;
  marginal.family = sources.family;
  marginal.location = sources.location_of(source)[dimension];
  if (sources.family == Family::gamma) marginal.spread = sources.spread[dimension];
  if (!is_gaussian(sources.family)) return marginal;
  const std::size_t d = sources.dimensions;
  const std::vector<double> covariance = covariance_of(sources, source);
  marginal.spread = std::sqrt(covariance[dimension * d + dimension]);
  if (!(marginal.spread > 0.0)) fail(ErrorKind::unanswerable, "a source without a variance has no density");
  return marginal;
}

std::vector<Moments2> source_moments(const Sources& sources, std::size_t source) {
  const std::size_t d = sources.dimensions;
  const std::vector<double> covariance =
      is_gaussian(sources.family) ? covariance_of(sources, source) : std::vector<double>();
  std::vector<Moments2> result;
  for (std::size_t i = 0; i < d; ++i) {
    Marginal marginal{sources.family, sources.location_of(source)[i], 1.0};
    if (sources.family == Family::gamma) marginal.spread = sources.spread[i];
    if (!covariance.empty()) marginal.spread = std::sqrt(covariance[i * d + i]);
    result.push_back(marginal.moments());
  }
  return result;
}

}  // namespace motet
