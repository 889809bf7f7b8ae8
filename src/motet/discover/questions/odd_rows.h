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
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/features.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::discover {

struct OddRows {
  std::size_t columns = 0;
  std::vector<float> values;          // rows x columns
  std::vector<float> oddness;         // one per row
  std::vector<std::size_t> answered;  // in order
  // Square of the distance to the nearest of the first `counted` rows that were answered, infinite where none is
  // counted. One per row. Distances are counted when somebody asks for them, of a row by one thread at a time: what is
  // known of most rows soon says that they are not the next question. Empty before the first answer.
  mutable std::vector<float> nearest;
  mutable std::vector<std::uint32_t> counted;

  bool is_empty() const { return values.empty(); }
  std::size_t rows() const { return oddness.size(); }
  std::span<const float> row(std::size_t n) const { return {values.data() + n * columns, columns}; }
};

OddRows odd_rows(const Features& features, const temporal::GlobalShape& global, std::size_t half_width,
                 Threads threads);

void take_answered(OddRows& odd, std::size_t row);

float squared_distance(const OddRows& odd, std::size_t a, std::size_t b);

// Square of the distance of a row to the nearest that was answered, or anything that makes `nearest` times `weight`
// less than `least`.
float nearest_answered(const OddRows& odd, std::size_t row, float weight, float least);

}  // namespace motet::discover
