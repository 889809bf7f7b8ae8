// Rows as the spreading of answers sees them: smoothed over the time of a short event and in units of the
// background's spread, so that every direction in which the background wanders counts alike.
//
//   s_n = mean of the rows within w of n in its sequence, w = a tenth of the radius
//   z_n = L^-1 (s_n - m),  L L^T = (1 - rho) S + rho diag(S),  rho = D / (D + N / (2w + 1))
//
// S is the covariance of all s_n: events are rare, so it is that of the background. Neighbours share most of their
// smoothed rows, hence N / (2w + 1) in place of N.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/features.h"

namespace motet::discover {

struct WhitenedRows {
  std::size_t dimensions = 0;
  std::vector<float> values;   // row by row; the background's centre is 0
  std::vector<double> centre;  // m
  std::vector<double> factor;  // L, row by row

  std::span<const float> row(std::size_t n) const { return {values.data() + n * dimensions, dimensions}; }
  std::vector<float> whitened(std::span<const double> smoothed) const;  // of a row from elsewhere
};

std::size_t smoothing_reach(std::size_t radius);  // w

WhitenedRows whitened_rows(const Features& features, std::size_t radius, Threads threads);

// s_n of one row.
std::vector<double> smoothed_row(const Features& features, std::size_t row, std::size_t radius);

}  // namespace motet::discover
