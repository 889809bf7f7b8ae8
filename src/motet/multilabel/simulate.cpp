#include "motet/multilabel/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/sources/family.h"
#include "motet/sources/sample.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_listed_sets = 200'000;

// All sets of `from` to `to` labels, by degree; Error{usage} when they are too many to list.
BitMatrix sets_up_to(std::size_t labels, std::size_t from, std::size_t to) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t degree = from; degree <= to; ++degree) {
    std::vector<std::size_t> set(degree);
    std::iota(set.begin(), set.end(), std::size_t{0});
    while (true) {
      sets.push_back(set);
      if (sets.size() > most_listed_sets) {
        fail(ErrorKind::usage, fmt::format("--max-degree {} gives more than {} sets of {} labels; give --label-sets or "
                                           "a smaller --max-degree",
                                           to, most_listed_sets, labels));
      }
      std::size_t place = degree;  // the next combination
      while (place > 0 && set[place - 1] == labels - degree + place - 1) --place;
      if (place == 0) break;
      ++set[place - 1];
      for (std::size_t i = place; i < degree; ++i) set[i] = set[i - 1] + 1;
    }
  }
  BitMatrix matrix(sets.size(), labels);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const std::size_t k : sets[s]) matrix.set(s, k);
  }
  return matrix;
}

// `count` different sets at random, singles first where there is room for all of them.
BitMatrix some_sets(const SimulateItemsOptions& options, std::size_t least, Rng& rng) {
  const std::size_t labels = options.labels;
  const std::size_t most = std::min(options.max_degree, labels);
  BitMatrix sets(options.label_sets, labels);
  std::size_t filled = 0;
  if (options.label_sets >= labels) {
    for (; filled < labels; ++filled) sets.set(filled, filled);
  }
  std::size_t attempts = 0;
  while (filled < options.label_sets) {
    if (++attempts > 1000 * (options.label_sets + 1)) {
      fail(ErrorKind::usage, fmt::format("--label-sets {} is more than there are sets of up to {} of {} labels",
                                         options.label_sets, most, labels));
    }
    BitMatrix set(1, labels);
    std::size_t degree = least + rng.below(most - least + 1);
    while (degree > 0) {
      const std::size_t k = rng.below(labels);
      if (set(0, k)) continue;
      set.set(0, k);
      --degree;
    }
    bool is_new = true;
    for (std::size_t s = 0; s < filled && is_new; ++s) {
      is_new = !std::equal(set.row(0).begin(), set.row(0).end(), sets.row(s).begin());
    }
    if (!is_new) continue;
    std::copy(set.row(0).begin(), set.row(0).end(), sets.row(filled).begin());
    ++filled;
  }
  return sets;
}

BitMatrix draw_sets(const BitMatrix& sets, const std::vector<double>& weights, std::size_t items, Rng& rng) {
  std::vector<double> sums(weights.size());  // one search per draw: sets may be many
  std::partial_sum(weights.begin(), weights.end(), sums.begin());
  BitMatrix drawn(items, sets.columns());
  for (std::size_t n = 0; n < items; ++n) {
    const auto found = std::upper_bound(sums.begin(), sums.end() - 1, rng.uniform() * sums.back());
    const std::span<const std::uint64_t> set = sets.row(static_cast<std::size_t>(found - sums.begin()));
    std::copy(set.begin(), set.end(), drawn.row(n).begin());
  }
  return drawn;
}

}  // namespace

Sources random_sources(const SimulateItemsOptions& options, Rng& rng) {
  Sources sources{options.source,
                  options.combine,
                  options.covariance,
                  options.features,
                  options.labels + (options.background ? 1 : 0),
                  options.background};
  const std::size_t dimensions = options.features;
  sources.location.resize(sources.count * dimensions);
  const SourceFamily& family = family_of(options.source);
  for (double& location : sources.location) location = family.random_location(options.separation, rng);
  for (std::size_t d = 0; d < dimensions && family.has_shared(); ++d) {
    sources.spread.push_back(family.random_shared(rng));
  }
  if (!family.has_scatter) return sources;
  const auto variance = [&] { return 1.0 - 0.95 * rng.uniform(); };
  const auto matrix = [&] {  // a random diagonal, correlated by a random direction
    std::vector<double> covariance(dimensions * dimensions);
    std::vector<double> direction(dimensions);
    for (double& entry : direction) entry = 0.5 * rng.normal();
    for (std::size_t i = 0; i < dimensions; ++i) {
      for (std::size_t j = 0; j < dimensions; ++j) covariance[i * dimensions + j] = direction[i] * direction[j];
    }
    for (std::size_t d = 0; d < dimensions; ++d) covariance[d * dimensions + d] += variance();
    sources.spread.insert(sources.spread.end(), covariance.begin(), covariance.end());
  };
  switch (options.covariance) {
    case Covariance::spherical:
      for (std::size_t k = 0; k < sources.count; ++k) sources.spread.push_back(variance());
      break;
    case Covariance::diagonal:
      for (std::size_t i = 0; i < sources.count * dimensions; ++i) sources.spread.push_back(variance());
      break;
    case Covariance::full:
      for (std::size_t k = 0; k < sources.count; ++k) matrix();
      break;
    case Covariance::shared: matrix(); break;
    case Covariance::point: fail(ErrorKind::usage, "--covariance: point sources have no spread; choose another");
  }
  return sources;
}

SimulatedItems simulate_items(const SimulateItemsOptions& options, Seed seed) {
  check_ranges(options);
  const Rng root = stream(seed, Stream::multilabel_simulation);
  Rng for_sources = root.child(0);
  Rng for_sets = root.child(1);
  SimulatedItems result;
  result.truth = random_sources(options, for_sources);
  const std::size_t least = options.background ? 0 : 1;
  const std::size_t most = std::min(options.max_degree, options.labels);
  const BitMatrix sets =
      options.label_sets > 0 ? some_sets(options, least, for_sets) : sets_up_to(options.labels, least, most);
  std::vector<double> weights;
  for (std::size_t s = 0; s < sets.rows(); ++s) {
    weights.push_back(std::pow(options.together, static_cast<double>(sets.count(s))));
  }
  if (options.together == 0.0) weights.assign(sets.rows(), 1.0);
  LabelledItems& items = result.items;
  for (std::size_t k = 0; k < options.labels; ++k) items.labels.push_back(fmt::format("label{}", k + 1));
  items.sets = draw_sets(sets, weights, options.items, for_sets);
  std::vector<std::string> columns;
  for (std::size_t d = 0; d < options.features; ++d) columns.push_back(fmt::format("x{}", d + 1));
  items.features = {std::move(columns), sample_items(result.truth, items.sets, root.child(2)), {}, options.items};
  return result;
}

LabelledItems simulate_items(const MultilabelModel& model, std::size_t count, Seed seed) {
  if (!model.preparation.components.empty()) {
    fail(ErrorKind::unanswerable,
         "the model projects its features onto principal components, which cannot be undone; train one without --pca");
  }
  const Rng root = stream(seed, Stream::multilabel_simulation);
  Rng for_sets = root.child(1);
  LabelledItems items;
  items.labels = model.labels;
  items.sets = draw_sets(model.prior.sets, model.prior.counts, count, for_sets);
  std::vector<double> values;
  if (model.per_set()) {  // source j is set j
    Sources alone = model.sources;
    alone.combination = Combination::sum;
    const Rng streams = root.child(2);
    for (std::size_t n = 0; n < count; ++n) {
      Rng rng = streams.child(n);
      const std::vector<double> x = sample_emission(alone, find_set(model.prior.sets, items.sets.row(n)), rng);
      values.insert(values.end(), x.begin(), x.end());
    }
  } else {
    values = sample_items(model.sources, items.sets, root.child(2));
  }
  const Preparation& preparation = model.preparation;
  const std::size_t columns = preparation.inputs();
  if (!preparation.centre.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = preparation.centre[i % columns] + preparation.scale[i % columns] * values[i];
    }
  }
  items.features = {preparation.columns, std::move(values), {}, count};
  return items;
}

}  // namespace motet::multilabel
