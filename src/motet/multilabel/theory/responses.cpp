#include "motet/multilabel/theory/responses.h"

#include <algorithm>

#include "motet/multilabel/theory/precision_parts.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

// A probability of 0 or 1 has no information matrix: it is taken half an item away.
double inside(double probability, double items) {
  const double least = 0.5 / (items + 1.0);
  return std::clamp(probability, least, 1.0 - least);
}

void set_bernoulli(Responses& r, const Sources& sources, const SetRows& rows, std::span<const double> count,
                   std::size_t d) {
  const std::size_t K = rows.sources;
  std::vector<double>& b = r.value;
  for (std::size_t k = 0; k < K; ++k) {
    double items = 0.0;
    for (std::size_t j = 0; j < rows.sets; ++j) items += count[j] * rows.member[j * K + k];
    b[k] = inside(sources.location[k * sources.dimensions + d], items);
  }
  const bool is_or = sources.combination == Combination::logical_or;
  const bool noisy = !sources.noise.empty();
  const double flip = noisy ? sources.noise[d] : 0.0;
  for (std::size_t j = 0; j < rows.sets; ++j) {
    double product = 1.0;  // of 1 - b (or), of b (and)
    for (std::size_t k = 0; k < K; ++k) {
      if (rows.member[j * K + k] > 0.0) product *= is_or ? 1.0 - b[k] : b[k];
    }
    const double one = is_or ? 1.0 - product : product;
    const double q = flip + (1.0 - 2.0 * flip) * one;
    r.mean[j] = q;
    r.variance[j] = q * (1.0 - q);
    r.kurtosis[j] = (1.0 - 6.0 * r.variance[j]) / r.variance[j];
    for (std::size_t k = 0; k < K; ++k) {
      if (rows.member[j * K + k] > 0.0) {
        r.gradient[j * r.unknowns + k] = (1.0 - 2.0 * flip) * product / (is_or ? 1.0 - b[k] : b[k]);
      }
    }
    if (noisy) r.gradient[j * r.unknowns + K] = 1.0 - 2.0 * one;
  }
}

// Families whose locations add.
void set_added(Responses& r, const Sources& sources, const SetRows& rows, std::size_t d) {
  const std::size_t K = rows.sources;
  const SourceFamily& family = family_of(sources.family);
  const double shared = family.has_shared() ? sources.spread[d] : 0.0;
  for (std::size_t k = 0; k < K; ++k) r.value[k] = sources.location[k * sources.dimensions + d];
  for (std::size_t j = 0; j < rows.sets; ++j) {
    double sum = 0.0;
    for (std::size_t k = 0; k < K; ++k) sum += rows.member[j * K + k] * r.value[k];
    const SetResponse response = family.theory.response(sum, shared);
    r.mean[j] = response.mean;
    r.variance[j] = response.variance;
    r.kurtosis[j] = response.kurtosis;
    for (std::size_t k = 0; k < K; ++k) r.gradient[j * r.unknowns + k] = response.slope * rows.member[j * K + k];
    if (family.has_shared()) r.gradient[j * r.unknowns + K] = response.shared_slope;
  }
}

void add_shared_information(Responses& r, const Sources& sources, const SetRows& rows, std::span<const double> count,
                            std::size_t d) {
  const std::size_t K = rows.sources;
  const FamilyTheory& theory = family_of(sources.family).theory;
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (!(count[j] > 0.0)) continue;
    const SharedInformation found = theory.information(count[j], r.mean[j], sources.spread[d]);
    for (std::size_t k = 0; k < K; ++k) {
      if (rows.member[j * K + k] == 0.0) continue;
      for (std::size_t l = 0; l < K; ++l) r.information[k * r.unknowns + l] += found.total * rows.member[j * K + l];
      r.information[k * r.unknowns + K] += found.cross;
      r.information[K * r.unknowns + k] += found.cross;
    }
    r.information[K * r.unknowns + K] += found.shared;
  }
}

}  // namespace

Responses responses(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                    std::size_t dimension) {
  const SetRows rows = set_rows(sources, sets);
  const SourceFamily& family = family_of(sources.family);
  const bool has_shared = family.has_shared();
  const bool has_flip = family.has_flips && !sources.noise.empty();
  Responses r;
  r.unknowns = rows.sources + (has_shared || has_flip ? 1 : 0);
  r.value.assign(rows.sources, 0.0);
  r.mean.assign(rows.sets, 0.0);
  r.variance.assign(rows.sets, 0.0);
  r.kurtosis.assign(rows.sets, 0.0);
  r.gradient.assign(rows.sets * r.unknowns, 0.0);
  r.information.assign(r.unknowns * r.unknowns, 0.0);
  if (family.has_flips) {
    set_bernoulli(r, sources, rows, count, dimension);
  } else {
    set_added(r, sources, rows, dimension);
  }
  if (has_shared) {
    add_shared_information(r, sources, rows, count, dimension);
    return r;
  }
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (!(count[j] > 0.0 && r.variance[j] > 0.0)) continue;
    for (std::size_t u = 0; u < r.unknowns; ++u) {
      const double step = count[j] / r.variance[j] * r.gradient[j * r.unknowns + u];
      if (step == 0.0) continue;
      for (std::size_t v = 0; v < r.unknowns; ++v) {
        r.information[u * r.unknowns + v] += step * r.gradient[j * r.unknowns + v];
      }
    }
  }
  return r;
}

}  // namespace motet::multilabel
