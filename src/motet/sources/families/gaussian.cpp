// Gaussian sources: sums N(sum mu_k, sum S_k), means N(sum mu_k / m, sum S_k / m^2).
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"

namespace motet {
namespace {

double gaussian_log_density(double mean, double sd, double x) {
  const double z = (x - mean) / sd;
  return -0.5 * z * z - std::log(sd) - log_root_two_pi;
}

double gaussian_log_survival(double mean, double sd, double x) { return normal_log_survival((x - mean) / sd); }

MeanVariance gaussian_moments_above(double mean, double sd, double x, double log_tail) {
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
  return {
      .word = "gaussian",
      .values = {"a finite number", "finite numbers", all_are<[](double value) { return std::isfinite(value); }>},
      .location = {.word = "mean", .scale = ParameterScale::plain},
      .combinations = {sum, mean, one_of, minimum, product},
      .closed = 3,
      .has_scatter = true,
      .density = {.log_density = gaussian_log_density,
                  .log_survival = gaussian_log_survival,
                  .quantile = normal_quantile_of,
                  .moments = [](double mean, double sd) -> MeanVariance {
                    return {mean, sd * sd};
                  },
                  .moments_above = gaussian_moments_above,
                  .in_logarithm = gaussian_in_logarithm},
      .plan = {.make_features = copy_rows},
      .random_location = random_centre,
  };
}

}  // namespace motet
