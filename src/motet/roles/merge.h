// Equal rows and equal columns of a Boolean matrix, kept once with their number.
//
// Exact for every model here whose noise does not differ by permission or by user,
// and up to 60 times smaller on real access data.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

struct MergedMatrix {
  BitMatrix bits;
  std::vector<std::uint32_t> row_of;     // by original row: its row here
  std::vector<std::uint32_t> column_of;  // by original column: its column here
  std::vector<double> row_weight;        // how many rows became one
  std::vector<double> column_weight;
};

struct MergeRule {
  bool rows = true;
  bool columns = true;
};

// Rows and columns keep the order of their first appearance. `row_group`, when given,
// is one number per row: rows of different groups are not merged; `column_group` likewise.
MergedMatrix merge_equal(const BitMatrix& bits, MergeRule rule = {}, const std::vector<std::uint32_t>& row_group = {},
                         const std::vector<std::uint32_t>& column_group = {});

std::size_t count_distinct_rows(const BitMatrix& bits);

}  // namespace motet::roles
