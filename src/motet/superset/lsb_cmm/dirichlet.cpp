#include "motet/superset/lsb_cmm/dirichlet.h"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numeric>

namespace motet::superset {
namespace {

double log_gamma(double x) { return boost::math::lgamma(x); }

}  // namespace

double digamma(double x) { return boost::math::digamma(x); }

void expected_logs(std::span<const double> a, std::span<double> logs) {
  const double of_total = digamma(std::accumulate(a.begin(), a.end(), 0.0));
  for (std::size_t l = 0; l < a.size(); ++l) logs[l] = digamma(a[l]) - of_total;
}

double divergence_of(std::span<const double> a, std::span<const double> logs, double alpha) {
  const auto classes = static_cast<double>(a.size());
  double divergence = log_gamma(std::accumulate(a.begin(), a.end(), 0.0)) - log_gamma(classes * alpha);
  for (std::size_t l = 0; l < a.size(); ++l) {
    if (a[l] == alpha) continue;
    divergence += log_gamma(alpha) - log_gamma(a[l]) + (a[l] - alpha) * logs[l];
  }
  return divergence;
}

ScaledTable scaled_table(std::span<const double> concentration, std::size_t classes, double alpha, std::size_t width) {
  ScaledTable result;
  result.classes = classes;
  result.components = concentration.size() / classes;
  result.width = width;
  result.table.assign(classes * width, 0.0);
  result.total.assign(width, 0.0);
  result.scale.assign(width, 0.0);
  result.logs.resize(concentration.size());
  for (std::size_t k = 0; k < result.components; ++k) {
    const std::span<double> logs(result.logs.data() + k * classes, classes);
    const std::span<const double> a = concentration.subspan(k * classes, classes);
    expected_logs(a, logs);
    result.divergence += divergence_of(a, logs, alpha);
    result.largest.push_back(*std::max_element(logs.begin(), logs.end()));
    for (std::size_t l = 0; l < classes; ++l) {
      const double t = std::exp(logs[l] - result.largest[k]);
      result.table[l * width + k] = t;
      result.total[k] += t;
    }
  }
  result.offset = *std::max_element(result.largest.begin(), result.largest.end());
  for (std::size_t k = 0; k < result.components; ++k) result.scale[k] = std::exp(result.largest[k] - result.offset);
  return result;
}

}  // namespace motet::superset
