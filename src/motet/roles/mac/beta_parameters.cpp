#include "motet/roles/mac/beta_parameters.h"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "motet/base/log_gamma.h"

namespace motet::roles {
namespace {

constexpr std::size_t beta_steps = 30;
constexpr double most_beta_sum = 1e4;  // beyond it users do not differ
constexpr double least_beta_parameter = 1e-2;

}  // namespace

void beta_parameters(double mean_log, double mean_log_rest, double& a, double& b) {
  // Newton on log a and log b for digamma(a) - digamma(a + b) = mean_log and its mirror image,
  // the conditions of a maximum; steps are halved until the objective rises.
  using boost::math::digamma;
  using boost::math::trigamma;
  const auto objective = [&](double x, double y) {
    return (x - 1.0) * mean_log + (y - 1.0) * mean_log_rest + lgamma_alone(x + y) - lgamma_alone(x) - lgamma_alone(y);
  };
  double at = objective(a, b);
  for (std::size_t step = 0; step < beta_steps; ++step) {
    const double joint = trigamma(a + b);
    const double g0 = a * (mean_log - digamma(a) + digamma(a + b));
    const double g1 = b * (mean_log_rest - digamma(b) + digamma(a + b));
    const double h00 = a * a * (joint - trigamma(a)) + g0;
    const double h11 = b * b * (joint - trigamma(b)) + g1;
    const double h01 = a * b * joint;
    const double determinant = h00 * h11 - h01 * h01;
    double d0 = g0 / (a * a * trigamma(a));
    double d1 = g1 / (b * b * trigamma(b));
    if (h00 < 0.0 && determinant > 0.0) {
      d0 = -(h11 * g0 - h01 * g1) / determinant;
      d1 = -(h00 * g1 - h01 * g0) / determinant;
    }
    bool better = false;
    for (double t = 1.0; t > 1e-6; t *= 0.5) {
      double x = std::max(least_beta_parameter, a * std::exp(std::clamp(t * d0, -2.0, 2.0)));
      double y = std::max(least_beta_parameter, b * std::exp(std::clamp(t * d1, -2.0, 2.0)));
      if (x + y > most_beta_sum) {
        const double shrink = most_beta_sum / (x + y);
        x *= shrink;
        y *= shrink;
      }
      const double there = objective(x, y);
      if (!(there > at)) continue;
      better = there - at > 1e-12 * std::abs(at);
      a = x;
      b = y;
      at = there;
      break;
    }
    if (!better) return;
  }
}

}  // namespace motet::roles
