// What a family other than the Gaussian says of the items of each label set, one dimension at a time: their mean, how
// it moves with the sources, and the Fisher information that follows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

// One dimension of a family other than Gaussian.
struct Responses {
  std::size_t unknowns = 0;         // the sources, then the flip or the rate, where there is one
  std::vector<double> value;        // sources: probabilities half an item away from 0 and 1, rates, shapes
  std::vector<double> mean;         // sets
  std::vector<double> variance;     // sets
  std::vector<double> kurtosis;     // sets: excess of one item
  std::vector<double> gradient;     // sets x unknowns: of the mean
  std::vector<double> information;  // unknowns x unknowns, of all items
};
Responses responses(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                    std::size_t dimension);

}  // namespace motet::multilabel
