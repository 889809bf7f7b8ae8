#include "motet/engine/newton.h"

#include <algorithm>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/engine/iterate.h"

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

class Ascent {
 public:
  Ascent(const CurvatureOf& curvature_of, std::vector<double> start, std::span<const double> lower)
      : curvature_of_(curvature_of), lower_(lower), at_(std::move(start)), curvature_(curvature_of(at_)) {}

  double objective() const { return curvature_.value; }

  Step step() {
    const Direction direction = feasible_ascent(at_, lower_, curvature_);
    const bool stalled = direction.decrement <= accepted_decrement && direction.decrement >= 0.5 * last_decrement_;
    const bool level = level_steps_ == max_level_steps && direction.decrement <= level_decrement;
    if (direction.decrement <= done_decrement || stalled || level) return ends(Stop::converged);
    last_decrement_ = direction.decrement;
    const double before = curvature_.value;
    if (!rise(direction)) {
      return ends(direction.decrement <= level_decrement ? Stop::converged : Stop::iteration_limit);
    }
    const bool flat = curvature_.value - before <= rounding * std::max(1.0, std::abs(curvature_.value));
    level_steps_ = flat ? std::min(level_steps_ + 1, max_level_steps) : 0;
    return {};
  }

  NewtonResult result(FitSummary summary) {
    std::vector<bool> at_bound;
    for (std::size_t i = 0; i < at_.size(); ++i) at_bound.push_back(!lower_.empty() && at_[i] <= lower_[i]);
    return {std::move(at_), std::move(at_bound), std::move(curvature_), std::move(summary)};
  }

 private:
  static Step ends(Stop why) {
    Step none;
    none.stop = why;
    return none;
  }

  // Goes the longest of the halved ways that raises the objective; false when none does.
  bool rise(const Direction& direction) {
    const double least = curvature_.value - rounding * std::max(1.0, std::abs(curvature_.value));
    double length = longest_step(at_, lower_, direction.step);
    for (int halving = 0; halving < max_halvings; ++halving, length *= 0.5) {
      std::vector<double> trial = moved(at_, lower_, direction.step, length);
      Curvature there = curvature_of_(trial);
      // Sufficient rise, where it is large enough to be seen above rounding.
      const double goal = std::max(least, least + 1e-4 * length * direction.decrement);
      if (!(there.value >= goal) || !std::isfinite(there.value)) continue;
      at_ = std::move(trial);
      curvature_ = std::move(there);
      return true;
    }
    return false;
  }

  const CurvatureOf& curvature_of_;
  std::span<const double> lower_;
  std::vector<double> at_;
  Curvature curvature_;  // at at_
  double last_decrement_ = infinity;
  int level_steps_ = 0;
};

}  // namespace

NewtonResult maximize(const CurvatureOf& curvature_of, std::vector<double> start, std::span<const double> lower,
                      const RunContext& run) {
  Ascent ascent(curvature_of, std::move(start), lower);
  IterationRule ends{max_iterations + 1};
  ends.least_rise = -infinity;
  return ascent.result(
      iterate({[&] { return ascent.objective(); }, [&] { return ascent.step(); }, {}, {}, {}}, ends, run, {}));
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
