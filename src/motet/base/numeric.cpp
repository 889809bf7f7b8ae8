#include "motet/base/numeric.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

namespace motet {
namespace {

// Doubles are worked on as doubles: five times faster than in long double, and right to
// far more digits than anyone reads.
using Plain = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double log_sum_exp(std::span<const double> x) {
  if (x.empty()) return -std::numeric_limits<double>::infinity();
  const double peak = *std::max_element(x.begin(), x.end());
  if (std::isinf(peak)) return peak;
  double sum = 0.0;
  for (const double value : x) sum += std::exp(value - peak);
  return peak + std::log(sum);
}

double times_log(double n, double p) { return n > 0.0 ? n * std::log(p) : 0.0; }

double normal_quantile(double probability) {
  return boost::math::quantile(boost::math::normal_distribution<double, Plain>(), probability);
}

double chi_squared_quantile(double probability, double degrees) {
  return boost::math::quantile(boost::math::chi_squared_distribution<double, Plain>(degrees), probability);
}

double beta_quantile(double a, double b, double probability) {
  return boost::math::quantile(boost::math::beta_distribution<double, Plain>(a, b), probability);
}

MeanSd mean_sd(std::span<const double> values) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  MeanSd result;
  for (const double value : values) result.mean += value;
  result.mean /= count;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(squares / (count - 1.0));
  result.error = result.sd / std::sqrt(count);
  return result;
}

}  // namespace motet
