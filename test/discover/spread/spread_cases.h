// Rows with events for the tests of how answers spread.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "discover/search_cases.h"
#include "motet/discover/spread/spread.h"

namespace motet::discover {

// Noise in four columns; `begins` are the first rows of events of ten rows: along the first column for class a, along
// the second for b.
struct SpreadCase {
  Features features;
  Discovery discovery;

  SpreadCase(std::size_t rows, const std::vector<std::size_t>& a, const std::vector<std::size_t>& b,
             std::vector<std::size_t> lengths = {})
      : features(noise_rows(rows, 4, Seed{8}, std::move(lengths))) {
    for (const std::size_t begin : a) add_event(begin, 0);
    for (const std::size_t begin : b) add_event(begin, 1);
    discovery.options.radius = 6;
    discovery.options.exclusion = 6;
    discovery.mixture.columns = features.columns;
    discovery.mixture.classes = {"background"};
  }
  void add_event(std::size_t begin, std::size_t column) {
    for (std::size_t n = begin; n < begin + 10; ++n) features.values[4 * n + column] += 12.0;
  }
  void say(std::size_t row, const std::string& name) {
    auto& classes = discovery.mixture.classes;
    if (!name.empty() && std::find(classes.begin(), classes.end(), name) == classes.end()) classes.push_back(name);
    discovery.answers.push_back({row, name.empty() ? AnswerKind::nothing : AnswerKind::of_class, name});
  }
  const SpreadStretch* at(const Spread& spread, std::size_t row) const {
    for (const SpreadStretch& one : spread.stretches) {
      if (one.begin <= row && row < one.end) return &one;
    }
    return nullptr;
  }
};

}  // namespace motet::discover
