// Variances of Gaussian sources, rates of gamma sources.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/multilabel/theory/precision.h"
#include "motet/multilabel/theory/precision_parts.h"

namespace motet::multilabel {

// Variances of Gaussian items: set j has in dimension d the variance sum_c weight[j,c] value[c,d]. Components are the
// sources or the one shared matrix, then the noise.
struct VarianceComponents {
  std::size_t components = 0;
  std::vector<double> weight;  // sets x components
  std::vector<double> value;   // components x D

  double of_set(std::size_t j, std::size_t d, std::size_t dimensions) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < components; ++c) sum += weight[j * components + c] * value[c * dimensions + d];
    return sum;
  }
};
VarianceComponents variance_components(const Sources& sources, const SetRows& rows);

// Covariance of the components' estimates in one dimension, from that dimension alone: components x components.
Inverse component_covariance(const VarianceComponents& parts, std::span<const double> count, std::size_t dimension,
                             std::size_t dimensions);

// 2 S^2 / var(S): how many items an estimated variance S = sum weight_c value_c is worth.
double degrees_of(std::span<const double> weight, double variance, const Inverse& covariance);

// Variances (the diagonals of covariances): sources x 1 (spherical), sources x D (diagonal, full), 1 x D
// (shared); rates of gamma: 1 x D; empty for other families and for point. Full covariances with many
// unknowns: from each dimension alone, an upper bound of the error.
Precision spread_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count);

}  // namespace motet::multilabel
