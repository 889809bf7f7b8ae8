#include "motet/judges/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/data/eigen.h"

namespace motet {
namespace {

constexpr std::size_t max_iterations = 500;
constexpr int max_level_steps = 5;  // steps in a row that raise the objective by no more than rounding
constexpr int max_halvings = 60;
constexpr double rounding = 1e-12;            // relative error of a sum of log densities
constexpr double done_decrement = 1e-26;      // a step of 1e-13 standard errors
constexpr double accepted_decrement = 1e-10;  // 1e-5 standard errors: enough once steps no longer shrink
constexpr double level_decrement = 1e-4;      // 1 % of a standard error: enough once the objective is level
constexpr double singular = 1e-9;

using Indices = std::vector<Eigen::Index>;

struct Direction {
  Eigen::VectorXd step;
  double decrement = 0.0;
};

Direction ascent(const Curvature& curvature, const Indices& free) {
  const auto size = static_cast<Eigen::Index>(curvature.gradient.size());
  const Eigen::Map<const Eigen::VectorXd> gradient(curvature.gradient.data(), size);
  const RowMatrixView hessian(curvature.hessian.data(), size, size);
  const Eigen::VectorXd slope = gradient(free);
  const Eigen::MatrixXd down = -hessian(free, free);
  Direction direction{Eigen::VectorXd::Zero(size), 0.0};
  if (free.empty()) return direction;
  for (double damping = 0.0; damping < 1e12; damping = damping == 0.0 ? 1e-3 : 10.0 * damping) {
    Eigen::MatrixXd damped = down;
    damped.diagonal() += damping * (down.diagonal().cwiseAbs().array() + 1e-300).matrix();
    const Eigen::LLT<Eigen::MatrixXd> factor(damped);
    if (factor.info() != Eigen::Success) continue;
    const Eigen::VectorXd step = factor.solve(slope);
    if (!step.allFinite() || slope.dot(step) < 0.0) continue;
    direction.step(free) = step;
    direction.decrement = slope.dot(step);
    return direction;
  }
  return direction;
}

Indices free_parameters(std::span<const double> x, std::span<const double> lower, const Curvature& curvature) {
  Indices free;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool held = !lower.empty() && x[i] <= lower[i] && curvature.gradient[i] <= 0.0;
    if (!held) free.push_back(static_cast<Eigen::Index>(i));
  }
  return free;
}

// The direction on the free parameters, without those that sit on a bound and would leave.
Direction feasible_ascent(std::span<const double> x, std::span<const double> lower, const Curvature& curvature) {
  Indices free = free_parameters(x, lower, curvature);
  while (true) {
    Direction direction = ascent(curvature, free);
    const auto leaves = [&](Eigen::Index i) {
      const auto at = static_cast<std::size_t>(i);
      return !lower.empty() && x[at] <= lower[at] && direction.step(i) < 0.0;
    };
    if (std::erase_if(free, leaves) == 0) return direction;
  }
}

double longest_step(std::span<const double> x, std::span<const double> lower, const Eigen::VectorXd& step) {
  double longest = 1.0;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const double move = step(static_cast<Eigen::Index>(i));
    if (x[i] + move < lower[i]) longest = std::min(longest, (lower[i] - x[i]) / move);
  }
  return longest;
}

std::vector<double> moved(std::span<const double> x, std::span<const double> lower, const Eigen::VectorXd& step,
                          double length) {
  std::vector<double> result(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double move = length * step(static_cast<Eigen::Index>(i));
    result[i] += move;
    if (lower.empty()) continue;
    const double hair = 1e-12 * std::abs(x[i] - lower[i]);  // the step to a bound ends on it, not beside it
    if (move < 0.0 && result[i] <= lower[i] + hair) result[i] = lower[i];
  }
  return result;
}

}  // namespace

NewtonResult maximize(const CurvatureOf& curvature_of, std::vector<double> start, std::span<const double> lower,
                      const RunContext& run) {
  NewtonResult result{std::move(start), {}, {}, {}};
  result.curvature = curvature_of(result.at);
  std::vector<double>& objective = result.summary.objective;
  objective.push_back(result.curvature.value);
  double last_decrement = std::numeric_limits<double>::infinity();
  int level_steps = 0;
  while (objective.size() <= max_iterations) {
    if (run.cancelled()) {
      result.summary.stop = Stop::interrupted;
      break;
    }
    const Direction direction = feasible_ascent(result.at, lower, result.curvature);
    const bool stalled = direction.decrement <= accepted_decrement && direction.decrement >= 0.5 * last_decrement;
    const bool level = level_steps == max_level_steps && direction.decrement <= level_decrement;
    if (direction.decrement <= done_decrement || stalled || level) {
      result.summary.stop = Stop::converged;
      break;
    }
    last_decrement = direction.decrement;
    const double least = objective.back() - rounding * std::max(1.0, std::abs(objective.back()));
    double length = longest_step(result.at, lower, direction.step);
    bool risen = false;
    for (int halving = 0; halving < max_halvings && !risen; ++halving, length *= 0.5) {
      std::vector<double> trial = moved(result.at, lower, direction.step, length);
      Curvature there = curvature_of(trial);
      // Sufficient rise, where it is large enough to be seen above rounding.
      risen = there.value >= std::max(least, least + 1e-4 * length * direction.decrement) && std::isfinite(there.value);
      if (!risen) continue;
      result.at = std::move(trial);
      result.curvature = std::move(there);
      objective.push_back(result.curvature.value);
    }
    const std::size_t last = objective.size() - 1;
    const bool flat =
        risen && objective[last] - objective[last - 1] <= rounding * std::max(1.0, std::abs(objective[last]));
    level_steps = flat ? std::min(level_steps + 1, max_level_steps) : 0;
    if (!risen) {
      if (direction.decrement <= level_decrement) result.summary.stop = Stop::converged;
      break;
    }
  }
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    result.at_bound.push_back(!lower.empty() && result.at[i] <= lower[i]);
  }
  return result;
}

std::vector<double> inverse_of_information(std::span<const double> information, std::size_t size) {
  const auto n = static_cast<Eigen::Index>(size);
  const RowMatrixView matrix(information.data(), n, n);
  if (!matrix.allFinite() || !(matrix.diagonal().array() > 0.0).all()) return {};
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  if (!(eigen.eigenvalues()(0) > singular)) return {};
  const Eigen::MatrixXd inverse =
      eigen.eigenvectors() * eigen.eigenvalues().cwiseInverse().asDiagonal() * eigen.eigenvectors().transpose();
  std::vector<double> result(size * size);
  Eigen::Map<RowMatrix>(result.data(), n, n) = scale.asDiagonal() * inverse * scale.asDiagonal();
  return result;
}

}  // namespace motet
