// Small problems of multi-assignment clustering for tests, and their objective done the long way.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/roles/mac/mac_em.h"

namespace motet::roles {

inline BitMatrix drawn_bits(std::size_t rows, std::size_t columns, double density, Rng& rng) {
  BitMatrix bits(rows, columns);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t d = 0; d < columns; ++d) bits.set(n, d, rng.uniform() < density);
  }
  return bits;
}

// Users of random roles: each has up to two, then mixture noise.
inline BitMatrix random_access(std::size_t users, const BitMatrix& roles, double noise, Rng& rng) {
  BitMatrix held(users, roles.columns());
  for (std::size_t n = 0; n < users; ++n) {
    const std::size_t a = rng.below(roles.rows() + 1);
    const std::size_t b = rng.below(roles.rows() + 1);
    for (std::size_t d = 0; d < roles.columns(); ++d) {
      const bool grants = (a < roles.rows() && roles(a, d)) || (b < roles.rows() && roles(b, d));
      held.set(n, d, rng.uniform() < noise ? rng.uniform() < 0.5 : grants);
    }
  }
  return held;
}

inline MergedMatrix each_alone(const BitMatrix& bits) { return merge_equal(bits, {false, false}); }

// Whole weights, as merging makes them.
inline MergedMatrix with_weights(const BitMatrix& bits, Rng& rng) {
  MergedMatrix data = each_alone(bits);
  for (double& w : data.row_weight) w = 1.0 + static_cast<double>(rng.below(3));
  for (double& w : data.column_weight) w = 1.0 + static_cast<double>(rng.below(3));
  return data;
}

// Two attributes with two and three words, some values missing.
inline Attributes random_attributes(std::size_t users, Rng& rng) {
  Attributes attributes;
  attributes.names = {"department", "site"};
  attributes.values = {NameList(std::vector<std::string>{"a", "b"}), NameList(std::vector<std::string>{"x", "y", "z"})};
  for (std::size_t n = 0; n < users; ++n) {
    const std::uint64_t first = rng.below(3);
    attributes.value.push_back(first == 2 ? Attributes::missing : static_cast<std::uint32_t>(first));
    attributes.value.push_back(static_cast<std::uint32_t>(rng.below(3)));
  }
  return attributes;
}

inline void fill_shares(std::span<double> shares, Rng& rng) {
  for (double& share : shares) share = rng.uniform(0.1, 1.0);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= total;
}

// Any point inside: beta in (0, 1) or {0, 1}, levels apart, shares of all sets.
inline std::vector<double> random_point(const MacShape& shape, std::size_t columns, Rng& rng) {
  std::vector<double> beta(shape.roles * columns);
  for (double& b : beta) b = shape.rounded ? static_cast<double>(rng.below(2)) : rng.uniform(0.05, 0.95);
  std::vector<double> point = mac_start(shape, beta, columns, 0.2, 0.7);
  const MacParts parts = mac_parts(shape, columns);
  if (shape.noise != RoleNoise::none && shape.scope != NoiseScope::user) {
    for (std::size_t i = 0; i < parts.levels; ++i) {
      double& p0 = point[parts.p0() + i];
      double& p1 = point[parts.p1() + i];
      p0 = rng.uniform(0.05, 0.4);
      p1 = shape.noise == RoleNoise::symmetric_flip ? 1.0 - p0 : rng.uniform(0.5, 0.95);
    }
  }
  const std::size_t sets = shape.sets.size();
  const std::span<double> prior = std::span(point).subspan(parts.prior());
  fill_shares(prior.first(sets), rng);
  if (prior.size() > sets) {
    const std::size_t mixed = 1 + shape.groups.attributes();
    fill_shares(prior.subspan(sets, mixed), rng);
    for (std::size_t at = sets + mixed; at < prior.size(); at += sets) fill_shares(prior.subspan(at, sets), rng);
  }
  return point;
}

// p(L | group), from the flat numbers of the prior as set_prior.h lays them out.
inline long double naive_share(const MacShape& shape, std::span<const double> prior, std::size_t group,
                               std::size_t set) {
  const std::size_t sets = shape.sets.size();
  const std::size_t attributes = shape.groups.attributes();
  if (attributes == 0) return prior[set];
  long double sum = static_cast<long double>(prior[sets]) * prior[set];
  std::size_t at = sets + 1 + attributes;
  for (std::size_t a = 0; a < attributes; ++a) {
    const std::size_t value = shape.groups.value[group * attributes + a];
    sum += static_cast<long double>(prior[sets + 1 + a]) * prior[at + value * sets + set];
    at += shape.groups.value_count[a] * sets;
  }
  return sum;
}

// log p(x_n | L) cell by cell, global or permission-wise noise.
inline long double naive_log_likelihood(const MergedMatrix& data, const MacShape& shape,
                                        std::span<const double> parameters, std::size_t row, std::size_t set) {
  const std::size_t columns = data.bits.columns();
  const MacParts parts = mac_parts(shape, columns);
  long double sum = 0.0L;
  for (std::size_t d = 0; d < columns; ++d) {
    long double absent = 1.0L;
    for (const std::uint32_t k : shape.sets[set]) absent *= parameters[k * columns + d];
    const long double p0 = parameters[parts.p0() + (parts.levels == 1 ? 0 : d)];
    const long double p1 = parameters[parts.p1() + (parts.levels == 1 ? 0 : d)];
    const long double q = p1 - (p1 - p0) * absent;
    sum += data.column_weight[d] * std::log(data.bits(row, d) ? q : 1.0L - q);
  }
  return sum;
}

struct NaivePosterior {
  long double log_sum = 0.0L;  // T log of the state sum
  std::vector<long double> share;
  std::vector<long double> score;
};

inline NaivePosterior naive_posterior(const std::vector<long double>& score, long double inverse_temperature) {
  NaivePosterior result{0.0L, {}, score};
  const long double best = *std::max_element(score.begin(), score.end());
  long double total = 0.0L;
  for (const long double s : score) total += std::exp(inverse_temperature * (s - best));
  for (const long double s : score) result.share.push_back(std::exp(inverse_temperature * (s - best)) / total);
  result.log_sum = best + std::log(total) / inverse_temperature;
  return result;
}

}  // namespace motet::roles
