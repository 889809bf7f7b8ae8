// What the trainings without sources have learnt: weights of the features, and what they say of label sets.
//
// z_k = w_k x + b_k, one for each label k (of `powerset` one for each label set observed). Up to a number of the item:
//   log-linear  log p(L | x) = log P(L) + sum_{k in L} z_k, P(L) the share of L among the training items: labels weigh
//               in together, and every set competes with every other
//   logistic    log p(L | x) = sum_k log s(z_k) for k in L, log s(-z_k) for the others; s(z) = 1 / (1 + e^-z)
//   svm         the same formula with the distances of support vector machines: an order, no probability
//   chain       the same as logistic, but z_k + sum_{j < k, j in L} u_kj: labels know those before them
//   powerset    log p(L | x) = z_L
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/bit_matrix.h"
#include "motet/data/value.h"
#include "motet/multilabel/options.h"

namespace motet::multilabel {

struct LinearWeights {
  std::size_t rows = 0;         // labels, or label sets
  std::size_t dimensions = 0;   // features
  std::vector<double> weights;  // (dimensions + 1) x rows, intercepts last
  std::vector<double> links;    // of a chain, rows x rows: u_kj at [k * rows + j], 0 unless j < k; else empty
  bool operator==(const LinearWeights&) const = default;
};

// z: rows of x times rows of the weights.
std::vector<double> line_scores(const LinearWeights& weights, std::span<const double> x, Threads threads);

// Of trainings that know no sources, and what they say of sets; `observed` are the sets of the training items. Rows of
// x times sets. A set that `powerset` has not observed has -inf.
std::vector<double> set_scores(const LinearWeights& weights, Training method, const BitMatrix& observed,
                               const BitMatrix& sets, std::span<const double> x, Threads threads);

Value to_value(const LinearWeights& weights);
LinearWeights linear_weights_from(const Value& value);  // throws Error{bad_data}

}  // namespace motet::multilabel
