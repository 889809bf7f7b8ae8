// The inner loops of set_density.cpp: a block of rows, laid out dimension by dimension, under one
// label set. See base/lanes.h: all of it is inlined into functions that say which instructions
// may be used, and gives the same bits with any of them.
#pragma once

#include <cstddef>

#include "motet/base/lanes.h"

namespace motet {

constexpr std::size_t density_rows = 64;  // of a block
constexpr std::size_t density_tile = 4;   // lines of a matrix that are worked on together

// Numbers in the tiles of a lower triangle: tile after tile, column after column, four lines each;
// lines past the end and places above the diagonal are 0.
constexpr std::size_t triangle_size(std::size_t dimensions) {
  std::size_t size = 0;
  for (std::size_t first = 0; first < dimensions; first += density_tile) {
    const std::size_t end = first + density_tile;
    size += density_tile * (end < dimensions ? end : dimensions);
  }
  return size;
}

constexpr std::size_t whole_tiles(std::size_t dimensions) {
  return (dimensions + density_tile - 1) / density_tile * density_tile;
}

// The sum over lines of term(line, rows) for all rows of a block; 32 rows at a time, so that eight sums
// need not wait for each other.
template <class Term>
[[gnu::always_inline]] inline void sum_lines(const double* block, std::size_t lines, double* sums, const Term& term) {
  constexpr std::size_t groups = 8;
  for (std::size_t n = 0; n < density_rows; n += groups * lane_count) {
    Lanes sum[groups] = {};
    for (std::size_t line = 0; line < lines; ++line) {
      const double* const from = block + line * density_rows + n;
      for (std::size_t g = 0; g < groups; ++g) sum[g] += term(line, load_lanes(from + g * lane_count));
    }
    for (std::size_t g = 0; g < groups; ++g) store_lanes(sums + n + g * lane_count, sum[g]);
  }
}

// sum_f w_f x_f
[[gnu::always_inline]] inline void weighted_sums(const double* block, std::size_t lines, const double* weights,
                                                 double* sums) {
  sum_lines(
      block, lines, sums, [weights](std::size_t f, const Lanes& x) __attribute__((always_inline)) {
        return all_lanes(weights[f]) * x;
      });
}

// sum_d (x_d - mean_d)^2
[[gnu::always_inline]] inline void squared_distances(const double* block, std::size_t lines, const double* mean,
                                                     double* sums) {
  sum_lines(
      block, lines, sums, [mean](std::size_t d, const Lanes& x) __attribute__((always_inline)) {
        const Lanes difference = x - all_lanes(mean[d]);
        return difference * difference;
      });
}

// sum_d (x_d - mean_d)^2 precision_d
[[gnu::always_inline]] inline void scaled_distances(const double* block, std::size_t lines, const double* mean,
                                                    const double* precision, double* sums) {
  sum_lines(
      block, lines, sums, [ mean, precision ](std::size_t d, const Lanes& x) __attribute__((always_inline)) {
        const Lanes difference = x - all_lanes(mean[d]);
        return difference * difference * all_lanes(precision[d]);
      });
}

[[gnu::always_inline]] inline void subtract_lines(const double* block, std::size_t lines, const double* mean,
                                                  double* difference) {
  for (std::size_t d = 0; d < lines; ++d) {
    const Lanes m = all_lanes(mean[d]);
    for (std::size_t n = 0; n < density_rows; n += lane_count) {
      store_lanes(difference + d * density_rows + n, load_lanes(block + d * density_rows + n) - m);
    }
  }
}

// y = T x for a lower triangle T in tiles; `y` has whole tiles of lines.
[[gnu::always_inline]] inline void multiply_triangle(const double* block, std::size_t lines, const double* triangle,
                                                     double* y) {
  const double* tile = triangle;
  for (std::size_t first = 0; first < lines; first += density_tile) {
    const std::size_t columns = first + density_tile < lines ? first + density_tile : lines;
    for (std::size_t n = 0; n < density_rows; n += 2 * lane_count) {
      Lanes a[density_tile] = {};
      Lanes b[density_tile] = {};
      for (std::size_t j = 0; j < columns; ++j) {
        const Lanes x0 = load_lanes(block + j * density_rows + n);
        const Lanes x1 = load_lanes(block + j * density_rows + n + lane_count);
        for (std::size_t i = 0; i < density_tile; ++i) {
          const Lanes t = all_lanes(tile[j * density_tile + i]);
          a[i] += t * x0;
          b[i] += t * x1;
        }
      }
      for (std::size_t i = 0; i < density_tile; ++i) {
        store_lanes(y + (first + i) * density_rows + n, a[i]);
        store_lanes(y + (first + i) * density_rows + n + lane_count, b[i]);
      }
    }
    tile += density_tile * columns;
  }
}

// The part of y in the span of `count` orthonormal rows of `basis`, p = B y, and |y - B'p|^2 of what is left.
[[gnu::always_inline]] inline void project_lines(const double* y, std::size_t lines, const double* basis,
                                                 std::size_t count, double* p, double* left) {
  for (std::size_t i = 0; i < count; ++i) weighted_sums(y, lines, basis + i * lines, p + i * density_rows);
  constexpr std::size_t groups = 4;
  for (std::size_t n = 0; n < density_rows; n += groups * lane_count) {
    Lanes sum[groups] = {};
    for (std::size_t d = 0; d < lines; ++d) {
      Lanes rest[groups];
      for (std::size_t g = 0; g < groups; ++g) rest[g] = load_lanes(y + d * density_rows + n + g * lane_count);
      for (std::size_t i = 0; i < count; ++i) {
        const Lanes b = all_lanes(basis[i * lines + d]);
        for (std::size_t g = 0; g < groups; ++g) {
          rest[g] -= b * load_lanes(p + i * density_rows + n + g * lane_count);
        }
      }
      for (std::size_t g = 0; g < groups; ++g) sum[g] += rest[g] * rest[g];
    }
    for (std::size_t g = 0; g < groups; ++g) store_lanes(left + n + g * lane_count, sum[g]);
  }
}

}  // namespace motet
