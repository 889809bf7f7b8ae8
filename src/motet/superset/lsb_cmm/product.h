// The two products of a fit, over a few rows at a time so that all of it stays in the cache.
//
// Columns of a result lie side by side (k of w_k), four or eight at a time; nothing is fused, so a
// product has the same bits on every machine.
#pragma once

#include <cstddef>

namespace motet::superset {

// Rows of x, `dimensions` numbers each.
template <class T>
struct RowBlock {
  const T* values;
  std::size_t rows;
  std::size_t dimensions;
};

constexpr std::size_t product_lanes = 4;  // widths are multiples of it; of twice as much for floats

constexpr std::size_t padded(std::size_t width, std::size_t lanes = product_lanes) {
  return (width + lanes - 1) / lanes * lanes;
}

// u = x w, rows x width. w: dimensions x width, and where `bias` is not null that row is added.
void multiply_rows(const RowBlock<double>& x, const double* w, const double* bias, std::size_t width, double* u);
void multiply_rows(const RowBlock<float>& x, const float* w, const float* bias, std::size_t width, float* u);

// g += x' r, dimensions x width. r: rows x width.
void add_transposed(const RowBlock<double>& x, const double* r, std::size_t width, double* g);
void add_transposed(const RowBlock<float>& x, const float* r, std::size_t width, float* g);

}  // namespace motet::superset
