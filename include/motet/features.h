// Rows of numbers with names: what models of items and of time see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace motet {

struct FeatureTable {
  std::vector<std::string> columns;      // names, one per dimension
  std::vector<double> values;            // row by row, all finite
  std::vector<std::size_t> sequences{};  // how many rows each sequence has, where rows come in time; empty: all are one
  double hop = 0.0;                      // seconds from a row to the next; 0: rows have no time
  double window = 0.0;                   // seconds that a row covers; 0: the hop

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
};

}  // namespace motet
#pragma GCC visibility pop
