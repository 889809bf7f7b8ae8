#include "motet/engine/descent.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/engine/iterate.h"

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

class Descent {
 public:
  Descent(const SmoothFunction& function, std::span<const double> w, const DescentRule& rule)
      : function_(function),
        rule_(rule),
        here_(Eigen::Map<const Vector>(w.data(), at(w.size()))),
        gradient_(here_.size()),
        there_(here_.size()),
        new_gradient_(here_.size()),
        now_(value_at(here_, gradient_)) {}

  double objective() const { return -now_; }
  std::span<const double> here() const { return {here_.data(), static_cast<std::size_t>(here_.size())}; }

  Step step() {
    Step taken;
    const double before = now_;
    if (gradient_.lpNorm<Eigen::Infinity>() <= rule_.least_gradient || !fall()) {
      taken.stop = Stop::converged;
    } else {
      taken.change = (before - now_) / (std::abs(now_) + 1.0);
    }
    return taken;
  }

 private:
  double value_at(const Vector& w, Vector& slope) const {
    const auto size = static_cast<std::size_t>(w.size());
    return function_({w.data(), size}, {slope.data(), size});
  }

  // False when no step falls any more: rounding.
  bool fall() {
    Vector direction = direction_of(gradient_, pairs_);
    double slope = gradient_.dot(direction);
    if (!(slope < 0.0)) {
      pairs_.clear();
      direction = -gradient_;
      slope = -gradient_.squaredNorm();
    }
    double length = pairs_.empty() ? std::min(1.0, 1.0 / gradient_.lpNorm<1>()) : 1.0;
    for (int halvings = 0; halvings < most_halvings; ++halvings, length *= 0.5) {
      there_ = here_ + length * direction;
      const double next = value_at(there_, new_gradient_);
      if (!(next <= now_ + sufficient_fall * length * slope)) continue;
      remember();
      here_.swap(there_);
      gradient_.swap(new_gradient_);
      now_ = next;
      return true;
    }
    return false;
  }

  void remember() {
    Pair pair{there_ - here_, new_gradient_ - gradient_, 0.0};
    const double curvature = pair.step.dot(pair.change);
    if (!(curvature > 1e-10 * pair.step.norm() * pair.change.norm())) return;
    pair.rho = 1.0 / curvature;
    pairs_.push_back(std::move(pair));
    if (pairs_.size() > rule_.memory) pairs_.pop_front();
  }

  const SmoothFunction& function_;
  const DescentRule& rule_;
  Vector here_, gradient_, there_, new_gradient_;
  double now_;
  std::deque<Pair> pairs_;
};

}  // namespace

FitSummary descend(const SmoothFunction& function, std::vector<double>& w, const DescentRule& rule,
                   const RunContext& run) {
  Descent descent(function, w, rule);
  IterationRule ends{rule.max_steps + 1, rule.relative_fall};
  ends.least_rise = -infinity;
  FitSummary summary =
      iterate({[&] { return descent.objective(); }, [&] { return descent.step(); }, {}, {}, {}}, ends, run, "descent");
  w.assign(descent.here().begin(), descent.here().end());
  return summary;
}

}  // namespace motet
