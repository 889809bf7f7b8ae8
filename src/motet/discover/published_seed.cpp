#include "motet/discover/published_seed.h"

#include <cmath>
#include <vector>

namespace motet::discover {
namespace {

constexpr double scale = 0.25;         // sigma of (6.4)
constexpr double least_pivot = 1e-10;  // of a correlation matrix: below it rounding decides

// By Cholesky's factorisation of the correlations.
bool is_singular(const std::vector<double>& covariance, std::size_t dimensions) {
  std::vector<double> factor(dimensions * dimensions, 0.0);
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (!(covariance[i * dimensions + i] > 0.0)) return true;
  }
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum =
          covariance[i * dimensions + j] / std::sqrt(covariance[i * dimensions + i] * covariance[j * dimensions + j]);
      for (std::size_t l = 0; l < j; ++l) sum -= factor[i * dimensions + l] * factor[j * dimensions + l];
      if (i == j && !(sum > least_pivot)) return true;
      factor[i * dimensions + j] = i == j ? std::sqrt(sum) : sum / factor[j * dimensions + j];
    }
  }
  return false;
}

void clear_off_diagonal(std::vector<double>& covariance, std::size_t dimensions) {
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) {
      if (i != j) covariance[i * dimensions + j] = 0.0;
    }
  }
}

}  // namespace

temporal::Component published_seed(const Features& features, std::span<const std::size_t> rows,
                                   const temporal::GlobalShape& global, temporal::MixtureCovariance kind) {
  const std::size_t dimensions = features.dimensions();
  const std::span<const double> own = features.row(rows.front());
  const double count = static_cast<double>(rows.size());
  temporal::Component component;
  component.mean.assign(own.begin(), own.end());
  for (const std::size_t n : rows) {
    for (std::size_t d = 0; d < dimensions; ++d) component.mean[d] += (features.row(n)[d] - own[d]) / count;
  }
  component.covariance.assign(dimensions * dimensions, 0.0);
  for (const std::size_t n : rows) {
    for (std::size_t i = 0; i < dimensions; ++i) {
      for (std::size_t j = 0; j < dimensions; ++j) {
        component.covariance[i * dimensions + j] +=
            (features.row(n)[i] - component.mean[i]) * (features.row(n)[j] - component.mean[j]) / count;
      }
    }
  }
  const bool is_diagonal = kind == temporal::MixtureCovariance::diagonal;
  if (is_diagonal) clear_off_diagonal(component.covariance, dimensions);
  const bool has_too_few = !is_diagonal && rows.size() < dimensions + 1;
  if (has_too_few || is_singular(component.covariance, dimensions)) {
    component.mean.assign(own.begin(), own.end());
    component.covariance = global.covariance;
    for (double& entry : component.covariance) entry *= scale * scale;
    if (is_diagonal) clear_off_diagonal(component.covariance, dimensions);
  }
  return component;
}

}  // namespace motet::discover
