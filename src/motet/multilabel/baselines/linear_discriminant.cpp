#include "motet/multilabel/baselines/linear_discriminant.h"

#include <algorithm>
#include <cmath>

#include "motet/data/eigen.h"

namespace motet::multilabel {
namespace {

// Weight of the diagonal for rows of residuals of one class, by Ledoit and Wolf (2004) in units
// in which every column has variance 1: how far outer products scatter about their mean R over how
// far R is from I. sum_n |z_n z_n' - R|^2 = sum_n |z_n|^4 - N |R|^2.
double diagonal_weight(RowMatrix residuals) {
  const double rows = static_cast<double>(residuals.rows());
  double columns = 0.0;  // that vary
  for (Eigen::Index d = 0; d < residuals.cols(); ++d) {
    const double variance = residuals.col(d).squaredNorm() / rows;
    if (variance > 0.0) columns += 1.0;
    residuals.col(d) *= variance > 0.0 ? 1.0 / std::sqrt(variance) : 0.0;
  }
  // |R|^2 from the smaller of the two products.
  const RowMatrix product = residuals.rows() < residuals.cols() ? RowMatrix(residuals * residuals.transpose())
                                                                : RowMatrix(residuals.transpose() * residuals);
  const double square = product.squaredNorm() / (rows * rows);
  const double fourth = residuals.rowwise().squaredNorm().array().square().sum() / rows;
  const double away = square - columns;
  return away > 0.0 ? std::clamp((fourth - square) / rows / away, 0.0, 1.0) : 1.0;
}

// The mean over items of the classes' covariances, each shrunk to its diagonal. Rows of residuals
// are ordered by class.
RowMatrix shrunk_covariance(RowMatrix residuals, const std::vector<Eigen::Index>& starts) {
  const double rows = static_cast<double>(residuals.rows());
  const Eigen::RowVectorXd variances = residuals.colwise().squaredNorm() / rows;
  for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
    auto own = residuals.middleRows(starts[c], starts[c + 1] - starts[c]);
    own *= std::sqrt(1.0 - diagonal_weight(own));
  }
  RowMatrix covariance = residuals.transpose() * residuals / rows;
  covariance.diagonal() = variances.cwiseMax(1e-12).transpose();  // columns that do not vary at all
  return covariance;
}

}  // namespace

std::vector<std::uint32_t> linear_discriminant(const BaselineData& data, std::span<const std::uint32_t> of,
                                               std::size_t count, const RunContext& /*run*/) {
  const auto columns = at(data.dimensions);
  const RowMatrixView train(data.train.data(), at(of.size()), columns);
  const RowMatrixView test(data.test.data(), at(data.test_rows()), columns);
  RowMatrix means = RowMatrix::Zero(at(count), columns);
  Eigen::VectorXd items = Eigen::VectorXd::Zero(at(count));
  for (std::size_t n = 0; n < of.size(); ++n) {
    means.row(of[n]) += train.row(at(n));
    items(of[n]) += 1.0;
  }
  for (Eigen::Index c = 0; c < means.rows(); ++c) means.row(c) /= items(c);
  std::vector<Eigen::Index> starts{0};
  for (Eigen::Index c = 0; c < means.rows(); ++c) starts.push_back(starts.back() + static_cast<Eigen::Index>(items(c)));
  std::vector<Eigen::Index> next = starts;
  RowMatrix residuals(train.rows(), columns);
  for (std::size_t n = 0; n < of.size(); ++n) residuals.row(next[of[n]]++) = train.row(at(n)) - means.row(of[n]);
  const Eigen::LLT<RowMatrix> factor(shrunk_covariance(std::move(residuals), starts));
  const RowMatrix weights = factor.solve(means.transpose());  // D x classes
  const Eigen::RowVectorXd offsets = (items / items.sum()).array().log().matrix().transpose() -
                                     0.5 * weights.cwiseProduct(means.transpose()).colwise().sum();
  RowMatrix scores = test * weights;
  scores.rowwise() += offsets;
  std::vector<std::uint32_t> classes(data.test_rows());
  for (Eigen::Index n = 0; n < scores.rows(); ++n) {
    Eigen::Index best = 0;
    scores.row(n).maxCoeff(&best);
    classes[static_cast<std::size_t>(n)] = static_cast<std::uint32_t>(best);
  }
  return classes;
}

}  // namespace motet::multilabel
