// Sufficient statistics of the items of each label set, gathered in one pass; every
// iteration of training afterwards costs the same for a thousand and a million items.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/labelled_items.h"
#include "motet/sources/family_fit.h"
#include "motet/sources/sources.h"

namespace motet {

struct SetStatistics {
  BitMatrix sets;  // different label sets x labels
  std::size_t dimensions = 0;
  std::vector<double> count;    // items of each set
  std::vector<double> mean;     // sets x D: mean of x (lognormal: of log x)
  std::vector<double> scatter;  // sets x D x D: sum (x - mean)(x - mean)', or sets x D when only the diagonal is needed
  std::vector<double> mean_log;                    // sets x D: mean of log x, for families that need it; else empty
  std::vector<std::vector<WeightedValue>> values;  // sets x D: each value and how often it occurs, the same
  bool full = false;                               // scatter holds matrices
  double log_jacobian = 0.0;                       // sum of -log x, for lognormal; else 0

  std::size_t size() const { return sets.rows(); }
  double total() const;  // items
};

// Equal values together, rising.
std::vector<WeightedValue> counted(std::vector<double> values);

// x is rows x D, in the order of index.of_row. Throws Error{bad_data} with row and column for a
// value outside the family (a negative count, a Boolean that is neither 0 nor 1, ...), numbering from 0.
SetStatistics gather(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions, Family family,
                     bool full, Threads threads);

}  // namespace motet
