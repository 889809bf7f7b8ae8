// Small searches for the tests of discover.
#pragma once

#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/features.h"
#include "motet/discover/discovery.h"
#include "motet/discover/study/generate.h"

namespace motet::discover {

// Columns x1, x2, ... and one sequence, or sequences of the given lengths.
inline Features features_of(std::vector<double> values, std::size_t dimensions, std::vector<std::size_t> lengths = {}) {
  Features features;
  for (std::size_t d = 0; d < dimensions; ++d)
    features.columns.push_back(std::string("x").append(std::to_string(d + 1)));
  const std::size_t rows = values.size() / dimensions;
  features.values = std::move(values);
  if (lengths.empty()) lengths = {rows};
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    features.starts.push_back(features.starts.back() + lengths[s]);
    features.sequences.push_back(std::string("s").append(std::to_string(s + 1)));
  }
  return features;
}

inline Features noise_rows(std::size_t rows, std::size_t dimensions, Seed seed, std::vector<std::size_t> lengths = {}) {
  Rng rng(seed);
  std::vector<double> values(rows * dimensions);
  for (double& value : values) value = rng.normal();
  return features_of(std::move(values), dimensions, std::move(lengths));
}

// A short sequence with two classes of events that stand out.
inline LabelledFeatures short_events(Seed seed) {
  return generate_events({.rows = 400, .dimensions = 3, .classes = 2, .event_length = 15, .background = 2}, seed);
}

// One class that sounds all the time over one background, which has no incidents of its own.
inline EventOptions steady_event(std::size_t rows, std::size_t dimensions, std::size_t event_length) {
  return {.rows = rows,
          .dimensions = dimensions,
          .classes = 1,
          .event_length = event_length,
          .background = 1,
          .gusts = 0.0,
          .gain = 1.0,
          .bursts = 1.0};
}

inline DiscoverOptions search_options(Strategy strategy, std::size_t radius, std::size_t components = 2) {
  return {.strategy = strategy, .radius = radius, .components = components};
}

inline Answer true_answer(const LabelledFeatures& data, std::size_t row) {
  const std::uint32_t of_class = data.truth.of_row[row];
  if (of_class == 0) return {row, AnswerKind::nothing, ""};
  return {row, AnswerKind::of_class, data.truth.classes[of_class]};
}

constexpr Strategy every_strategy[] = {Strategy::temporal,   Strategy::static_mixture, Strategy::literal,
                                       Strategy::interleave, Strategy::nndm,           Strategy::random,
                                       Strategy::static_gmm};

}  // namespace motet::discover
