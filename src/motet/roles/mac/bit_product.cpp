#include "motet/roles/mac/bit_product.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "motet/base/processor.h"

namespace motet::roles {
namespace {

constexpr std::size_t tile = 32;          // label sets at a time: a line of a table is 256 bytes
constexpr std::size_t bytes_at_once = 4;  // tables at a time, 256 kB: they stay in the second-level cache
constexpr std::size_t entries = 256;
constexpr std::size_t rows_for_tables = 96;  // fewer rows do not repay the making of a table

struct Block {
  const BitMatrix& bits;
  std::size_t begin;
  std::size_t end;
  std::span<const double> weights;
  std::size_t width;
  std::span<double> scores;
};

// Lines of one table: the sum of the weights of the columns first_column + i, i a bit of the byte.
[[gnu::always_inline]] inline void fill_table(const Block& block, std::size_t first_column, std::size_t first_set,
                                              std::size_t sets, double* table) {
  std::fill(table, table + tile, 0.0);
  for (std::size_t bit = 0; bit < 8; ++bit) {
    const std::size_t column = first_column + bit;
    const std::size_t half = std::size_t{1} << bit;
    double line[tile] = {};
    if (column < block.bits.columns()) {
      std::copy_n(block.weights.data() + column * block.width + first_set, sets, line);
    }
    for (std::size_t i = 0; i < half; ++i) {
      for (std::size_t l = 0; l < tile; ++l) table[(half + i) * tile + l] = table[i * tile + l] + line[l];
    }
  }
}

[[gnu::always_inline]] inline void product_by_tables(const Block& block) {
  const std::size_t rows = block.end - block.begin;
  std::vector<double> tables(bytes_at_once * entries * tile);
  std::vector<double> sums(rows * tile);
  for (std::size_t first_set = 0; first_set < block.width; first_set += tile) {
    const std::size_t sets = std::min(tile, block.width - first_set);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t column = 0; column < block.bits.columns(); column += 8 * bytes_at_once) {
      for (std::size_t t = 0; t < bytes_at_once; ++t) {
        fill_table(block, column + 8 * t, first_set, sets, tables.data() + t * entries * tile);
      }
      for (std::size_t n = 0; n < rows; ++n) {
        const std::uint64_t word = block.bits.row(block.begin + n)[column / 64] >> (column % 64);
        const double* const a = tables.data() + (word & 255U) * tile;
        const double* const b = tables.data() + (entries + (word >> 8 & 255U)) * tile;
        const double* const c = tables.data() + (2 * entries + (word >> 16 & 255U)) * tile;
        const double* const d = tables.data() + (3 * entries + (word >> 24 & 255U)) * tile;
        double* const to = sums.data() + n * tile;
        for (std::size_t l = 0; l < tile; ++l) to[l] += (a[l] + b[l]) + (c[l] + d[l]);
      }
    }
    for (std::size_t n = 0; n < rows; ++n) {
      double* const to = block.scores.data() + n * block.width + first_set;
      for (std::size_t l = 0; l < sets; ++l) to[l] += sums[n * tile + l];
    }
  }
}

[[gnu::always_inline]] inline void product_by_ones(const Block& block) {
  for (std::size_t n = block.begin; n < block.end; ++n) {
    double* const to = block.scores.data() + (n - block.begin) * block.width;
    for_each_bit(block.bits.row(n), [&](std::size_t d) {
      const double* const from = block.weights.data() + d * block.width;
      for (std::size_t l = 0; l < block.width; ++l) to[l] += from[l];
    });
  }
}

[[gnu::always_inline]] inline void product(const Block& block) {
  if (block.end - block.begin < rows_for_tables) {
    product_by_ones(block);
  } else {
    product_by_tables(block);
  }
}

// With the number of words known to the compiler a row stays in registers.
template <std::size_t words>
[[gnu::always_inline]] inline void count_words(const std::uint64_t* row, const std::uint64_t* sets, std::size_t stride,
                                               std::span<std::uint32_t> counts) {
  std::uint64_t kept[words];
  std::copy_n(row, words, kept);
  for (std::size_t l = 0; l < counts.size(); ++l) {
    const std::uint64_t* const set = sets + l * stride;
    int count = 0;
    for (std::size_t w = 0; w < words; ++w) count += std::popcount(kept[w] & set[w]);
    counts[l] += static_cast<std::uint32_t>(count);
  }
}

[[gnu::always_inline]] inline void count_rows(std::span<const std::uint64_t> row, const BitMatrix& sets,
                                              std::span<std::uint32_t> counts) {
  const std::size_t words = row.size();
  const std::uint64_t* const first = sets.row(0).data();
  std::fill(counts.begin(), counts.end(), 0U);
  std::size_t w = 0;
  for (; w + 8 <= words; w += 8) count_words<8>(row.data() + w, first + w, words, counts);
  for (; w + 4 <= words; w += 4) count_words<4>(row.data() + w, first + w, words, counts);
  for (; w < words; ++w) count_words<1>(row.data() + w, first + w, words, counts);
}

[[gnu::always_inline]] inline std::size_t count_both(std::span<const std::uint64_t> a,
                                                     std::span<const std::uint64_t> b) {
  int count = 0;
  for (std::size_t w = 0; w < a.size(); ++w) count += std::popcount(a[w] & b[w]);
  return static_cast<std::size_t>(count);
}

[[gnu::always_inline]] inline void transposed(const BitMatrix& bits, std::span<const std::uint32_t> rows,
                                              std::span<const double> values, std::size_t width,
                                              std::span<double> sums) {
  std::vector<std::uint32_t> holders(bits.columns());  // by column: a bit for each of the rows
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for_each_bit(bits.row(rows[i]), [&](std::size_t d) { holders[d] |= std::uint32_t{1} << i; });
  }
  for (std::size_t d = 0; d < holders.size(); ++d) {
    double* const to = sums.data() + d * width;
    for (std::uint32_t rest = holders[d]; rest != 0; rest &= rest - 1) {
      const double* const from = values.data() + static_cast<std::size_t>(std::countr_zero(rest)) * width;
      for (std::size_t l = 0; l < width; ++l) to[l] += from[l];
    }
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void product_avx2(const Block& block) { product(block); }
[[gnu::target("avx2,popcnt")]] void count_rows_avx2(std::span<const std::uint64_t> row, const BitMatrix& sets,
                                                    std::span<std::uint32_t> counts) {
  count_rows(row, sets, counts);
}
[[gnu::target("avx2,popcnt")]] std::size_t count_both_avx2(std::span<const std::uint64_t> a,
                                                           std::span<const std::uint64_t> b) {
  return count_both(a, b);
}
[[gnu::target("avx2")]] void transposed_avx2(const BitMatrix& bits, std::span<const std::uint32_t> rows,
                                             std::span<const double> values, std::size_t width,
                                             std::span<double> sums) {
  transposed(bits, rows, values, width, sums);
}
#else
void product_avx2(const Block& block) { product(block); }
void count_rows_avx2(std::span<const std::uint64_t> row, const BitMatrix& sets, std::span<std::uint32_t> counts) {
  count_rows(row, sets, counts);
}
std::size_t count_both_avx2(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return count_both(a, b);
}
void transposed_avx2(const BitMatrix& bits, std::span<const std::uint32_t> rows, std::span<const double> values,
                     std::size_t width, std::span<double> sums) {
  transposed(bits, rows, values, width, sums);
}
#endif

}  // namespace

void add_bit_product(const BitMatrix& bits, std::size_t begin, std::size_t end, std::span<const double> weights,
                     std::size_t width, std::span<double> scores) {
  const Block block{bits, begin, end, weights, width, scores};
  has_avx2() ? product_avx2(block) : product(block);
}

void count_common_ones(std::span<const std::uint64_t> row, const BitMatrix& sets, std::span<std::uint32_t> counts) {
  has_avx2() ? count_rows_avx2(row, sets, counts) : count_rows(row, sets, counts);
}

std::size_t common_ones(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return has_avx2() ? count_both_avx2(a, b) : count_both(a, b);
}

void add_transposed_product(const BitMatrix& bits, std::span<const std::uint32_t> rows, std::span<const double> values,
                            std::size_t width, std::span<double> sums) {
  for (std::size_t i = 0; i < rows.size(); i += transposed_rows) {
    const std::size_t count = std::min(transposed_rows, rows.size() - i);
    const std::span<const double> part = values.subspan(i * width, count * width);
    has_avx2() ? transposed_avx2(bits, rows.subspan(i, count), part, width, sums)
               : transposed(bits, rows.subspan(i, count), part, width, sums);
  }
}

}  // namespace motet::roles
