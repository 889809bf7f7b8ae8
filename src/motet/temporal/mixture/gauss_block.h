// The inner loops over a block of rows laid out dimension by dimension: log densities
// and responsibilities; moment_block.h has the moments. Everything is inlined into functions that say which
// instructions may be used, see lanes.h.
//
// Matrices are worked through in tiles of four lines: line i of the lower triangle has
// columns 0 ... i, and a tile takes as many columns as its last line, the missing ones
// being 0. Of a value loaded once, four results are made.
#pragma once

#include <algorithm>
#include <cstddef>

#include "motet/base/lanes.h"

namespace motet::temporal {

constexpr std::size_t block_rows = 64;
constexpr std::size_t tile_lines = 4;

// Numbers in the tiles of a lower triangle.
constexpr std::size_t tiled_size(std::size_t dimensions) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < dimensions; i += tile_lines) {
    const std::size_t lines = std::min(tile_lines, dimensions - i);
    size += lines * (i + lines);
  }
  return size;
}

// visit(position in the tiles, line, column) for each place, also those above the diagonal.
template <class Visit>
void for_each_tiled(std::size_t dimensions, const Visit& visit) {
  std::size_t at = 0;
  for (std::size_t first = 0; first < dimensions; first += tile_lines) {
    const std::size_t lines = std::min(tile_lines, dimensions - first);
    for (std::size_t column = 0; column < first + lines; ++column) {
      for (std::size_t i = 0; i < lines; ++i) visit(at++, first + i, column);
    }
  }
}

// rows x dimensions to dimensions x block_rows. Places past `count` repeat the last row.
[[gnu::always_inline]] inline void transpose_block(const double* rows, std::size_t count, std::size_t dimensions,
                                                   double* block) {
  std::size_t n = 0;
  for (; n + lane_count <= count; n += lane_count) {
    const double* const a = rows + n * dimensions;
    const double* const b = a + dimensions;
    const double* const c = b + dimensions;
    const double* const e = c + dimensions;
    for (std::size_t d = 0; d < dimensions; ++d) store_lanes(block + d * block_rows + n, Lanes{a[d], b[d], c[d], e[d]});
  }
  for (; n < block_rows; ++n) {
    const double* const row = rows + std::min(n, count - 1) * dimensions;
    for (std::size_t d = 0; d < dimensions; ++d) block[d * block_rows + n] = row[d];
  }
}

[[gnu::always_inline]] inline void subtract_mean(const double* block, const double* mean, std::size_t dimensions,
                                                 double* difference) {
  for (std::size_t d = 0; d < dimensions; ++d) {
    const Lanes m = all_lanes(mean[d]);
    for (std::size_t n = 0; n < block_rows; n += lane_count) {
      store_lanes(difference + d * block_rows + n, load_lanes(block + d * block_rows + n) - m);
    }
  }
}

// Adds the squares of `lines` elements of L^-1 d, for eight rows. A tile has each number in all lanes.
template <std::size_t lines>
[[gnu::always_inline]] inline void add_squares(const double* difference, std::size_t columns, const double* tile,
                                               Lanes& q0, Lanes& q1) {
  Lanes y0[lines] = {};
  Lanes y1[lines] = {};
  const auto add_column = [&](std::size_t j, std::size_t first) __attribute__((always_inline)) {
    const Lanes d0 = load_lanes(difference + j * block_rows);
    const Lanes d1 = load_lanes(difference + j * block_rows + lane_count);
    for (std::size_t i = first; i < lines; ++i) {
      const Lanes c = load_lanes(tile + (j * lines + i) * lane_count);
      y0[i] += c * d0;
      y1[i] += c * d1;
    }
  };
  // The last columns of a tile are 0 in its first lines.
  constexpr std::size_t fewer = lines == tile_lines ? lines / 2 : 0;
  for (std::size_t j = 0; j + fewer < columns; ++j) add_column(j, 0);
  for (std::size_t j = columns - fewer; j < columns; ++j) add_column(j, fewer);
  for (std::size_t i = 0; i < lines; ++i) {
    q0 += y0[i] * y0[i];
    q1 += y1[i] * y1[i];
  }
}

// log densities of a block: norm - |L^-1 d|^2 / 2.
[[gnu::always_inline]] inline void block_densities(const double* difference, std::size_t dimensions,
                                                   const double* tiles, double norm, double* densities) {
  for (std::size_t n = 0; n < block_rows; n += 2 * lane_count) {
    Lanes q0 = {};
    Lanes q1 = {};
    const double* tile = tiles;
    std::size_t i = 0;
    for (; i + tile_lines <= dimensions; i += tile_lines) {
      add_squares<tile_lines>(difference + n, i + tile_lines, tile, q0, q1);
      tile += tile_lines * (i + tile_lines) * lane_count;
    }
    switch (dimensions - i) {
      case 1: add_squares<1>(difference + n, dimensions, tile, q0, q1); break;
      case 2: add_squares<2>(difference + n, dimensions, tile, q0, q1); break;
      case 3: add_squares<3>(difference + n, dimensions, tile, q0, q1); break;
      default: break;
    }
    store_lanes(densities + n, all_lanes(norm) - all_lanes(0.5) * q0);
    store_lanes(densities + n + lane_count, all_lanes(norm) - all_lanes(0.5) * q1);
  }
}

// The same where the covariance is diagonal: `scales` are the inverse standard deviations.
[[gnu::always_inline]] inline void block_densities_diagonal(const double* difference, std::size_t dimensions,
                                                            const double* scales, double norm, double* densities) {
  for (std::size_t n = 0; n < block_rows; n += lane_count) {
    Lanes q = {};
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Lanes y = load_lanes(difference + d * block_rows + n) * all_lanes(scales[d]);
      q += y * y;
    }
    store_lanes(densities + n, all_lanes(norm) - all_lanes(0.5) * q);
  }
}

// Responsibilities from log joint probabilities of a block, components x block_rows, in place. Adds to `objective`
// the log of each row's sum, by lanes; rows past `count` count for nothing and get responsibility 0.
[[gnu::always_inline]] inline void block_responsibilities(double* table, std::size_t components, std::size_t count,
                                                          double& objective) {
  Lanes highest = {};
  Lanes product = all_lanes(1.0);  // of at most 16 sums of at most 255 terms: no overflow, and 4 logarithms per block
  for (std::size_t n = 0; n < block_rows; n += lane_count) {
    Lanes most = load_lanes(table + n);
    for (std::size_t k = 1; k < components; ++k) most = max_lanes(most, load_lanes(table + k * block_rows + n));
    Lanes sum = {};
    for (std::size_t k = 0; k < components; ++k) {
      const Lanes e = exp_of_negative(load_lanes(table + k * block_rows + n) - most);
      store_lanes(table + k * block_rows + n, e);
      sum += e;
    }
    Lanes scale = all_lanes(1.0) / sum;
    if (n + lane_count > count) {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        if (n + lane < count) continue;
        scale[lane] = 0.0;
        sum[lane] = 1.0;
        most[lane] = 0.0;
      }
    }
    highest += most;
    product *= sum;
    for (std::size_t k = 0; k < components; ++k) {
      store_lanes(table + k * block_rows + n, load_lanes(table + k * block_rows + n) * scale);
    }
  }
  objective += sum_of_lanes(highest);
  objective += (log_of_positive(product[0]) + log_of_positive(product[1])) +
               (log_of_positive(product[2]) + log_of_positive(product[3]));
}

}  // namespace motet::temporal
