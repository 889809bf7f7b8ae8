// Student's t in place of a Gaussian: components that a few far rows do not move.
//
//   log t(x; mu, Sigma, nu) = log G((nu + D) / 2) - log G(nu / 2) - D/2 log(nu pi) - 1/2 log |Sigma|
//                             - (nu + D) / 2 log(1 + delta / nu),   delta = (x - mu)^T Sigma^-1 (x - mu)
//
// is a Gaussian whose covariance is Sigma / u with an unknown scale u ~ Gamma(nu / 2, nu / 2) for each row, and
//   E[u | x] = (nu + D) / (nu + delta)
// is how much the row counts. Given responsibilities gamma, two steps raise sum gamma log t one after the other, so
// that EM still rises: nu_k to the root of its derivative, then mu_k and Sigma_k with weights gamma u,
//   mu = sum gamma u x / sum gamma u,   Sigma = (sum gamma u (x - mu)(x - mu)^T + Floor) / sum gamma.
// Peel and McLachlan 2000; nu is maximised over t itself and not over the scales, which needs fewer iterations.
#pragma once

#include <span>
#include <vector>

#include "motet/base/logarithm.h"
#include "motet/temporal/mixture/densities.h"
#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

// log t at the mean for |Sigma| = 1.
double student_log_norm(double degrees, std::size_t dimensions);

// What the squared distance delta adds to it.
inline double student_log_kernel(double squared, double degrees, std::size_t dimensions) {
  return -0.5 * (degrees + static_cast<double>(dimensions)) * log_of_positive(1.0 + squared / degrees);
}

// The degrees in [least_degrees, most_degrees] that maximise sum_n w_n log t, from `present` uphill; never worse than
// it. One weight and one squared distance per row.
double best_degrees(std::span<const double> weights, std::span<const double> squared, std::size_t dimensions,
                    double present, Threads threads);

// Moments with weights gamma u, and the responsibilities' mass as their rows. Sets the degrees of the components
// before, unless they are given. weights: components x rows, responsibilities times label weights.
std::vector<Moments> student_moments(const DensityFactors& factors, const Features& features,
                                     std::span<const double> weights, Threads threads, Mixture& mixture);

}  // namespace motet::temporal
