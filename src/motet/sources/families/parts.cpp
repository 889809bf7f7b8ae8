#include "motet/sources/families/parts.h"

#include <fmt/format.h>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <numbers>

#include "motet/base/error.h"
#include "motet/base/log_gamma.h"

namespace motet {
namespace {

namespace policies = boost::math::policies;
using Policy =
    policies::policy<policies::promote_double<false>, policies::overflow_error<policies::ignore_error>,
                     policies::underflow_error<policies::ignore_error>, policies::denorm_error<policies::ignore_error>>;

}  // namespace

double log_gamma(double x) { return boost::math::lgamma(x, Policy()); }

double log_or(double probability, double otherwise) { return probability > 0.0 ? std::log(probability) : otherwise; }

double inverse_digamma(double y) {
  // Minka's start; Newton's steps from there converge in a few.
  double x = y >= -2.22 ? std::exp(y) + 0.5 : -1.0 / (y - boost::math::digamma(1.0));
  for (int i = 0; i < 8; ++i) {
    const double step = (boost::math::digamma(x) - y) / boost::math::trigamma(x);
    x = std::max(x - step, 0.1 * x);
    if (std::abs(step) <= 1e-15 * x) break;
  }
  return x;
}

double normal_quantile_of(double mean, double sd, double level) {
  return mean - sd * std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * level, Policy());
}

double gamma_quantile_of(double shape, double rate, double level) {
  return boost::math::gamma_p_inv(shape, level, Policy()) / rate;
}

double log_upper_gamma(double shape, double y) {
  if (y <= 0.0) return 0.0;
  return log_or(boost::math::gamma_q(shape, y, Policy()), (shape - 1.0) * std::log(y) - y - log_gamma(shape));
}

double log_lower_gamma(double shape, double y) {
  const double first = shape * std::log(y) - y - log_gamma(shape + 1.0);
  return log_or(boost::math::gamma_p(shape, y, Policy()), first);
}

MeanVariance from_powers(double first, double second) { return {first, std::max(0.0, second - first * first)}; }

double total_location(std::span<const Marginal> members) {
  double total = 0.0;
  for (const Marginal& member : members) total += member.location;
  return total;
}

std::vector<MeanVariance> shares_of_sum(std::span<const Marginal> members, double y, double total, double spread) {
  std::vector<MeanVariance> result;
  for (const Marginal& member : members) {
    const double share = total > 0.0 ? member.location / total : 0.0;
    result.push_back({y * share, spread * share * (1.0 - share)});
  }
  return result;
}

bool suits_positive(const ValueShape& values, bool is_named) {
  return !values.has_negative && (is_named || !values.has_zero);
}

double random_amount(double, Rng& rng) { return rng.uniform(0.3, 3.0); }

double random_centre(double separation, Rng& rng) { return rng.uniform(-separation, separation); }

double minus_log_factorials(std::span<const double> x, std::size_t dimensions, Rows rows) {
  std::vector<double> small(256);
  for (std::size_t i = 0; i < small.size(); ++i) small[i] = lgamma_alone(static_cast<double>(i) + 1.0);
  double sum = 0.0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (const double v : x.subspan(rows[n] * dimensions, dimensions)) {
      sum += v < static_cast<double>(small.size()) ? small[static_cast<std::size_t>(v)] : lgamma_alone(v + 1.0);
    }
  }
  return -sum;
}

double as_count(double y) {
  constexpr double rounding = 1e-9;
  const double whole = std::round(y);
  return whole >= 0.0 && std::abs(y - whole) <= rounding * (1.0 + whole) ? whole : -1.0;
}

void require_some(const PooledFeature& feature) {
  if (feature.mean > 0.0) return;
  fail(ErrorKind::unanswerable,
       fmt::format("feature {} is always 0, for which no rate is largest", feature.feature + 1));
}

double log_or_nothing(double value) { return value > 0.0 ? std::log(value) : log_of_nothing; }

}  // namespace motet
