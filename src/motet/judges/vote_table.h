// Votes as the fit sees them: items with equal votes merged into one with a
// weight (exact, and up to thousands of times smaller when a few judges label
// everything), cut into leaves for the engine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/votes.h"

namespace motet::judges {

struct VoteTable {
  std::size_t judge_count = 0;
  std::size_t class_count = 0;
  std::span<const std::uint32_t> starts;
  std::span<const std::uint32_t> codes;  // judge * class_count + label
  std::span<const std::int32_t> known;   // true class or Votes::unknown; empty when nothing is known
  std::vector<double> weights;           // how many items a row stands for; empty: one each
  std::vector<std::size_t> leaves;       // bounds of the leaves, by row
  std::vector<std::uint32_t> row_of;     // by item, when rows were merged; empty: item i is row i

  std::size_t row_count() const { return starts.size() - 1; }
  std::size_t leaf_count() const { return leaves.size() - 1; }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  std::span<const std::uint32_t> of_row(std::size_t row) const {
    return {codes.data() + starts[row], codes.data() + starts[row + 1]};
  }
  std::int32_t known_class(std::size_t row) const { return known.empty() ? Votes::unknown : known[row]; }
  double item_total() const;

  // What the spans above look at when rows were merged. Moving a vector keeps its
  // memory in place, copying does not: so the table can be moved only.
  struct Merged {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> codes;
    std::vector<std::int32_t> known;
  } merged;
  VoteTable() = default;
  VoteTable(VoteTable&&) = default;
  VoteTable& operator=(VoteTable&&) = default;
  VoteTable(const VoteTable&) = delete;
  VoteTable& operator=(const VoteTable&) = delete;
  ~VoteTable() = default;
};

// Rows that cannot be merged share the arrays of `votes`, which must outlive the table.
VoteTable make_vote_table(const Votes& votes);

// Weighted votes by judge and label, index judge * class_count + label.
std::vector<double> vote_counts(const VoteTable& table);

}  // namespace motet::judges
