// Covariances that never fail: silence, equal rows, fewer rows than dimensions.
//
// The floor is a diagonal of `share` of the variance of each column over all rows; a
// column that does not vary at all gets the mean floor of the others, or 1. It enters
// as a prior worth one row, so that the expected objective still rises:
//   Sigma = (sum w d d^T - W delta delta^T + Floor) / W,  with Floor on the diagonal,
// which maximises the expected log-likelihood plus -1/2 sum_k tr(Floor Sigma_k^-1).
// A component of a new class is seeded from few rows and shrunk towards a small copy
// of the global covariance (erratum E11): Sigma = (1 - rho) S + rho sigma^2 Sigma_all,
// rho = D / (D + n).
#pragma once

#include <span>
#include <vector>

#include "motet/data/features.h"
#include "motet/temporal/mixture/densities.h"
#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

constexpr double largest_value = 1e150;  // of a feature: its square must be a number

struct GlobalShape {
  std::vector<double> mean;
  std::vector<double> covariance;  // D x D of all rows, floored: positive definite
  std::vector<double> floor;       // D
};
// Throws Error{bad_data} for a value larger than largest_value. Columns that vary by less than 1e-150 count as
// constant.
GlobalShape global_shape(const Features& features, double share, Threads threads);

// mean + first / weight, and the covariance of the moments of one component; always positive definite. A component
// without weight stays as it is. The share is left alone.
void maximise_component(const Moments& moments, const GlobalShape& global, MixtureCovariance kind,
                        Component& component);

// All components; tied: one covariance for all, from the sum of the moments.
void maximise_components(std::span<const Moments> moments, const GlobalShape& global, MixtureCovariance kind,
                         std::span<Component> components);

// -1/2 tr(Floor Sigma_k^-1) summed over the components, once when they are tied.
double log_floor_prior(const DensityFactors& factors, const GlobalShape& global, MixtureCovariance kind);

// A component from a few rows: their mean, and their covariance shrunk as above with sigma = 0.25.
Component seeded_component(const Features& features, std::span<const std::size_t> rows, const GlobalShape& global,
                           MixtureCovariance kind);

// Shrinks correlations until a symmetric matrix is safely positive definite; variances that are not positive become
// those of `least`.
void make_positive_definite(std::span<const double> least, std::vector<double>& covariance);

}  // namespace motet::temporal
