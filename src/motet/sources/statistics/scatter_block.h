// Sums of d d' over a block of centred rows, in tiles of four lines by up to three groups of four
// columns: of a value loaded once, up to twelve products are made. See base/lanes.h.
#pragma once

#include <cstddef>

#include "motet/base/lanes.h"

namespace motet {

constexpr std::size_t scatter_lines = lane_count;

constexpr std::size_t whole_lanes(std::size_t dimensions) {
  return (dimensions + lane_count - 1) / lane_count * lane_count;
}

// Rows that fit the nearest cache together with their sums.
constexpr std::size_t scatter_rows(std::size_t width) {
  constexpr std::size_t numbers = 3072;
  constexpr std::size_t least = 32;
  return numbers / width > least ? numbers / width : least;
}

template <std::size_t groups>
[[gnu::always_inline]] inline void add_scatter_tile(const double* rows, std::size_t count, std::size_t width,
                                                    std::size_t line, std::size_t column, double* sums) {
  Lanes sum[scatter_lines][groups];
  for (std::size_t i = 0; i < scatter_lines; ++i) {
    for (std::size_t g = 0; g < groups; ++g) {
      sum[i][g] = load_lanes(sums + (line + i) * width + column + g * lane_count);
    }
  }
  for (std::size_t n = 0; n < count; ++n) {
    const double* const row = rows + n * width;
    Lanes right[groups];
    for (std::size_t g = 0; g < groups; ++g) right[g] = load_lanes(row + column + g * lane_count);
    for (std::size_t i = 0; i < scatter_lines; ++i) {
      const Lanes left = all_lanes(row[line + i]);
      for (std::size_t g = 0; g < groups; ++g) sum[i][g] += left * right[g];
    }
  }
  for (std::size_t i = 0; i < scatter_lines; ++i) {
    for (std::size_t g = 0; g < groups; ++g) {
      store_lanes(sums + (line + i) * width + column + g * lane_count, sum[i][g]);
    }
  }
}

// sums (width x width) += sum_n d d' where column <= line, and a little beyond; width is whole lanes.
[[gnu::always_inline]] inline void add_scatter(const double* rows, std::size_t count, std::size_t width, double* sums) {
  for (std::size_t line = 0; line < width; line += scatter_lines) {
    const std::size_t end = line + scatter_lines;
    std::size_t column = 0;
    while (column < end) {
      const std::size_t left = (end - column) / lane_count;
      if (left == 3 || left >= 5) {
        add_scatter_tile<3>(rows, count, width, line, column, sums);
        column += 3 * lane_count;
      } else if (left >= 2) {
        add_scatter_tile<2>(rows, count, width, line, column, sums);
        column += 2 * lane_count;
      } else {
        add_scatter_tile<1>(rows, count, width, line, column, sums);
        column += lane_count;
      }
    }
  }
}

// sums (width) += sum_n d^2
[[gnu::always_inline]] inline void add_squares(const double* rows, std::size_t count, std::size_t width, double* sums) {
  for (std::size_t d = 0; d < width; d += lane_count) {
    Lanes sum = load_lanes(sums + d);
    for (std::size_t n = 0; n < count; ++n) {
      const Lanes value = load_lanes(rows + n * width + d);
      sum += value * value;
    }
    store_lanes(sums + d, sum);
  }
}

}  // namespace motet
