// Small generated problems for tests of training.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/sources/sample.h"

namespace motet::multilabel {

struct TrainingCase {
  std::string name;
  TrainOptions options;
};

inline TrainOptions trained_as(Family source, Combination combine, Covariance covariance = Covariance::diagonal,
                               bool background = false, bool noise = false) {
  return {.source = source,
          .combine = combine,
          .covariance = covariance,
          .background = background,
          .noise = noise,
          .shrinkage = {}};
}

// Every pair with a closed form, every covariance, with and without background and noise.
inline std::vector<TrainingCase> closed_forms() {
  using enum Combination;
  using enum Covariance;
  return {{"spherical", trained_as(Family::gaussian, sum, spherical)},
          {"spherical_noise", trained_as(Family::gaussian, sum, spherical, false, true)},
          {"diagonal", trained_as(Family::gaussian, sum, diagonal)},
          {"diagonal_background", trained_as(Family::gaussian, sum, diagonal, true)},
          {"mean_diagonal_noise", trained_as(Family::gaussian, mean, diagonal, false, true)},
          {"full", trained_as(Family::gaussian, sum, full)},
          {"mean_full_background", trained_as(Family::gaussian, mean, full, true)},
          {"full_noise", trained_as(Family::gaussian, sum, full, false, true)},
          {"shared", trained_as(Family::gaussian, sum, shared)},
          {"mean_shared_background", trained_as(Family::gaussian, mean, shared, true)},
          {"shared_noise", trained_as(Family::gaussian, sum, shared, false, true)},
          {"point", trained_as(Family::gaussian, mean, point, false, true)},
          {"lognormal_full", trained_as(Family::lognormal, product, full)},
          {"or", trained_as(Family::bernoulli, logical_or)},
          {"or_background_noise", trained_as(Family::bernoulli, logical_or, diagonal, true, true)},
          {"and", trained_as(Family::bernoulli, logical_and)},
          {"exponential", trained_as(Family::exponential, minimum, diagonal, true)},
          {"poisson", trained_as(Family::poisson, sum)},
          {"gamma", trained_as(Family::gamma, sum)}};
}

// Sources with parameters in the middle of what their family allows.
inline Sources drawn_sources(const TrainOptions& options, std::size_t labels, std::size_t dimensions, Rng& rng) {
  Sources sources{
      options.source,    options.combine, options.covariance, dimensions, labels + (options.background ? 1 : 0),
      options.background};
  const std::size_t cells = sources.count * dimensions;
  const bool gaussian = is_gaussian(options.source);
  for (std::size_t i = 0; i < cells; ++i) {
    if (gaussian) sources.location.push_back(1.5 * rng.normal());
    if (options.source == Family::bernoulli) sources.location.push_back(rng.uniform(0.15, 0.6));
    if (!gaussian && options.source != Family::bernoulli) sources.location.push_back(rng.uniform(0.5, 3.0));
  }
  if (options.source == Family::gamma) {
    for (std::size_t d = 0; d < dimensions; ++d) sources.spread.push_back(rng.uniform(0.8, 2.0));
  }
  if (options.source == Family::bernoulli && options.noise) sources.noise.assign(dimensions, 0.03);
  if (!gaussian) return sources;
  const auto matrix = [&](double size) {
    std::vector<double> all(dimensions * dimensions);
    const double common = rng.uniform(0.2, 0.5);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = size * common;
    for (std::size_t d = 0; d < dimensions; ++d) all[d * dimensions + d] = size * rng.uniform(0.7, 1.5);
    return all;
  };
  const auto add_matrix = [&] {
    const std::vector<double> one = matrix(1.0);
    sources.spread.insert(sources.spread.end(), one.begin(), one.end());
  };
  switch (options.covariance) {
    case Covariance::spherical:
      for (std::size_t k = 0; k < sources.count; ++k) sources.spread.push_back(rng.uniform(0.3, 1.5));
      break;
    case Covariance::diagonal:
      for (std::size_t i = 0; i < cells; ++i) sources.spread.push_back(rng.uniform(0.3, 1.5));
      break;
    case Covariance::full:
      for (std::size_t k = 0; k < sources.count; ++k) add_matrix();
      break;
    case Covariance::shared: add_matrix(); break;
    case Covariance::point: break;
  }
  if (options.noise) sources.noise = matrix(0.5);
  return sources;
}

struct KnownItems {
  Sources sources;
  LabelSetIndex index;
  std::vector<double> x;
};

// Label sets of one to three labels (none as well with a background), so that most items have several.
inline KnownItems drawn_items(const TrainOptions& options, std::size_t labels, std::size_t dimensions, std::size_t rows,
                              std::uint64_t seed) {
  Rng rng(Seed{seed});
  KnownItems drawn;
  drawn.sources = drawn_sources(options, labels, dimensions, rng);
  BitMatrix sets(rows, labels);
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t degree = rng.below(options.background ? 4 : 3) + (options.background ? 0 : 1);
    for (std::size_t i = 0; i < degree; ++i) sets.set(n, rng.below(labels));
  }
  drawn.index = index_label_sets(sets);
  drawn.x = sample_items(drawn.sources, sets, rng.child(7));
  return drawn;
}

// Items of one label each, in turn.
inline KnownItems single_label_items(const TrainOptions& options, std::size_t labels, std::size_t dimensions,
                                     std::size_t rows, std::uint64_t seed) {
  Rng rng(Seed{seed});
  KnownItems drawn;
  drawn.sources = drawn_sources(options, labels, dimensions, rng);
  BitMatrix sets(rows, labels);
  for (std::size_t n = 0; n < rows; ++n) sets.set(n, n % labels);
  drawn.index = index_label_sets(sets);
  drawn.x = sample_items(drawn.sources, sets, rng.child(7));
  return drawn;
}

inline SourceFit fit_of(const KnownItems& drawn, const TrainOptions& options) {
  return fit_sources(drawn.index, drawn.x, drawn.sources.dimensions, options, {});
}

// So many items of each of these sets of labels, whose values rise from set to set.
inline KnownItems with_sets(const std::vector<std::vector<std::size_t>>& sets, std::size_t label_count,
                            std::size_t each, std::size_t columns) {
  Rng rng(Seed{8});
  KnownItems drawn;
  BitMatrix bits(sets.size() * each, label_count);
  for (std::size_t n = 0; n < bits.rows(); ++n) {
    for (const std::size_t k : sets[n / each]) bits.set(n, k);
    for (std::size_t d = 0; d < columns; ++d) drawn.x.push_back(rng.normal() + static_cast<double>(n / each));
  }
  drawn.sources.dimensions = columns;
  drawn.index = index_label_sets(bits);
  return drawn;
}

// The same as items of a data set: features x1, x2, ..., labels a, b, ...
inline LabelledItems labelled(const KnownItems& drawn) {
  LabelledItems items;
  const std::size_t dimensions = drawn.sources.dimensions;
  for (std::size_t d = 0; d < dimensions; ++d) items.features.columns.push_back("x" + std::to_string(d + 1));
  for (std::size_t k = 0; k < drawn.index.sets.columns(); ++k) items.labels.push_back(std::string(1, "abcdef"[k]));
  items.features.values = drawn.x;
  items.sets = drawn.index.sets.rows_of(drawn.index.of_row);
  return items;
}

inline LabelledItems gaussian_items(std::size_t rows = 120) {
  return labelled(drawn_items(trained_as(Family::gaussian, Combination::sum), 3, 2, rows, 11));
}

}  // namespace motet::multilabel
