// Products of the items' features with a matrix of weights, for items of which most features may be 0: where at most a
// fifth of the values is not, only those are gone through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motet::multilabel {

class RowProducts {
 public:
  // `x` is rows x dimensions and outlives this.
  RowProducts(std::span<const double> x, std::size_t dimensions);

  std::size_t rows() const { return rows_; }
  std::size_t dimensions() const { return dimensions_; }
  bool is_sparse() const { return !starts_.empty(); }
  double mean_square() const;  // of the length of a row; 1 where all features are 0

  // result (rows x columns) = x w + the last row of w; w is (dimensions + 1) x columns.
  void times(std::size_t begin, std::size_t end, std::span<const double> w, std::size_t columns,
             std::span<double> result) const;

  // gradient ((dimensions + 1) x columns) += x' residuals; its last row the sums of the residuals.
  void add_transposed(std::size_t begin, std::size_t end, std::span<const double> residuals, std::size_t columns,
                      std::span<double> gradient) const;

 private:
  std::span<const double> x_;
  std::size_t rows_ = 0;
  std::size_t dimensions_ = 0;
  std::vector<std::size_t> starts_;    // of each row among the values; empty: dense
  std::vector<std::uint32_t> column_;  // of each value
  std::vector<double> value_;
};

}  // namespace motet::multilabel
