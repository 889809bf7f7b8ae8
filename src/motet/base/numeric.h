// Small numeric helpers shared by all models.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace motet {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double log_root_two_pi = 0.91893853320467274178;

// log(sum(exp(x))) without overflow; -inf for an empty or all -inf input.
double log_sum_exp(std::span<const double> x);

double times_log(double n, double p);  // n log p, and 0 where n is not above 0

double normal_quantile(double probability);  // of the standard normal, 0 < probability < 1
double chi_squared_quantile(double probability, double degrees);
double beta_quantile(double a, double b, double probability);

struct MeanSd {
  double mean = 0.0;
  double sd = 0.0;     // of one value, n - 1 in the denominator
  double error = 0.0;  // standard error of the mean
};
MeanSd mean_sd(std::span<const double> values);

}  // namespace motet
