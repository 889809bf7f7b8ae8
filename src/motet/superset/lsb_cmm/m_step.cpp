#include "motet/superset/lsb_cmm/m_step.h"

#include <cmath>

#include "motet/superset/lsb_cmm/slope.h"

namespace motet::superset {
namespace {

constexpr std::size_t most_halvings = 10;
constexpr double rounding = 1e-13;  // of a sum over rows, relative

using Columns = std::vector<double>;  // size x width or one per column

// a'b of each column.
Columns dots(std::span<const double> a, std::span<const double> b, std::size_t width) {
  Columns sums(width);
  for (std::size_t i = 0; i < a.size(); i += width) {
    for (std::size_t k = 0; k < width; ++k) sums[k] += a[i + k] * b[i + k];
  }
  return sums;
}

class Newton {
 public:
  Newton(const LsbRows& rows, LsbParameters& parameters, const EStepSums& sums, const LsbKept& kept,
         const StickCurvature& curvature, const MStepRule& rule, double scale, Threads threads)
      : rows_(rows),
        parameters_(parameters),
        kept_(kept),
        curvature_(curvature),
        rule_(rule),
        scale_(scale),
        threads_(threads),
        size_(rows.dimensions + 1),
        width_(parameters.width()) {
    take({sums.q, sums.curvature, sums.gradient}, parameters.w);
    double items = 0.0;
    items_.resize(parameters.components);
    for (std::size_t k = parameters.components; k-- > 0;) items_[k] = items += sums.mass[k];
  }

  MStepOutcome go() {
    for (std::size_t step = 0; step < rule_.steps; ++step) {
      choose_sticks();
      if (active_.empty() && bounded_.empty()) break;
      find_directions(step == 0 ? rule_.inner : std::max<std::size_t>(rule_.inner, 2) - 1);
      move(step + 1 < rule_.steps);
    }
    return outcome_;
  }

 private:
  // Adds the prior to what a pass over the rows gave.
  void take(Slope slope, std::span<const double> w) {
    objective_ = objective_of(slope, w);
    for (std::size_t k = 0; k < width_; ++k) slope.curvature[k] *= scale_ / curvature_.rows();
    mean_curvature_ = std::move(slope.curvature);
    gradient_ = std::move(slope.gradient);
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      gradient_[i] = scale_ * gradient_[i] - curvature_.precision()[i / width_] * w[i];
    }
  }

  Columns objective_of(const Slope& slope, std::span<const double> w) const {
    Columns objective(width_);
    for (std::size_t i = 0; i < w.size(); ++i) {
      objective[i % width_] -= 0.5 * curvature_.precision()[i / width_] * w[i] * w[i];
    }
    for (std::size_t k = 0; k < width_; ++k) objective[k] += scale_ * slope.q[k];
    return objective;
  }

  // By the gain that a step with the mean curvature promises.
  void choose_sticks() {
    solved_.resize(gradient_.size());
    curvature_.solve(mean_curvature_, width_, gradient_, solved_);
    const Columns gain = dots(gradient_, solved_, width_);
    double mean = 0.0;
    for (std::size_t k = 0; k < parameters_.sticks(); ++k) mean += gain[k] / static_cast<double>(parameters_.sticks());
    Columns steepest(width_);
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      steepest[i % width_] = std::max(steepest[i % width_], std::abs(gradient_[i]));
    }
    active_.clear();
    bounded_.clear();
    for (std::uint32_t k = 0; k < parameters_.sticks(); ++k) {
      if (steepest[k] <= rule_.flat * scale_ * std::max(1.0, items_[k])) continue;
      const bool is_small = gain[k] < rule_.small_gain * mean && curvature_.is_bound();
      (is_small ? bounded_ : active_).push_back(k);
    }
  }

  Columns packed(std::span<const double> from, std::size_t width) const {
    Columns to(from.size() / width_ * width);
    for (std::size_t i = 0; i < from.size() / width_; ++i) {
      for (std::size_t j = 0; j < active_.size(); ++j) to[i * width + j] = from[i * width_ + active_[j]];
    }
    return to;
  }

  void find_directions(std::size_t most_inner) {
    direction_.assign(gradient_.size(), 0.0);
    if (!bounded_.empty()) {
      const Columns bound(width_, boehning * scale_ * static_cast<double>(rows_.count()) / curvature_.rows());
      curvature_.solve(bound, width_, gradient_, solved_);
      for (std::size_t i = 0; i < size_; ++i) {
        for (const std::uint32_t k : bounded_) direction_[i * width_ + k] = solved_[i * width_ + k];
      }
    }
    if (!active_.empty()) conjugate_gradients(most_inner);
  }

  void conjugate_gradients(std::size_t most_inner) {
    const std::size_t width = padded(active_.size(), 2 * product_lanes);
    const Columns c = packed(mean_curvature_, width);
    Columns residual = packed(gradient_, width);
    Columns z(residual.size());
    Columns x(residual.size());
    curvature_.solve(c, width, residual, z);
    Columns p = z;
    Columns rz = dots(residual, z, width);
    const Columns first = rz;
    for (std::size_t inner = 0; inner < most_inner; ++inner) {
      Columns hp = curvature_times(rows_, kept_.curvature, width_, active_, p, threads_);
      ++outcome_.passes;
      for (std::size_t i = 0; i < hp.size(); ++i) hp[i] = scale_ * hp[i] + curvature_.precision()[i / width] * p[i];
      const Columns php = dots(p, hp, width);
      Columns step(width);
      for (std::size_t j = 0; j < active_.size(); ++j) step[j] = php[j] > 0.0 ? rz[j] / php[j] : 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] += step[i % width] * p[i];
        residual[i] -= step[i % width] * hp[i];
      }
      if (inner + 1 == most_inner) break;
      curvature_.solve(c, width, residual, z);
      const Columns next = dots(residual, z, width);
      bool done = true;
      Columns keep(width);
      for (std::size_t j = 0; j < active_.size(); ++j) {
        const bool enough = !(next[j] > rule_.inner_tolerance * rule_.inner_tolerance * first[j]);
        done = done && enough;
        keep[j] = rz[j] > 0.0 ? next[j] / rz[j] : 0.0;
      }
      if (done) break;
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + keep[i % width] * p[i];
      rz = next;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < active_.size(); ++j) direction_[i * width_ + active_[j]] = x[i * width + j];
    }
  }

  // Every stick by its own length; the pass that proves a length gives the next gradient.
  void move(bool with_gradient) {
    Columns length(width_, 1.0);
    for (std::size_t halving = 0;; ++halving) {
      Columns trial = parameters_.w;
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] += length[i % width_] * direction_[i];
      Slope slope = slope_at(rows_, trial, parameters_.components, kept_.rho, kept_.curvature, with_gradient, threads_);
      ++outcome_.passes;
      const Columns reached = objective_of(slope, trial);
      bool fell = false;
      for (std::size_t k = 0; k < parameters_.sticks(); ++k) {
        if (reached[k] >= objective_[k] - rounding * std::abs(objective_[k]) || length[k] == 0.0) continue;
        fell = true;
        length[k] = halving < most_halvings ? 0.5 * length[k] : 0.0;
      }
      if (fell) continue;
      for (std::size_t k = 0; k < parameters_.sticks(); ++k) outcome_.gain += reached[k] - objective_[k];
      parameters_.w = std::move(trial);
      if (with_gradient) take(std::move(slope), parameters_.w);
      return;
    }
  }

  const LsbRows& rows_;
  LsbParameters& parameters_;
  const LsbKept& kept_;
  const StickCurvature& curvature_;
  const MStepRule& rule_;
  double scale_;
  Threads threads_;
  std::size_t size_;
  std::size_t width_;
  Columns items_;  // that reach a stick: rho + psi
  Columns objective_;
  Columns mean_curvature_;
  Columns gradient_;
  Columns solved_;
  Columns direction_;
  std::vector<std::uint32_t> active_;
  std::vector<std::uint32_t> bounded_;
  MStepOutcome outcome_;
};

}  // namespace

MStepOutcome m_step(const LsbRows& rows, LsbParameters& parameters, const EStepSums& sums, const LsbKept& kept,
                    const StickCurvature& curvature, const MStepRule& rule, double scale, Threads threads) {
  return Newton(rows, parameters, sums, kept, curvature, rule, scale, threads).go();
}

double log_prior(const LsbParameters& parameters, const LsbPrior& prior) {
  const std::size_t width = parameters.width();
  double sum = 0.0;
  for (std::size_t i = 0; i < parameters.w.size(); ++i) {
    const bool is_bias = i / width == parameters.dimensions;
    sum -= 0.5 * parameters.w[i] * parameters.w[i] / (is_bias ? prior.bias_variance : prior.weight_variance);
  }
  return sum;
}

}  // namespace motet::superset
