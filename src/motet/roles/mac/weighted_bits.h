// Bits with whole weights, counted a word at a time.
//
// A column of weight w is kept once for each power of two in w, and each word holds copies
// of one power only. The weight of a set is then a sum of popcounts times the powers: as
// fast as plain bits when all weights are 1, and log2(w) copies instead of w otherwise.
// All counts are whole numbers, so no result depends on the order of a sum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/bit_matrix.h"

namespace motet::roles {

class WeightLayout {
 public:
  // Throws Error{usage} when a weight is not a whole number of at least 1.
  explicit WeightLayout(std::span<const double> weights);

  std::size_t words() const { return word_weight_.size(); }
  std::span<const std::int64_t> word_weight() const { return word_weight_; }
  std::int64_t total() const { return total_; }     // of all weights
  BitMatrix arranged(const BitMatrix& bits) const;  // each row as copies of its columns
  std::int64_t weight(std::span<const std::uint64_t> arranged_row) const;

 private:
  std::vector<std::size_t> begin_;    // by column: its part of `place_`, one more at the end
  std::vector<std::uint32_t> place_;  // where its copies are
  std::vector<std::int64_t> word_weight_;
  std::int64_t total_ = 0;
};

// How much weight two rows of an arranged matrix have in common, for all pairs:
// [i * rows + j], symmetric, the rows' own weights on the diagonal.
std::vector<std::int64_t> common_weights(const BitMatrix& arranged, const WeightLayout& layout, const RunContext& run);

}  // namespace motet::roles
