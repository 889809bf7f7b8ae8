// Random models of every kind, and densities computed in the plainest way.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "motet/base/rng.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

struct ModelKind {
  Family family = Family::gaussian;
  Combination combination = Combination::sum;
  Covariance covariance = Covariance::shared;
  bool background = false;
  bool noise = false;
};

// Random positive definite matrix, diagonal from about `scale` on.
inline std::vector<double> random_covariance(std::size_t size, double scale, Rng& rng) {
  std::vector<double> root(size * size);
  for (double& value : root) value = 0.5 * rng.normal();
  std::vector<double> result(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t r = 0; r < size; ++r) {
        result[i * size + j] += scale * root[i * size + r] * root[j * size + r] / static_cast<double>(size);
      }
    }
    result[i * size + i] += scale;
  }
  return result;
}

inline Sources random_sources(const ModelKind& kind, std::size_t labels, std::size_t dimensions, double scale,
                              Rng& rng) {
  Sources sources{kind.family,    kind.combination, kind.covariance, dimensions, labels + (kind.background ? 1 : 0),
                  kind.background};
  const bool gaussian = kind.family == Family::gaussian || kind.family == Family::lognormal;
  for (std::size_t i = 0; i < sources.count * dimensions; ++i) {
    const double u = rng.uniform();
    if (gaussian) sources.location.push_back(4.0 * u - 2.0);
    if (kind.family == Family::bernoulli) sources.location.push_back(0.02 + 0.9 * u * u);
    if (kind.family == Family::poisson || kind.family == Family::exponential || kind.family == Family::gamma) {
      sources.location.push_back(0.1 + 4.0 * u);
    }
  }
  if (kind.family == Family::gamma) {
    for (std::size_t d = 0; d < dimensions; ++d) sources.spread.push_back(0.5 + rng.uniform());
  }
  if (kind.family == Family::bernoulli && kind.noise) sources.noise.assign(dimensions, 0.03);
  if (!gaussian) return sources;
  const std::size_t cells = dimensions * dimensions;
  if (kind.covariance == Covariance::shared) sources.spread = random_covariance(dimensions, scale, rng);
  if (kind.covariance == Covariance::full) {
    for (std::size_t k = 0; k < sources.count; ++k) {
      const std::vector<double> one = random_covariance(dimensions, scale * (0.3 + rng.uniform()), rng);
      sources.spread.insert(sources.spread.end(), one.begin(), one.end());
    }
  }
  if (kind.covariance == Covariance::spherical || kind.covariance == Covariance::diagonal) {
    const std::size_t each = kind.covariance == Covariance::spherical ? 1 : dimensions;
    for (std::size_t i = 0; i < sources.count * each; ++i) sources.spread.push_back(scale * (0.1 + rng.uniform()));
  }
  if (!kind.noise) return sources;
  if (kind.covariance == Covariance::diagonal || kind.covariance == Covariance::spherical) {
    sources.noise.assign(cells, 0.0);
    for (std::size_t d = 0; d < dimensions; ++d) sources.noise[d * dimensions + d] = 0.2 + rng.uniform();
  } else {
    sources.noise = random_covariance(dimensions, scale, rng);
  }
  return sources;
}

// A model whose label sets were drawn at random: degrees up to `degree`, labels of unequal odds.
inline MultilabelModel random_model(const ModelKind& kind, std::size_t labels, std::size_t dimensions,
                                    std::size_t degree, double scale, Rng& rng) {
  MultilabelModel model;
  for (std::size_t k = 0; k < labels; ++k) model.labels.push_back("label" + std::to_string(k));
  for (std::size_t d = 0; d < dimensions; ++d) model.preparation.columns.push_back("x" + std::to_string(d));
  model.sources = random_sources(kind, labels, dimensions, scale, rng);
  model.options.source = kind.family;
  model.options.combine = kind.combination;
  model.options.covariance = kind.covariance;
  model.options.background = kind.background;
  model.options.noise = kind.noise;
  BitMatrix sets(60, labels);
  for (std::size_t n = 0; n < sets.rows(); ++n) {
    const std::size_t size = 1 + rng.below(std::min(degree, labels));
    for (std::size_t i = 0; i < size; ++i) {
      const double u = rng.uniform();
      sets.set(n, static_cast<std::size_t>(u * u * static_cast<double>(labels)));
    }
  }
  model.prior = learn_set_prior(index_label_sets(sets));
  return model;
}

// log N(x; mean, covariance) by elimination.
inline double plain_log_normal(std::vector<double> residual, std::vector<double> covariance) {
  const std::size_t size = residual.size();
  double result = -0.5 * static_cast<double>(size) * std::log(2.0 * std::numbers::pi);
  for (std::size_t i = 0; i < size; ++i) {  // conditional on the earlier ones, one after the other
    const double variance = covariance[i * size + i];
    result -= 0.5 * (std::log(variance) + residual[i] * residual[i] / variance);
    for (std::size_t j = i + 1; j < size; ++j) {
      const double slope = covariance[j * size + i] / variance;
      residual[j] -= slope * residual[i];
      for (std::size_t l = i + 1; l < size; ++l) covariance[j * size + l] -= slope * covariance[i * size + l];
    }
  }
  return result;
}

inline double plain_source_covariance(const Sources& s, std::size_t k, std::size_t i, std::size_t j) {
  const std::size_t size = s.dimensions;
  switch (s.covariance) {
    case Covariance::spherical: return i == j ? s.spread[k] : 0.0;
    case Covariance::diagonal: return i == j ? s.spread[k * size + i] : 0.0;
    case Covariance::full: return s.spread[(k * size + i) * size + j];
    case Covariance::shared: return s.spread[i * size + j];
    case Covariance::point: return 0.0;
  }
  return 0.0;
}

inline double plain_gaussian_density(const Sources& s, const std::vector<std::size_t>& in, std::vector<double> x) {
  const std::size_t size = s.dimensions;
  double jacobian = 0.0;
  if (s.family == Family::lognormal) {
    for (double& value : x) {
      value = std::log(value);
      jacobian -= value;
    }
  }
  const double share = s.combination == Combination::mean ? 1.0 / static_cast<double>(in.size()) : 1.0;
  std::vector<double> covariance(size * size);
  for (const std::size_t k : in) {
    for (std::size_t d = 0; d < size; ++d) x[d] -= share * s.location[k * size + d];
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        covariance[i * size + j] += share * share * plain_source_covariance(s, k, i, j);
      }
    }
  }
  for (std::size_t i = 0; i < s.noise.size(); ++i) covariance[i] += s.noise[i];
  return plain_log_normal(std::move(x), std::move(covariance)) + jacobian;
}

inline double plain_log_density(const Sources& s, std::span<const std::uint64_t> set, std::span<const double> x) {
  std::vector<std::size_t> in;
  for_each_bit(set, [&](std::size_t k) { in.push_back(k); });
  if (s.background) in.push_back(s.count - 1);
  if (in.empty()) return -std::numeric_limits<double>::infinity();
  if (s.family == Family::gaussian || s.family == Family::lognormal) {
    return plain_gaussian_density(s, in, {x.begin(), x.end()});
  }
  double result = 0.0;
  for (std::size_t d = 0; d < s.dimensions; ++d) {
    double sum = 0.0;
    double off = 1.0;
    double on = 1.0;
    for (const std::size_t k : in) {
      const double value = s.location[k * s.dimensions + d];
      sum += value;
      off *= 1.0 - value;
      on *= value;
    }
    if (s.family == Family::poisson) result += x[d] * std::log(sum) - sum - std::lgamma(x[d] + 1.0);
    if (s.family == Family::exponential) result += std::log(sum) - sum * x[d];
    if (s.family == Family::gamma) {
      result += sum * std::log(s.spread[d]) + (sum - 1.0) * std::log(x[d]) - s.spread[d] * x[d] - std::lgamma(sum);
    }
    if (s.family == Family::bernoulli) {
      double one = s.combination == Combination::logical_and ? on : 1.0 - off;
      if (!s.noise.empty()) one = one * (1.0 - s.noise[d]) + (1.0 - one) * s.noise[d];
      result += std::log(x[d] > 0.5 ? one : 1.0 - one);
    }
  }
  return result;
}

}  // namespace motet::multilabel
