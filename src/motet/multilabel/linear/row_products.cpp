#include "motet/multilabel/linear/row_products.h"

#include <algorithm>

#include "motet/data/eigen.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t sparse_share = 5;  // one value in so many may differ from 0

}  // namespace

RowProducts::RowProducts(std::span<const double> x, std::size_t dimensions)
    : x_(x), rows_(dimensions == 0 ? 0 : x.size() / dimensions), dimensions_(dimensions) {
  const auto filled = static_cast<std::size_t>(std::count_if(x.begin(), x.end(), [](double v) { return v != 0.0; }));
  if (filled * sparse_share > x.size()) return;
  starts_.push_back(0);
  column_.reserve(filled);
  value_.reserve(filled);
  for (std::size_t n = 0; n < rows_; ++n) {
    for (std::size_t d = 0; d < dimensions_; ++d) {
      const double value = x[n * dimensions_ + d];
      if (value == 0.0) continue;
      column_.push_back(static_cast<std::uint32_t>(d));
      value_.push_back(value);
    }
    starts_.push_back(value_.size());
  }
}

double RowProducts::mean_square() const {
  double sum = 0.0;
  for (const double value : x_) sum += value * value;
  return sum > 0.0 ? sum / static_cast<double>(rows_) : 1.0;
}

void RowProducts::times(std::size_t begin, std::size_t end, std::span<const double> w, std::size_t columns,
                        std::span<double> result) const {
  const RowMatrixView weights(w.data(), at(dimensions_ + 1), at(columns));
  Eigen::Map<RowMatrix> out(result.data(), at(end - begin), at(columns));
  if (!is_sparse()) {
    out.noalias() = RowMatrixView(x_.data() + begin * dimensions_, at(end - begin), at(dimensions_)) *
                    weights.topRows(at(dimensions_));
    out.rowwise() += weights.row(at(dimensions_));
    return;
  }
  for (std::size_t n = begin; n < end; ++n) {
    auto row = out.row(at(n - begin));
    row = weights.row(at(dimensions_));
    for (std::size_t i = starts_[n]; i < starts_[n + 1]; ++i) row += value_[i] * weights.row(at(column_[i]));
  }
}

void RowProducts::add_transposed(std::size_t begin, std::size_t end, std::span<const double> residuals,
                                 std::size_t columns, std::span<double> gradient) const {
  const RowMatrixView r(residuals.data(), at(end - begin), at(columns));
  Eigen::Map<RowMatrix> out(gradient.data(), at(dimensions_ + 1), at(columns));
  out.row(at(dimensions_)) += r.colwise().sum();
  if (!is_sparse()) {
    out.topRows(at(dimensions_)).noalias() +=
        RowMatrixView(x_.data() + begin * dimensions_, at(end - begin), at(dimensions_)).transpose() * r;
    return;
  }
  for (std::size_t n = begin; n < end; ++n) {
    const auto row = r.row(at(n - begin));
    for (std::size_t i = starts_[n]; i < starts_[n + 1]; ++i) out.row(at(column_[i])) += value_[i] * row;
  }
}

}  // namespace motet::multilabel
