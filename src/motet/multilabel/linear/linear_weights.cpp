#include "motet/multilabel/linear/linear_weights.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/data/labelled_items.h"
#include "motet/data/record_fields.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t scored_together = 256;

double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

RowMatrix members_of(const BitMatrix& sets) {
  RowMatrix members = RowMatrix::Zero(at(sets.rows()), at(sets.columns()));
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    for_each_bit(sets.row(j), [&](std::size_t k) { members(at(j), at(k)) = 1.0; });
  }
  return members;
}

// One block of items: z is rows x labels, scores rows x sets.
void score_chain(const LinearWeights& weights, const RowMatrix& members, const RowMatrix& z,
                 Eigen::Map<RowMatrix> scores) {
  const auto labels = at(weights.rows);
  const RowMatrix offsets = members * RowMatrixView(weights.links.data(), labels, labels).transpose();
  for (Eigen::Index n = 0; n < z.rows(); ++n) {
    for (Eigen::Index j = 0; j < members.rows(); ++j) {
      double sum = 0.0;
      for (Eigen::Index k = 0; k < labels; ++k) {
        const double own = z(n, k) + offsets(j, k);
        sum -= softplus(members(j, k) > 0.0 ? -own : own);
      }
      scores(n, j) = sum;
    }
  }
}

void score_powerset(const BitMatrix& observed, const BitMatrix& sets, const RowMatrix& z,
                    Eigen::Map<RowMatrix> scores) {
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    const std::size_t own = find_set(observed, sets.row(j));
    if (own == no_set) {
      scores.col(at(j)).setConstant(-infinity);
    } else {
      scores.col(at(j)) = z.col(at(own));
    }
  }
}

}  // namespace

std::vector<double> set_scores(const LinearWeights& weights, Training method, const BitMatrix& observed,
                               const BitMatrix& sets, std::span<const double> x, Threads threads) {
  const std::size_t rows = weights.dimensions == 0 ? 0 : x.size() / weights.dimensions;
  const RowMatrixView w(weights.weights.data(), at(weights.dimensions + 1), at(weights.rows));
  const RowMatrix members = method == Training::powerset ? RowMatrix() : members_of(sets);
  std::vector<double> result(rows * sets.rows());
  for_each_task((rows + scored_together - 1) / scored_together, threads, [&](std::size_t task) {
    const std::size_t begin = task * scored_together;
    const std::size_t end = std::min(rows, begin + scored_together);
    RowMatrix z = RowMatrixView(x.data() + begin * weights.dimensions, at(end - begin), at(weights.dimensions)) *
                  w.topRows(at(weights.dimensions));
    z.rowwise() += w.row(at(weights.dimensions));
    Eigen::Map<RowMatrix> scores(result.data() + begin * sets.rows(), at(end - begin), at(sets.rows()));
    if (method == Training::powerset) return score_powerset(observed, sets, z, scores);
    if (method == Training::chain) return score_chain(weights, members, z, scores);
    scores.noalias() = z * members.transpose();
    if (method == Training::log_linear) return;
    for (Eigen::Index n = 0; n < z.rows(); ++n) {
      double sum = 0.0;
      for (Eigen::Index k = 0; k < z.cols(); ++k) sum += softplus(z(n, k));
      scores.row(n).array() -= sum;
    }
  });
  return result;
}

std::vector<double> line_scores(const LinearWeights& weights, std::span<const double> x, Threads threads) {
  const std::size_t rows = weights.dimensions == 0 ? 0 : x.size() / weights.dimensions;
  const RowMatrixView w(weights.weights.data(), at(weights.dimensions + 1), at(weights.rows));
  std::vector<double> result(rows * weights.rows);
  for_each_task((rows + scored_together - 1) / scored_together, threads, [&](std::size_t task) {
    const std::size_t begin = task * scored_together;
    const std::size_t end = std::min(rows, begin + scored_together);
    Eigen::Map<RowMatrix> z(result.data() + begin * weights.rows, at(end - begin), at(weights.rows));
    z.noalias() = RowMatrixView(x.data() + begin * weights.dimensions, at(end - begin), at(weights.dimensions)) *
                  w.topRows(at(weights.dimensions));
    z.rowwise() += w.row(at(weights.dimensions));
  });
  return result;
}

Value to_value(const LinearWeights& weights) {
  Value fields = Value::object(
      {{"rows", weights.rows}, {"dimensions", weights.dimensions}, {"weights", Value::list_of(weights.weights)}});
  if (!weights.links.empty()) fields.set("links", Value::list_of(weights.links));
  return fields;
}

LinearWeights linear_weights_from(const Value& value) {
  LinearWeights weights;
  weights.rows = count_at(value, "rows");
  weights.dimensions = count_at(value, "dimensions");
  constexpr std::size_t most = 100'000'000;
  if (weights.rows == 0 || weights.rows > most || weights.dimensions > most) {
    fail(ErrorKind::bad_data, "fields 'rows' and 'dimensions' are beyond what a model can have");
  }
  weights.weights = finite_numbers(value, "weights", (weights.dimensions + 1) * weights.rows);
  if (value.find("links") != nullptr) weights.links = finite_numbers(value, "links", weights.rows * weights.rows);
  return weights;
}

}  // namespace motet::multilabel
