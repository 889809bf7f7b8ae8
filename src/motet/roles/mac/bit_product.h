// Products with a matrix of bits: what an E-step over label sets is made of.
//
// A product of bits and numbers needs no multiplication. Bits are taken eight at a time:
// a table holds the sum of the chosen weights for each of the 256 bytes, and a row adds
// one line of the table per byte. With yes/no weights on both sides a product is AND and a
// count of ones. Both use AVX2 where the processor has it; the results are the same
// without, bit for bit: each sum is taken in the same order, and nothing is fused.
#pragma once

#include <cstddef>
#include <span>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

inline constexpr std::size_t block_rows = 512;  // rows scored at a time

// scores[(n - begin) * width + l] += sum over the ones d of row n of weights[d * width + l],
// for the rows begin <= n < end.
void add_bit_product(const BitMatrix& bits, std::size_t begin, std::size_t end, std::span<const double> weights,
                     std::size_t width, std::span<double> scores);

// counts[l] = how many ones the row has in common with row l of `sets`.
void count_common_ones(std::span<const std::uint64_t> row, const BitMatrix& sets, std::span<std::uint32_t> counts);

// How many ones two rows have in common.
std::size_t common_ones(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// The transposed product: sums[d * width + l] += sum over the rows n that hold d of
// values[i * width + l], n = rows[i]. Rows are taken a few at a time, so that their values
// stay in the cache while the columns go by.
void add_transposed_product(const BitMatrix& bits, std::span<const std::uint32_t> rows, std::span<const double> values,
                            std::size_t width, std::span<double> sums);

constexpr std::size_t transposed_rows = 32;  // best handed over at a time, and at most

}  // namespace motet::roles
