// What the passes of a fit over the rows share: the rows, the parameters, and how rows are cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/candidate_items.h"
#include "motet/superset/lsb_cmm/product.h"

namespace motet::superset {

// Rows of x with their candidates. `of` says which item a row is; empty: row n is item n.
struct LsbRows {
  const CandidateItems& items;
  std::span<const double> x;
  std::size_t dimensions = 0;
  std::span<const std::uint32_t> of = {};

  std::size_t count() const { return of.empty() ? items.rows() : of.size(); }
  std::size_t item(std::size_t n) const { return of.empty() ? n : of[n]; }
  RowBlock<double> block(std::size_t begin, std::size_t end) const {
    return {x.data() + begin * dimensions, end - begin, dimensions};
  }
};

// Components side by side, filled up to a multiple of the lanes. The last component has no logit:
// its column of w is 0 and not read.
struct LsbParameters {
  std::size_t components = 0;
  std::size_t classes = 0;
  std::size_t dimensions = 0;
  std::vector<double> w;  // (dimensions + 1) x width, the bias last
  std::vector<double> a;  // components x classes

  std::size_t width() const { return padded(components); }
  std::size_t sticks() const { return components - 1; }
  const double* bias() const { return w.data() + dimensions * width(); }
};

// Tasks depend on the number of rows alone. A tile is what one product works on.
struct LsbTasks {
  static constexpr std::size_t tile = 64;
  static constexpr std::size_t most = 64;
  std::size_t rows;
  std::size_t rows_a_task;
  std::size_t count;

  explicit LsbTasks(std::size_t row_count) : rows(row_count) {
    const std::size_t tiles = (rows + tile - 1) / tile;
    rows_a_task = std::max<std::size_t>(1, (tiles + most - 1) / most) * tile;
    count = std::max<std::size_t>(1, (rows + rows_a_task - 1) / rows_a_task);
  }
  std::size_t begin(std::size_t task) const { return std::min(rows, task * rows_a_task); }
  std::size_t end(std::size_t task) const { return std::min(rows, (task + 1) * rows_a_task); }
};

// Variances of the prior of w: the features' and the bias's.
struct LsbPrior {
  double alpha = 0.05;
  double weight_variance = 1.0;
  double bias_variance = 100.0;
};

}  // namespace motet::superset
