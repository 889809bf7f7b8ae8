// Small models and plain computations that tests of sources compare with.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/bit_matrix.h"
#include "motet/sources/sources.h"

namespace motet {

inline BitMatrix all_sets(std::size_t labels, bool with_empty) {
  const std::size_t first = with_empty ? 0 : 1;
  BitMatrix sets((std::size_t{1} << labels) - first, labels);
  for (std::size_t s = 0; s < sets.rows(); ++s) {
    for (std::size_t k = 0; k < labels; ++k) sets.set(s, k, ((s + first) >> k & 1U) != 0);
  }
  return sets;
}

inline BitMatrix one_set(std::size_t labels, const std::vector<std::size_t>& ones) {
  BitMatrix set(1, labels);
  for (const std::size_t k : ones) set.set(0, k);
  return set;
}

// A positive definite matrix with eigenvalues from about `least` on.
inline std::vector<double> positive_matrix(std::size_t dimensions, double least, Rng& rng) {
  std::vector<double> root(dimensions * dimensions);
  for (double& value : root) value = 0.5 * rng.normal();
  std::vector<double> matrix(dimensions * dimensions, 0.0);
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) {
      for (std::size_t l = 0; l < dimensions; ++l)
        matrix[i * dimensions + j] += root[i * dimensions + l] * root[j * dimensions + l];
    }
    matrix[i * dimensions + i] += least;
  }
  return matrix;
}

inline Sources random_sources(Family family, Combination combination, Covariance covariance, std::size_t labels,
                              std::size_t dimensions, bool background, bool noise, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Sources sources{family, combination, covariance, dimensions, labels + (background ? 1 : 0), background};
  for (std::size_t i = 0; i < sources.count * dimensions; ++i) {
    sources.location.push_back(is_gaussian(family)           ? rng.normal()
                               : family == Family::bernoulli ? rng.uniform(0.1, 0.8)
                                                             : rng.uniform(0.5, 3.0));
  }
  if (family == Family::gamma) {
    for (std::size_t d = 0; d < dimensions; ++d) sources.spread.push_back(rng.uniform(0.5, 2.0));
  } else if (is_gaussian(family)) {
    if (covariance == Covariance::spherical || covariance == Covariance::diagonal) {
      const std::size_t size = covariance == Covariance::spherical ? sources.count : sources.count * dimensions;
      for (std::size_t i = 0; i < size; ++i) sources.spread.push_back(rng.uniform(0.2, 1.0));
    } else if (covariance != Covariance::point) {
      for (std::size_t k = 0; k < (covariance == Covariance::full ? sources.count : 1); ++k) {
        const std::vector<double> matrix = positive_matrix(dimensions, 0.2, rng);
        sources.spread.insert(sources.spread.end(), matrix.begin(), matrix.end());
      }
    }
  }
  if (noise && is_gaussian(family)) sources.noise = positive_matrix(dimensions, 0.3, rng);
  if (noise && family == Family::bernoulli) {
    for (std::size_t d = 0; d < dimensions; ++d) sources.noise.push_back(rng.uniform(0.01, 0.2));
  }
  return sources;
}

// By elimination, with nothing clever.
inline double plain_gaussian(std::vector<double> x, const std::vector<double>& mean, std::vector<double> s) {
  const std::size_t d = x.size();
  double log_determinant = 0.0;
  double distance = 0.0;
  for (std::size_t i = 0; i < d; ++i) x[i] -= mean[i];
  for (std::size_t i = 0; i < d; ++i) {  // x' S^-1 x = sum of x_i^2 / pivot_i of the elimination
    log_determinant += std::log(s[i * d + i]);
    distance += x[i] * x[i] / s[i * d + i];
    for (std::size_t j = i + 1; j < d; ++j) {
      const double factor = s[j * d + i] / s[i * d + i];
      x[j] -= factor * x[i];
      for (std::size_t l = i + 1; l < d; ++l) s[j * d + l] -= factor * s[i * d + l];
    }
  }
  return -0.5 * (static_cast<double>(d) * std::log(2.0 * std::numbers::pi) + log_determinant + distance);
}

}  // namespace motet
