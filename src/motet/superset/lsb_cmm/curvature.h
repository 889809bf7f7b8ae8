// Solves with c X'X + P for any c at the cost of two small products, X with a column of ones and P
// the precision of the prior: X'X is diagonalised once for all sticks and all iterations.
//
// With c = 1/4 this is the bound of Boehning on the curvature of every stick, so a step with it never
// lowers the objective; with c the mean curvature of a stick it is what conjugate gradients start from.
// Beyond `most_exact` features only the diagonal of X'X is used, and then there is no bound.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/superset/lsb_cmm/lsb_rows.h"

namespace motet::superset {

class StickCurvature {
 public:
  static constexpr std::size_t most_exact = 400;

  StickCurvature(const LsbRows& rows, const LsbPrior& prior, Threads threads);

  bool is_bound() const { return exact_; }
  std::size_t size() const { return precision_.size(); }
  double rows() const { return rows_; }
  std::span<const double> precision() const { return precision_; }  // of the prior

  // z = (c_k X'X + P)^-1 r, column by column; both size() x width.
  void solve(std::span<const double> c, std::size_t width, std::span<const double> r, std::span<double> z) const;

 private:
  bool exact_;
  double rows_;
  std::vector<double> precision_;
  std::vector<double> values_;   // of P^-1/2 X'X P^-1/2
  std::vector<double> vectors_;  // P^-1/2 V, row by row; empty: only the diagonal
};

}  // namespace motet::superset
