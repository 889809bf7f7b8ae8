// Small numeric helpers shared by all models.
#pragma once

#include <cstddef>
#include <span>

namespace motet {

// log(sum(exp(x))) without overflow; -inf for an empty or all -inf input.
double log_sum_exp(std::span<const double> x);

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
