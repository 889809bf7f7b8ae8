// Small sets of items with candidates for the tests of this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "motet/base/error.h"
#include "motet/superset/evidence_matrix.h"
#include "motet/superset/simulate.h"
#include "support/errors.h"

namespace motet::superset {

// One of two candidates, one of one, and one that may be anything.
inline CandidateItems three_items() {
  CandidateItems items;
  items.features.columns = {"x"};
  items.features.values = {0, 1, 2};
  items.classes = {"cat", "dog", "eel"};
  items.starts = {0, 2, 3, 6};
  items.label = {0, 1, 1, 0, 1, 2};
  return items;
}

// Each item whose number is a multiple of a step, and the others.
struct PartedItems {
  CandidateItems picked;
  CandidateItems others;
};

inline PartedItems every_nth_of(const CandidateItems& items, std::uint32_t step) {
  std::vector<std::uint32_t> picked, others;
  for (std::uint32_t n = 0; n < items.rows(); ++n) (n % step == 0 ? picked : others).push_back(n);
  return {rows_of(items, picked), rows_of(items, others)};
}

// Three classes in the plane, each around a centre of its own; every item has one false candidate.
inline CandidateItems easy_items(std::size_t rows, Seed seed = Seed{3}) {
  CandidateItems items;
  items.features.columns = {"x", "y"};
  items.classes = {"a", "b", "c"};
  Rng rng(seed);
  const double centre[3][2] = {{0.0, 0.0}, {6.0, 0.0}, {0.0, 6.0}};
  for (std::size_t n = 0; n < rows; ++n) {
    const auto truth = static_cast<std::uint32_t>(n % 3);
    items.features.values.push_back(centre[truth][0] + rng.normal());
    items.features.values.push_back(centre[truth][1] + rng.normal());
    const auto other = static_cast<std::uint32_t>((truth + 1 + rng.below(2)) % 3);
    items.label.push_back(std::min(truth, other));
    items.label.push_back(std::max(truth, other));
    items.starts.push_back(items.label.size());
    items.truth.push_back(static_cast<std::int32_t>(truth));
  }
  return items;
}

// Share of rows whose largest entry is the true label.
inline double accuracy_of(const std::vector<double>& values, const CandidateItems& items) {
  const auto classes = static_cast<std::ptrdiff_t>(items.classes.size());
  double right = 0.0;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(n) * classes;
    right += std::max_element(row, row + classes) - row == items.truth[n] ? 1.0 : 0.0;
  }
  return right / static_cast<double>(items.rows());
}

// The text of what a call throws; "" when it throws nothing.
template <class Body>
std::string error_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace motet::superset
