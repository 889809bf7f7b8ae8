#include "motet/engine/descent.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "motet/data/eigen.h"

namespace motet {
namespace {

using Vector = Eigen::VectorXd;

constexpr double sufficient_fall = 1e-4;  // of Armijo's rule
constexpr int most_halvings = 40;

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

}  // namespace

FitSummary descend(const SmoothFunction& function, std::vector<double>& w, const DescentRule& rule,
                   const RunContext& run) {
  FitSummary summary;
  const auto size = static_cast<Eigen::Index>(w.size());
  Vector here = Eigen::Map<const Vector>(w.data(), size);
  Vector gradient(size), there(size), new_gradient(size);
  const auto value_at = [&](const Vector& at, Vector& slope) {
    return function({at.data(), w.size()}, {slope.data(), w.size()});
  };
  double now = value_at(here, gradient);
  summary.objective.push_back(-now);
  std::deque<Pair> pairs;
  for (std::size_t steps = 0; steps < rule.max_steps; ++steps) {
    if (run.cancelled()) {
      summary.stop = Stop::interrupted;
      break;
    }
    if (gradient.lpNorm<Eigen::Infinity>() <= rule.least_gradient) {
      summary.stop = Stop::converged;
      break;
    }
    Vector direction = direction_of(gradient, pairs);
    double slope = gradient.dot(direction);
    if (!(slope < 0.0)) {
      pairs.clear();
      direction = -gradient;
      slope = -gradient.squaredNorm();
    }
    double length = pairs.empty() ? std::min(1.0, 1.0 / gradient.lpNorm<1>()) : 1.0;
    double next = now;
    int halvings = 0;
    for (; halvings < most_halvings; ++halvings, length *= 0.5) {
      there = here + length * direction;
      next = value_at(there, new_gradient);
      if (next <= now + sufficient_fall * length * slope) break;
    }
    if (halvings == most_halvings) {
      summary.stop = Stop::converged;  // no step falls any more: rounding
      break;
    }
    Pair pair{there - here, new_gradient - gradient, 0.0};
    const double curvature = pair.step.dot(pair.change);
    if (curvature > 1e-10 * pair.step.norm() * pair.change.norm()) {
      pair.rho = 1.0 / curvature;
      pairs.push_back(std::move(pair));
      if (pairs.size() > rule.memory) pairs.pop_front();
    }
    const double fall = now - next;
    here.swap(there);
    gradient.swap(new_gradient);
    now = next;
    summary.objective.push_back(-now);
    if (run.observer) run.observer({"fitting", static_cast<double>(steps + 1), 0.0, "steps"});
    if (fall <= rule.relative_fall * (std::abs(now) + 1.0)) {
      summary.stop = Stop::converged;
      break;
    }
  }
  std::copy(here.data(), here.data() + size, w.begin());
  return summary;
}

}  // namespace motet
