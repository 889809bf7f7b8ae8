// A matrix of yes and no, 64 cells per word, row by row. Bits beyond the last column
// are zero, so that rows can be compared, joined and counted word by word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motet {

class BitMatrix {
 public:
  BitMatrix() = default;
  BitMatrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), words_((columns + 63) / 64), bits_(rows * words_) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t words() const { return words_; }  // per row

  bool operator()(std::size_t row, std::size_t column) const {
    return (bits_[row * words_ + column / 64] >> (column % 64) & 1U) != 0;
  }
  void set(std::size_t row, std::size_t column, bool value = true) {
    const std::uint64_t bit = std::uint64_t{1} << (column % 64);
    std::uint64_t& word = bits_[row * words_ + column / 64];
    word = value ? word | bit : word & ~bit;
  }

  std::span<const std::uint64_t> row(std::size_t row) const { return {bits_.data() + row * words_, words_}; }
  std::span<std::uint64_t> row(std::size_t row) { return {bits_.data() + row * words_, words_}; }

  std::size_t count() const;                 // of ones
  std::size_t count(std::size_t row) const;  // of ones in a row
  BitMatrix transposed() const;
  BitMatrix rows_of(std::span<const std::uint32_t> rows) const;
  BitMatrix columns_of(std::span<const std::uint32_t> columns) const;
  bool operator==(const BitMatrix&) const = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

// visit(column) for every one of a row, in rising order.
template <class Visit>
void for_each_bit(std::span<const std::uint64_t> row, const Visit& visit) {
  for (std::size_t w = 0; w < row.size(); ++w) {
    for (std::uint64_t rest = row[w]; rest != 0; rest &= rest - 1) {
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

std::size_t bits_apart(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);  // the Hamming distance
std::size_t bits_in_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);
void require_same_shape(const BitMatrix& a, const BitMatrix& b);  // else Error{internal}

// The Boolean matrix product: cell (n, d) is 1 when a role k of user n has permission d.
BitMatrix boolean_product(const BitMatrix& assignments, const BitMatrix& roles);

}  // namespace motet
