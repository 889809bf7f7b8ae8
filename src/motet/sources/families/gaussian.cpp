// Gaussian sources: sums N(sum mu_k, sum S_k), means N(sum mu_k / m, sum S_k / m^2).
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "motet/sources/density/marginal.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"

namespace motet {
namespace {

bool are_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

double gaussian_log_density(double mean, double sd, double x) {
  const double z = (x - mean) / sd;
  return -0.5 * z * z - std::log(sd) - log_root_two_pi;
}

Moments2 gaussian_moments_above(double mean, double sd, double x, double log_tail) {
  const double z = (x - mean) / sd;
  const double hazard = std::exp(-0.5 * z * z - log_root_two_pi - log_tail);
  return {mean + sd * hazard, sd * sd * std::max(0.0, 1.0 + z * hazard - hazard * hazard)};
}

// |xi| at which e^u f(sign e^u) is highest: t^2 - mean t = s^2.
double gaussian_peak(double mean, double sd) {
  const double root = std::hypot(mean, 2.0 * sd);
  return mean > 0.0 ? 0.5 * (mean + root) : 2.0 * sd * sd / (root - mean);
}

LogForm gaussian_in_logarithm(double mean, double sd) {
  const double plus = gaussian_peak(mean, sd);
  const double minus = gaussian_peak(-mean, sd);
  LogForm form;
  form.shape = LogShape::square_of_exp;
  form.constant = -std::log(sd) - log_root_two_pi;
  form.mode = {std::log(plus), std::log(minus)};
  form.width = std::min(widest_square, sd / std::hypot(sd, std::max(plus, minus)));
  return form;
}

// Rows to lines, four rows at a time; places past the last row repeat it.
void copy_rows(const DensityPlan& plan, std::span<const double* const> rows, double* lines, double* row_terms) {
  for (std::size_t n = 0; n < density_rows; n += density_tile) {
    const double* from[density_tile];
    for (std::size_t i = 0; i < density_tile; ++i) from[i] = rows[std::min(n + i, rows.size() - 1)];
    for (std::size_t d = 0; d < plan.dimensions; ++d) {
      double* const to = lines + d * density_rows + n;
      for (std::size_t i = 0; i < density_tile; ++i) to[i] = from[i][d];
    }
  }
  std::fill_n(row_terms, density_rows, 0.0);
}

}  // namespace

SourceFamily gaussian_family() {
  using enum Combination;
  SourceFamily family;
  family.word = "gaussian";
  family.location_word = "mean";
  family.allowed_value = "a finite number";
  family.allowed_values = "finite numbers";
  family.are_allowed = are_finite;
  family.combinations = {sum, mean, one_of, minimum, product};
  family.closed = 3;
  family.has_scatter = true;
  family.location_scale = ParameterScale::plain;
  family.density.log_density = gaussian_log_density;
  family.density.log_survival = [](double mean, double sd, double x) { return normal_log_survival((x - mean) / sd); };
  family.density.quantile = normal_quantile_of;
  family.density.moments = [](double mean, double sd) { return Moments2{mean, sd * sd}; };
  family.density.moments_above = gaussian_moments_above;
  family.density.in_logarithm = gaussian_in_logarithm;
  family.plan.make_features = copy_rows;
  family.random_location = [](double separation, Rng& rng) { return rng.uniform(-separation, separation); };
  return family;
}

}  // namespace motet
