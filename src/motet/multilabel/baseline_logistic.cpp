// Logistic regression by L-BFGS (Nocedal and Wright 2006, chapter 7): the problem is convex, so
// every start ends in the one optimum.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <deque>

#include "motet/base/error.h"
#include "motet/multilabel/baseline_parts.h"

namespace motet {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

constexpr double penalty = 10.0;          // 1 / C
constexpr std::size_t memory = 20;        // pairs of steps and gradient changes
constexpr std::size_t most_steps = 5000;  // a limit; these problems need some hundreds
constexpr double least_gradient = 1e-6;   // largest entry an item, at which the optimum is reached
constexpr double sufficient_fall = 1e-4;  // of Armijo's rule

Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

struct Pair {
  Vector step, change;
  double rho = 0.0;
};

Vector direction_of(const Vector& gradient, const std::deque<Pair>& pairs) {
  Vector direction = -gradient;
  std::vector<double> alpha(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    alpha[i] = pairs[i].rho * pairs[i].step.dot(direction);
    direction -= alpha[i] * pairs[i].change;
  }
  if (!pairs.empty()) direction /= pairs.back().rho * pairs.back().change.squaredNorm();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    direction += (alpha[i] - pairs[i].rho * pairs[i].change.dot(direction)) * pairs[i].step;
  }
  return direction;
}

// value(w, gradient) is convex and smooth.
template <class Value>
Vector minimize(Vector w, double tolerance, const Value& value, const RunContext& run) {
  Vector gradient(w.size());
  double now = value(w, gradient);
  std::deque<Pair> pairs;
  for (std::size_t steps = 0; steps < most_steps && gradient.lpNorm<Eigen::Infinity>() > tolerance; ++steps) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while fitting a logistic regression");
    Vector direction = direction_of(gradient, pairs);
    double slope = gradient.dot(direction);
    if (!(slope < 0.0)) {
      pairs.clear();
      direction = -gradient;
      slope = -gradient.squaredNorm();
    }
    double length = pairs.empty() ? std::min(1.0, 1.0 / gradient.lpNorm<1>()) : 1.0;
    Vector there(w.size());
    Vector new_gradient(w.size());
    double then = now;
    bool fell = false;
    for (int tries = 0; tries < 60 && !fell; ++tries, length *= 0.5) {
      there = w + length * direction;
      then = value(there, new_gradient);
      fell = then <= now + sufficient_fall * length * slope;
    }
    if (!fell) break;  // rounding: no better point can be told
    Pair pair{there - w, new_gradient - gradient, 0.0};
    const double curvature = pair.step.dot(pair.change);
    if (curvature > 1e-12 * pair.change.squaredNorm()) {
      pair.rho = 1.0 / curvature;
      pairs.push_back(std::move(pair));
      if (pairs.size() > memory) pairs.pop_front();
    }
    w = std::move(there);
    gradient = new_gradient;
    now = then;
  }
  return w;
}

// One row of weights and an intercept a class; for two classes one row, of the second.
struct Logistic {
  Eigen::Map<const Matrix> x;
  std::span<const std::uint32_t> of;
  Eigen::Index rows;  // of weights

  double operator()(const Vector& w, Vector& gradient) const {
    const Eigen::Index columns = x.cols();
    const Eigen::Map<const Matrix> weights(w.data(), rows, columns + 1);
    Matrix scores = x * weights.leftCols(columns).transpose();
    scores.rowwise() += weights.col(columns).transpose();
    double value = 0.5 * penalty * weights.leftCols(columns).squaredNorm();
    for (Eigen::Index n = 0; n < scores.rows(); ++n) value += loss(scores, n);
    Eigen::Map<Matrix> slopes(gradient.data(), rows, columns + 1);
    slopes.leftCols(columns).noalias() = scores.transpose() * x;
    slopes.leftCols(columns) += penalty * weights.leftCols(columns);
    slopes.col(columns) = scores.colwise().sum().transpose();
    return value;
  }

  // -log p of the true class; the scores become probabilities minus truth.
  double loss(Matrix& scores, Eigen::Index n) const {
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
  const double tolerance = least_gradient * static_cast<double>(of.size());
  const Vector w = minimize(Vector::Zero(rows * (columns + 1)), tolerance, problem, run);
  const Eigen::Map<const Matrix> weights(w.data(), rows, columns + 1);
  Matrix scores =
      Eigen::Map<const Matrix>(data.test.data(), at(data.test_rows()), columns) * weights.leftCols(columns).transpose();
  scores.rowwise() += weights.col(columns).transpose();
  std::vector<std::uint32_t> classes(data.test_rows());
  for (Eigen::Index n = 0; n < scores.rows(); ++n) {
    Eigen::Index best = scores(n, 0) > 0.0 ? 1 : 0;
    if (rows > 1) scores.row(n).maxCoeff(&best);
    classes[static_cast<std::size_t>(n)] = static_cast<std::uint32_t>(best);
  }
  return classes;
}

}  // namespace motet
