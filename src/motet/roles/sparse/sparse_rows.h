// A yes/no matrix by the places of its ones: what large and nearly empty data are walked by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

struct SparseRows {
  std::size_t columns = 0;
  std::vector<std::size_t> ends;      // by row: end of its part of `places`
  std::vector<std::uint32_t> places;  // columns of the ones, rising within a row

  std::size_t rows() const { return ends.size(); }
  std::size_t begin(std::size_t row) const { return row == 0 ? 0 : ends[row - 1]; }
  std::span<const std::uint32_t> operator[](std::size_t row) const {
    return {places.data() + begin(row), ends[row] - begin(row)};
  }
  void add(std::span<const std::uint32_t> row) {
    places.insert(places.end(), row.begin(), row.end());
    ends.push_back(places.size());
  }
  bool operator==(const SparseRows&) const = default;
};

SparseRows sparse_rows(const BitMatrix& bits);
SparseRows sparse_rows(const BitMatrix& bits, std::span<const std::uint32_t> rows);
SparseRows transposed(const SparseRows& rows);
BitMatrix dense_rows(const SparseRows& rows);

std::size_t count_distinct_rows(const SparseRows& rows);

// How many numbers two rising rows have in common.
std::size_t common_places(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace motet::roles
