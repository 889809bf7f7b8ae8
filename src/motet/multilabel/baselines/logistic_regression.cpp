#include "motet/multilabel/baselines/logistic_regression.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/engine/descent.h"

namespace motet::multilabel {
namespace {

constexpr double penalty = 10.0;              // 1 / C
constexpr std::size_t logistic_steps = 5000;  // a limit; these problems need some hundreds
constexpr double least_gradient = 1e-6;       // largest entry per item, at which the optimum is reached

// One row of weights and an intercept a class; for two classes one row, of the second.
struct Logistic {
  RowMatrixView x;
  std::span<const std::uint32_t> of;
  Eigen::Index rows;  // of weights

  double operator()(std::span<const double> w, std::span<double> gradient) const {
    const Eigen::Index columns = x.cols();
    const RowMatrixView weights(w.data(), rows, columns + 1);
    RowMatrix scores = x * weights.leftCols(columns).transpose();
    scores.rowwise() += weights.col(columns).transpose();
    double value = 0.5 * penalty * weights.leftCols(columns).squaredNorm();
    for (Eigen::Index n = 0; n < scores.rows(); ++n) value += loss(scores, n);
    Eigen::Map<RowMatrix> slopes(gradient.data(), rows, columns + 1);
    slopes.leftCols(columns).noalias() = scores.transpose() * x;
    slopes.leftCols(columns) += penalty * weights.leftCols(columns);
    slopes.col(columns) = scores.colwise().sum().transpose();
    return value;
  }

  // -log p of the true class; the scores become probabilities minus truth.
  double loss(RowMatrix& scores, Eigen::Index n) const {
    const std::uint32_t truth = of[static_cast<std::size_t>(n)];
    if (rows == 1) {
      const double s = scores(n, 0);
      scores(n, 0) = 1.0 / (1.0 + std::exp(-s)) - truth;
      return std::max(s, 0.0) + std::log1p(std::exp(-std::abs(s))) - truth * s;
    }
    const double own = scores(n, truth);
    const double most = scores.row(n).maxCoeff();
    scores.row(n) = (scores.row(n).array() - most).exp();
    const double sum = scores.row(n).sum();
    scores.row(n) /= sum;
    scores(n, truth) -= 1.0;
    return std::log(sum) + most - own;
  }
};

}  // namespace

std::vector<std::uint32_t> logistic_regression(const BaselineData& data, std::span<const std::uint32_t> of,
                                               std::size_t count, const RunContext& run) {
  const auto columns = at(data.dimensions);
  const Eigen::Index rows = count == 2 ? 1 : at(count);
  const Logistic problem{{data.train.data(), at(of.size()), columns}, of, rows};
  DescentRule rule;
  rule.max_steps = logistic_steps;
  rule.relative_fall = 0.0;  // only the gradient tells that the optimum is reached
  rule.least_gradient = least_gradient * static_cast<double>(of.size());
  rule.memory = 20;
  RunContext quietly = run;
  quietly.observer = nullptr;
  std::vector<double> w(static_cast<std::size_t>(rows * (columns + 1)));
  if (descend(problem, w, rule, quietly).stop == Stop::interrupted) {
    fail(ErrorKind::interrupted, "interrupted while fitting a logistic regression");
  }
  const RowMatrixView weights(w.data(), rows, columns + 1);
  RowMatrix scores =
      RowMatrixView(data.test.data(), at(data.test_rows()), columns) * weights.leftCols(columns).transpose();
  scores.rowwise() += weights.col(columns).transpose();
  std::vector<std::uint32_t> classes(data.test_rows());
  for (Eigen::Index n = 0; n < scores.rows(); ++n) {
    Eigen::Index best = scores(n, 0) > 0.0 ? 1 : 0;
    if (rows > 1) scores.row(n).maxCoeff(&best);
    classes[static_cast<std::size_t>(n)] = static_cast<std::uint32_t>(best);
  }
  return classes;
}

}  // namespace motet::multilabel
