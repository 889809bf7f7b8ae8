#include "motet/multilabel/theory/precision_spread.h"

#include <algorithm>
#include <cmath>

#include "motet/data/eigen.h"
#include "motet/multilabel/theory/responses.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t matrix_limit = 800;  // unknowns of all matrices, up to which they are looked at together

// Variances of the entries (d, d) of every component's matrix: components x D. The information of
// entries (a, c) and (e, f) of components u and v is sum_j n_j w_ju w_jv tr(P E_ac P E_ef) / 2, P = S_j^-1.
std::vector<double> matrix_variances(const Sources& sources, const BitMatrix& sets, const SetRows& rows,
                                     const VarianceComponents& parts, std::span<const double> count) {
  const std::size_t D = sources.dimensions;
  const std::size_t C = parts.components;
  const std::size_t size = D * (D + 1) / 2;
  std::vector<std::pair<std::size_t, std::size_t>> entry;
  for (std::size_t a = 0; a < D; ++a) {
    for (std::size_t c = a; c < D; ++c) entry.emplace_back(a, c);
  }
  RowMatrix information = RowMatrix::Zero(at(C * size), at(C * size));
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (!(count[j] > 0.0 && rows.degree[j] > 0.0)) continue;
    const SetMoments moments = set_moments(sources, sets.row(j));
    const RowMatrix P = RowMatrixView(moments.covariance.data(), at(D), at(D))
                            .llt()
                            .solve(RowMatrix(RowMatrix::Identity(at(D), at(D))));
    RowMatrix block(at(size), at(size));
    for (std::size_t s = 0; s < size; ++s) {
      const auto [a, c] = entry[s];
      for (std::size_t t = 0; t < size; ++t) {
        const auto [e, f] = entry[t];
        // tr(P E_ac P E_ef) with E_ac = e_a e_c' + e_c e_a' (once on the diagonal)
        const double once = P(at(c), at(e)) * P(at(f), at(a));
        const double other = P(at(c), at(f)) * P(at(e), at(a));
        const double sum = a == c && e == f ? once : (a == c || e == f ? 2.0 * once : 2.0 * (once + other));
        block(at(s), at(t)) = 0.5 * count[j] * sum;
      }
    }
    for (std::size_t u = 0; u < C; ++u) {
      for (std::size_t v = 0; v < C; ++v) {
        const double weight = parts.weight[j * C + u] * parts.weight[j * C + v];
        if (weight != 0.0) information.block(at(u * size), at(v * size), at(size), at(size)) += weight * block;
      }
    }
  }
  const Inverse inverse = inverse_information({information.data(), C * size * C * size}, C * size);
  std::vector<double> variance(C * D);
  for (std::size_t s = 0; s < size; ++s) {
    if (entry[s].first != entry[s].second) continue;
    for (std::size_t u = 0; u < C; ++u) {
      const std::size_t i = u * size + s;
      variance[u * D + entry[s].first] = inverse.variance(i);
    }
  }
  return variance;
}

// One variance per source, noise with one per dimension: unknowns sources + D (or sources).
std::vector<double> spherical_variances(const Sources& sources, const SetRows& rows, const VarianceComponents& parts,
                                        std::span<const double> count) {
  const std::size_t K = sources.count;
  const std::size_t D = sources.dimensions;
  const std::size_t size = K + (sources.noise.empty() ? 0 : D);
  std::vector<double> information(size * size, 0.0);
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (!(count[j] > 0.0 && rows.degree[j] > 0.0)) continue;
    for (std::size_t d = 0; d < D; ++d) {
      const double s = parts.of_set(j, d, D);
      const double weight = 0.5 * count[j] / (s * s);
      for (std::size_t k = 0; k < K; ++k) {
        for (std::size_t l = 0; l < K; ++l) {
          information[k * size + l] += weight * rows.spread(j, k) * rows.spread(j, l);
        }
        if (size == K) continue;
        information[k * size + K + d] += weight * rows.spread(j, k);
        information[(K + d) * size + k] += weight * rows.spread(j, k);
      }
      if (size > K) information[(K + d) * size + K + d] += weight;
    }
  }
  const Inverse inverse = inverse_information(information, size);
  std::vector<double> variance(K);
  for (std::size_t k = 0; k < K; ++k) variance[k] = inverse.variance(k);
  return variance;
}

// The trainings that do not take items apart: the variance of all that teaches a source. With own diagonals
// per dimension, spherical over all of them: Q = mean over dimensions of (x - m)^2.
void add_simple_trainings(Precision& result, const Sources& sources, const SetRows& rows,
                          const VarianceComponents& parts, std::span<const double> count) {
  const std::size_t K = sources.count;
  const std::size_t D = sources.dimensions;
  const bool spherical = sources.covariance == Covariance::spherical;
  for (std::size_t k = 0; k < K; ++k) {
    for (const Training method : simple_trainings) {
      const std::vector<double> weight = lessons(rows, k, method, sources.background);
      std::vector<double> square(rows.sets, 0.0);  // E of (x - m)^2, or of Q
      std::vector<double> spread(rows.sets, 0.0);  // its variance
      for (std::size_t d = 0; d < D; ++d) {
        std::vector<double> mean(rows.sets, 0.0);
        std::vector<double> variance(rows.sets);
        for (std::size_t j = 0; j < rows.sets; ++j) {
          for (std::size_t l = 0; l < K; ++l) mean[j] += rows.location(j, l) * sources.location[l * D + d];
          variance[j] = parts.of_set(j, d, D);
        }
        const double centre = shared_mean(weight, count, mean, variance).limit;
        const double share = spherical ? 1.0 / static_cast<double>(D) : 1.0;
        for (std::size_t j = 0; j < rows.sets; ++j) {
          const double away = mean[j] - centre;
          if (!spherical) square[j] = spread[j] = 0.0;
          square[j] += share * (variance[j] + away * away);
          spread[j] += share * share * (2.0 * variance[j] * variance[j] + 4.0 * variance[j] * away * away);
        }
        if (spherical && d + 1 < D) continue;
        const std::size_t column = spherical ? 0 : d;
        const SharedMean taught = shared_mean(weight, count, square, spread);
        const std::size_t place = result.place(method, k, column);
        result.error[place] = std::sqrt(taught.variance);
        result.bias[place] = taught.limit - parts.value[k * D + d];
      }
    }
  }
}

}  // namespace

VarianceComponents variance_components(const Sources& sources, const SetRows& rows) {
  const std::size_t D = sources.dimensions;
  const bool noisy = !sources.noise.empty();
  const bool shared = sources.covariance == Covariance::shared;
  const bool is_point = sources.covariance == Covariance::point;
  const std::size_t own = is_point ? 0 : (shared ? 1 : sources.count);
  VarianceComponents parts;
  parts.components = own + (noisy ? 1 : 0);
  parts.weight.assign(rows.sets * parts.components, 0.0);
  for (std::size_t j = 0; j < rows.sets; ++j) {
    for (std::size_t k = 0; k < rows.sources && !is_point; ++k) {
      parts.weight[j * parts.components + (shared ? 0 : k)] += rows.spread(j, k);
    }
    if (noisy) parts.weight[j * parts.components + own] = 1.0;
  }
  for (std::size_t c = 0; c < own; ++c) {
    const std::vector<double> covariance = covariance_of(sources, c);
    for (std::size_t d = 0; d < D; ++d) parts.value.push_back(covariance[d * D + d]);
  }
  for (std::size_t d = 0; d < D && noisy; ++d) parts.value.push_back(sources.noise[d * D + d]);
  return parts;
}

Inverse component_covariance(const VarianceComponents& parts, std::span<const double> count, std::size_t dimension,
                             std::size_t dimensions) {
  const std::size_t C = parts.components;
  std::vector<double> information(C * C, 0.0);
  for (std::size_t j = 0; j < count.size(); ++j) {
    const double s = parts.of_set(j, dimension, dimensions);
    if (!(count[j] > 0.0 && s > 0.0)) continue;
    for (std::size_t u = 0; u < C; ++u) {
      const double step = 0.5 * count[j] / (s * s) * parts.weight[j * C + u];
      if (step == 0.0) continue;
      for (std::size_t v = 0; v < C; ++v) information[u * C + v] += step * parts.weight[j * C + v];
    }
  }
  return inverse_information(information, C);
}

double degrees_of(std::span<const double> weight, double variance, const Inverse& covariance) {
  double spread = 0.0;
  for (std::size_t u = 0; u < weight.size(); ++u) {
    for (std::size_t v = 0; v < weight.size(); ++v) {
      spread += weight[u] * weight[v] * covariance.matrix[u * weight.size() + v];
    }
  }
  return spread > 0.0 ? 2.0 * variance * variance / spread : std::numeric_limits<double>::infinity();
}

Precision spread_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count) {
  const std::size_t D = sources.dimensions;
  if (family_of(sources.family).has_shared()) {
    Precision result(1, D);
    for (std::size_t d = 0; d < D; ++d) {
      const Responses r = responses(sources, sets, count, d);
      result.error[d] = std::sqrt(inverse_information(r.information, r.unknowns).variance(sources.count));
    }
    return result;
  }
  if (!is_gaussian(sources.family) || sources.covariance == Covariance::point) return {};
  const SetRows rows = set_rows(sources, sets);
  const VarianceComponents parts = variance_components(sources, rows);
  if (sources.covariance == Covariance::spherical) {
    Precision result(sources.count, 1);
    const std::vector<double> variance = spherical_variances(sources, rows, parts, count);
    for (std::size_t k = 0; k < sources.count; ++k) result.error[k] = std::sqrt(variance[k]);
    add_simple_trainings(result, sources, rows, parts, count);
    return result;
  }
  const bool shared = sources.covariance == Covariance::shared;
  Precision result(shared ? 1 : sources.count, D);
  const bool together =
      sources.covariance != Covariance::diagonal && parts.components * D * (D + 1) / 2 <= matrix_limit;
  if (together) {
    const std::vector<double> variance = matrix_variances(sources, sets, rows, parts, count);
    for (std::size_t i = 0; i < result.rows * D; ++i) result.error[i] = std::sqrt(variance[i]);
  } else {
    for (std::size_t d = 0; d < D; ++d) {
      const Inverse covariance = component_covariance(parts, count, d, D);
      for (std::size_t c = 0; c < result.rows; ++c) {
        result.error[c * D + d] = std::sqrt(covariance.variance(c));
      }
    }
  }
  if (!shared) add_simple_trainings(result, sources, rows, parts, count);
  return result;
}

}  // namespace motet::multilabel
