#include "motet/data/bit_matrix.h"

#include <algorithm>

#include "motet/base/error.h"

namespace motet {
namespace {

std::size_t ones(std::span<const std::uint64_t> words) {
  std::size_t count = 0;
  for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

}  // namespace

std::size_t BitMatrix::count() const { return ones(bits_); }
std::size_t BitMatrix::count(std::size_t n) const { return ones(row(n)); }

BitMatrix BitMatrix::transposed() const {
  BitMatrix result(columns_, rows_);
  for (std::size_t n = 0; n < rows_; ++n) {
    for_each_bit(row(n), [&](std::size_t column) { result.set(column, n); });
  }
  return result;
}

BitMatrix BitMatrix::rows_of(std::span<const std::uint32_t> rows) const {
  BitMatrix result(rows.size(), columns_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<const std::uint64_t> from = row(rows[i]);
    std::copy(from.begin(), from.end(), result.row(i).begin());
  }
  return result;
}

BitMatrix BitMatrix::columns_of(std::span<const std::uint32_t> columns) const {
  BitMatrix result(rows_, columns.size());
  for (std::size_t n = 0; n < rows_; ++n) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if ((*this)(n, columns[i])) result.set(n, i);
    }
  }
  return result;
}

std::size_t bits_apart(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < a.size(); ++w) count += static_cast<std::size_t>(std::popcount(a[w] ^ b[w]));
  return count;
}

std::size_t bits_in_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < a.size(); ++w) count += static_cast<std::size_t>(std::popcount(a[w] & b[w]));
  return count;
}

void require_same_shape(const BitMatrix& a, const BitMatrix& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns()) {
    fail(ErrorKind::internal, "bit matrices of different shapes");
  }
}

BitMatrix boolean_product(const BitMatrix& assignments, const BitMatrix& roles) {
  BitMatrix result(assignments.rows(), roles.columns());
  for (std::size_t n = 0; n < assignments.rows(); ++n) {
    const std::span<std::uint64_t> to = result.row(n);
    for_each_bit(assignments.row(n), [&](std::size_t k) {
      const std::span<const std::uint64_t> from = roles.row(k);
      for (std::size_t w = 0; w < to.size(); ++w) to[w] |= from[w];
    });
  }
  return result;
}

}  // namespace motet
