// Items that come with candidate labels, one of which is right.
//
// What is known of an item's label is a row of non-negative numbers M_nl, how likely this
// evidence were if the label were l: 1 for a candidate and 0 for the others in the plain
// case, all 1 for an item nobody labelled, weights where candidates are not equally likely,
// a small number instead of 0 where the set may miss the truth.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/data/features.h"

namespace motet {

struct CandidateItems {
  Features features;
  std::vector<std::string> classes;
  std::vector<std::size_t> starts{0};  // of each item's candidates, and their number at the end
  std::vector<std::uint32_t> label;    // candidates, rising within an item
  std::vector<double> weight;          // > 0, one a candidate; empty: all 1
  double outside = 0.0;                // weight of labels that are no candidates
  std::vector<std::int32_t> truth;     // -1 where unknown; empty: never known

  std::size_t rows() const { return starts.size() - 1; }
  std::span<const std::uint32_t> candidates(std::size_t n) const {
    return {label.data() + starts[n], starts[n + 1] - starts[n]};
  }
  double weight_at(std::size_t place) const { return weight.empty() ? 1.0 : weight[place]; }
};

CandidateItems rows_of(const CandidateItems& items, std::span<const std::uint32_t> rows);

// Throws Error{bad_data} or {unanswerable}: an item without candidates, one class only, ...
void check_candidates(const CandidateItems& items);

std::vector<std::uint32_t> never_candidates(const CandidateItems& items);  // classes no item has

}  // namespace motet
