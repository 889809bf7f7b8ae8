// Numbers with names: one row per item, one column per dimension. What comes one after another in time has Sequences
// (sequences.h) beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace motet {

struct NumberTable {
  std::vector<std::string> columns;      // names
  std::vector<double> values;            // row by row, all finite
  std::vector<std::string> items;        // ids; empty: an item is named by its row, the first is 1
  std::size_t rows_without_columns = 0;  // where there are no columns, nothing else tells how many rows there are

  std::size_t dimensions() const { return columns.size(); }
  std::size_t rows() const { return columns.empty() ? rows_without_columns : values.size() / columns.size(); }
  std::span<const double> row(std::size_t n) const { return {values.data() + n * dimensions(), dimensions()}; }
};

std::string item_name(const NumberTable& numbers, std::size_t n);

// Some rows; they keep the names that the whole gives them.
NumberTable rows_of(const NumberTable& numbers, std::span<const std::uint32_t> rows);

}  // namespace motet
