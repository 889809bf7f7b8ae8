// Items with features and, where they are known, their label sets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/data/number_table.h"

namespace motet {

struct LabelledItems {
  NumberTable features;
  std::vector<std::string> labels;  // names
  BitMatrix sets;                   // items x labels; without rows nothing is known of the labels

  std::size_t rows() const { return features.rows(); }
  bool has_sets() const { return sets.rows() == rows() && !labels.empty(); }
};

LabelledItems rows_of(const LabelledItems& items, std::span<const std::uint32_t> rows);

// "a|b", the labels of a set in the order of their names' list; "" for the empty set.
std::string joined_labels(std::span<const std::uint64_t> set, std::span<const std::string> labels);

// The different label sets among rows, and which rows have each.
struct LabelSetIndex {
  BitMatrix sets;                     // different ones, by degree, then as written from the first label on
  std::vector<std::uint32_t> of_row;  // number of a row's set
  std::vector<std::uint32_t> rows;    // row numbers, set after set, rising within a set
  std::vector<std::size_t> starts;    // of each set in `rows`, and its size at the end

  std::size_t size() const { return sets.rows(); }
  std::size_t count(std::size_t set) const { return starts[set + 1] - starts[set]; }
};
LabelSetIndex index_label_sets(const BitMatrix& sets);

constexpr std::size_t no_set = static_cast<std::size_t>(-1);
std::size_t find_set(const BitMatrix& sets, std::span<const std::uint64_t> set);  // no_set when absent

}  // namespace motet
