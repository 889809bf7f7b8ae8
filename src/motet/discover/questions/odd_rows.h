// Rows as the ways of asking by distance see them: in units in which the rows spread alike in all directions, averaged
// over a short time.
//
//   z_n = V^T S^-1 (x_n - m) / sqrt(lambda)        S the columns' deviations, V and lambda the eigenvectors and values
//                                                  of their correlations, shrunk by a tenth towards none
//   y_n = mean of z over rows n - w ... n + w      in its sequence; again in units of its columns' deviations
//
// An event lasts several rows and noise does not, so averaging tells them apart; beyond a quarter of the radius it
// blurs short events. Oddness is |y_n| in units of its median. Values are of single precision: they only choose
// questions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/features.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::discover {

struct OddRows {
  std::size_t columns = 0;
  std::vector<float> values;   // rows x columns
  std::vector<float> oddness;  // one per row
  // Square of the distance to the nearest row that was answered; infinite before the first answer. One per row.
  std::vector<float> nearest;

  bool is_empty() const { return values.empty(); }
  std::size_t rows() const { return oddness.size(); }
  std::span<const float> row(std::size_t n) const { return {values.data() + n * columns, columns}; }
};

OddRows odd_rows(const Features& features, const temporal::GlobalShape& global, std::size_t half_width,
                 Threads threads);

// Brings `nearest` up to date with one more answered row.
void take_answered(OddRows& odd, std::size_t row, Threads threads);

// The same for a copy of `nearest`: `row` may be asked.
void take_near(const OddRows& odd, std::size_t row, Threads threads, std::vector<float>& nearest);

}  // namespace motet::discover
