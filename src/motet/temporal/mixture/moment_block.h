// Sums of w, w d and w d d^T over a block of rows laid out dimension by dimension, each
// lane for itself: see gauss_block.h for the tiles.
#pragma once

#include "motet/temporal/mixture/gauss_block.h"

namespace motet::temporal {

// sums[j * stride + i] += sum_n w d_i d_j by lanes, i below `lines` and j below `columns`.
template <std::size_t lines, std::size_t columns, std::size_t stride>
[[gnu::always_inline]] inline void add_products(const double* weighted, const double* difference, double* sums) {
  Lanes s[columns][lines];
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < lines; ++i) s[j][i] = load_lanes(sums + (j * stride + i) * lane_count);
  }
  for (std::size_t n = 0; n < block_rows; n += lane_count) {
    Lanes w[lines];
    for (std::size_t i = 0; i < lines; ++i) w[i] = load_lanes(weighted + i * block_rows + n);
    for (std::size_t j = 0; j < columns; ++j) {
      const Lanes d = load_lanes(difference + j * block_rows + n);
      for (std::size_t i = 0; i < lines; ++i) s[j][i] += w[i] * d;
    }
  }
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < lines; ++i) store_lanes(sums + (j * stride + i) * lane_count, s[j][i]);
  }
}

template <std::size_t lines>
[[gnu::always_inline]] inline void add_tile_products(const double* weighted, const double* difference,
                                                     std::size_t columns, double* sums) {
  // Of the last two columns of a whole tile only the last two lines lie below the diagonal.
  constexpr std::size_t fewer = lines == tile_lines ? 2 : 0;
  std::size_t j = 0;
  for (; j + 2 + fewer <= columns; j += 2) {
    add_products<lines, 2, lines>(weighted, difference + j * block_rows, sums + j * lines * lane_count);
  }
  if constexpr (fewer > 0) {
    add_products<2, 2, lines>(weighted + 2 * block_rows, difference + j * block_rows,
                              sums + (j * lines + 2) * lane_count);
  } else if (j < columns) {
    add_products<lines, 1, lines>(weighted, difference + j * block_rows, sums + j * lines * lane_count);
  }
}

// Lanes of the moments of one component: weight, D of the first, tiles of the second.
constexpr std::size_t lane_sums_size(std::size_t dimensions) {
  return lane_count * (1 + dimensions + tiled_size(dimensions));
}

// Adds a block's weights w, w d and w d d^T, each lane for itself. `weighted` is room for dimensions x block_rows.
[[gnu::always_inline]] inline void add_block_moments(const double* difference, const double* weights,
                                                     std::size_t dimensions, double* weighted, double* sums) {
  Lanes w = load_lanes(sums);
  for (std::size_t n = 0; n < block_rows; n += lane_count) w += load_lanes(weights + n);
  store_lanes(sums, w);
  for (std::size_t d = 0; d < dimensions; ++d) {
    double* const first = sums + (1 + d) * lane_count;
    Lanes total = load_lanes(first);
    for (std::size_t n = 0; n < block_rows; n += lane_count) {
      const Lanes wd = load_lanes(weights + n) * load_lanes(difference + d * block_rows + n);
      store_lanes(weighted + d * block_rows + n, wd);
      total += wd;
    }
    store_lanes(first, total);
  }
  double* tile = sums + (1 + dimensions) * lane_count;
  std::size_t i = 0;
  for (; i + tile_lines <= dimensions; i += tile_lines) {
    add_tile_products<tile_lines>(weighted + i * block_rows, difference, i + tile_lines, tile);
    tile += tile_lines * (i + tile_lines) * lane_count;
  }
  switch (dimensions - i) {
    case 1: add_tile_products<1>(weighted + i * block_rows, difference, dimensions, tile); break;
    case 2: add_tile_products<2>(weighted + i * block_rows, difference, dimensions, tile); break;
    case 3: add_tile_products<3>(weighted + i * block_rows, difference, dimensions, tile); break;
    default: break;
  }
}

}  // namespace motet::temporal
