#include "motet/multilabel/sources/integrated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/engine/iterate.h"
#include "motet/engine/kept_tasks.h"
#include "motet/multilabel/sources/integrated_feature.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t feature_steps = 100;  // of one feature
constexpr double told_error = 1e-6;         // of a log density: enough for a million million items
constexpr double least_rise = 1e-9;         // of the objective, relative

// What one source of the set would have emitted if all had emitted the same.
double share_of(double x, double m, Combination combination) {
  if (combination == Combination::sum) return x / m;
  if (combination == Combination::product) return std::copysign(std::pow(std::abs(x), 1.0 / m), x);
  return x;
}

// Each source as if its items had been shared out evenly among their labels, with weight 1 / m.
Sources start_of(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions, const SetDesign& design,
                 const TrainOptions& options) {
  const std::size_t cells = design.sources * dimensions;
  std::vector<double> weight(design.sources, 0.0);
  std::vector<double> mean(cells, 0.0);
  std::vector<double> square(cells, 0.0);
  for (std::size_t n = 0; n < index.of_row.size(); ++n) {
    const std::size_t l = index.of_row[n];
    const double m = design.degree(l);
    for (const std::uint32_t k : design.members[l]) {
      weight[k] += 1.0 / m;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double share = share_of(x[n * dimensions + d], m, options.combine);
        mean[k * dimensions + d] += share / m;
        square[k * dimensions + d] += share * share / m;
      }
    }
  }
  Sources sources;
  sources.dimensions = dimensions;
  sources.count = design.sources;
  sources.location.resize(cells);
  const SourceFamily& family = family_of(options.source);
  if (family.has_scatter) sources.spread.resize(cells);
  std::vector<double> amount(dimensions, 0.0);
  std::vector<double> spread(dimensions, 0.0);
  for (std::size_t i = 0; i < cells; ++i) {
    const double e = mean[i] / weight[i / dimensions];
    const double v = std::max(square[i] / weight[i / dimensions] - e * e, 1e-3 * e * e + 1e-9);
    amount[i % dimensions] += e;
    spread[i % dimensions] += v;
    if (!family.has_scatter) {
      sources.location[i] = e;
    } else if (!family.is_logarithm) {
      sources.location[i] = e;
      sources.spread[i] = v;
    } else {
      sources.spread[i] = std::log1p(v / (e * e));
      sources.location[i] = std::log(e) - 0.5 * sources.spread[i];
    }
  }
  for (std::size_t d = 0; d < dimensions && family.has_shared(); ++d) {
    sources.spread.push_back(family.fit.start_shared(amount[d], spread[d]));
  }
  for (std::size_t i = 0; i < cells && !family.has_scatter; ++i) {
    const double shared = family.has_shared() ? sources.spread[i % dimensions] : 0.0;
    sources.location[i] = family.fit.start(sources.location[i], shared);
  }
  return sources;
}

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::span<const double> as_span(const Eigen::VectorXd& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

// Steps of BFGS from the feature's point; `others` is the objective of all other features.
class FeatureClimb {
 public:
  FeatureClimb(IntegratedFeature& feature, double others, Threads threads)
      : feature_(feature),
        others_(others),
        threads_(threads),
        point_(as_vector(feature.point())),
        here_(feature.objective(feature.point(), threads)),
        slope_(as_vector(feature.gradient(feature.point(), threads))),
        // The first step is short: no parameter moves by more than one.
        inverse_(Eigen::MatrixXd::Identity(point_.size(), point_.size()) /
                 std::max(slope_.cwiseAbs().maxCoeff(), 1e-12) * 0.5) {}

  double objective() const { return here_ + others_; }

  Step step() {
    Eigen::VectorXd way = inverse_ * slope_;
    if (!(way.dot(slope_) > 0.0)) way = slope_ / std::max(slope_.cwiseAbs().maxCoeff(), 1e-12) * 0.1;
    way *= std::min(1.0, 2.0 / std::max(way.cwiseAbs().maxCoeff(), 1e-300));
    double length = 1.0;
    double there = -std::numeric_limits<double>::infinity();
    Eigen::VectorXd next = point_;
    for (int halvings = 0; halvings < 25; ++halvings, length *= 0.5) {
      next = point_ + length * way;
      there = feature_.objective(as_span(next), threads_);
      if (there >= here_ + 1e-4 * length * way.dot(slope_)) break;
    }
    Step taken;
    if (there > here_) {
      const double rise = there - here_;
      go_to(next, there);
      taken.change = rise / std::abs(objective());
    } else {
      taken.stop = Stop::converged;
    }
    return taken;
  }

 private:
  void go_to(const Eigen::VectorXd& next, double value) {
    const Eigen::VectorXd next_slope = as_vector(feature_.gradient(as_span(next), threads_));
    const Eigen::VectorXd s = next - point_;
    const Eigen::VectorXd y = slope_ - next_slope;
    if (const double curvature = s.dot(y); curvature > 1e-12) {
      const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(s.size(), s.size()) - s * y.transpose() / curvature;
      inverse_ = left * inverse_ * left.transpose() + s * s.transpose() / curvature;
    }
    point_ = next;
    slope_ = next_slope;
    here_ = value;
    feature_.point().assign(point_.data(), point_.data() + point_.size());
  }

  IntegratedFeature& feature_;
  double others_;
  Threads threads_;
  Eigen::VectorXd point_;
  double here_;
  Eigen::VectorXd slope_;
  Eigen::MatrixXd inverse_;  // of minus the second derivatives
};

// The objectives of the steps go to the end of `trace`.
Stop climb(IntegratedFeature& feature, double others, const TrainOptions& options, const RunContext& run,
           std::vector<double>& trace) {
  FeatureClimb climb(feature, others, run.threads);
  IterationRule ends{std::min(feature_steps, options.max_iterations) + 1, least_rise};
  ends.least_rise = -std::numeric_limits<double>::infinity();
  const FitSummary found =
      iterate({[&] { return climb.objective(); }, [&] { return climb.step(); }, {}, {}, {}}, ends, run, {});
  for (std::size_t i = 1; i < found.iterations(); ++i) trace.push_back(std::max(trace.back(), found.objective[i]));
  return found.stop;
}

// Nodes stand for the items as long as they give the same objective; else there are more of them, and it goes on.
Stop climb_with_nodes(IntegratedFeature& feature, double others, const TrainOptions& options, const RunContext& run,
                      std::vector<double>& trace) {
  Stop stop = Stop::converged;
  while (stop == Stop::converged && feature.condense(run.threads)) stop = climb(feature, others, options, run, trace);
  return stop;
}

// A feature that is done, as numbers of a checkpoint: whether it hit the limit of steps, its point, and the objective
// at each of its steps.
std::vector<double> kept_numbers(IntegratedFeature& feature, Stop stop, std::span<const double> objective) {
  std::vector<double> numbers{stop == Stop::iteration_limit ? 1.0 : 0.0};
  numbers.insert(numbers.end(), feature.point().begin(), feature.point().end());
  numbers.insert(numbers.end(), objective.begin(), objective.end());
  return numbers;
}

// The same back: how the feature ended.
Stop take_numbers(const std::vector<double>& numbers, IntegratedFeature& feature, std::vector<double>& objective) {
  const std::size_t size = feature.point().size();
  if (numbers.size() < 1 + size) fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
  const auto point = numbers.begin() + 1;
  feature.point().assign(point, point + static_cast<std::ptrdiff_t>(size));
  objective.insert(objective.end(), point + static_cast<std::ptrdiff_t>(size), numbers.end());
  return numbers[0] != 0.0 ? Stop::iteration_limit : Stop::converged;
}

}  // namespace

SourceFit fit_integrated(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                         const SetDesign& design, const TrainOptions& options, const RunContext& run) {
  SourceFit fit;
  fit.sources = start_of(index, x, dimensions, design, options);
  std::vector<IntegratedFeature> all;
  std::vector<double> objective;
  for (std::size_t d = 0; d < dimensions; ++d) {
    all.emplace_back(index, x, fit.sources, design, options, d);
    objective.push_back(all.back().objective(all.back().point(), run.threads));
    if (!std::isfinite(objective.back())) {
      fail(ErrorKind::unanswerable,
           fmt::format("feature {}: an item has a value that its label set cannot give", d + 1));
    }
  }
  double total = 0.0;
  for (const double one : objective) total += one;
  fit.summary = {Stop::converged, {total}, {}};
  KeptTasks kept(run, "integrated");
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::vector<double>& trace = fit.summary.objective;
    const std::vector<double>* const before = kept.find(d);
    const std::size_t first = trace.size();
    const Stop stop = before != nullptr ? take_numbers(*before, all[d], trace)
                                        : climb_with_nodes(all[d], trace.back() - objective[d], options, run, trace);
    if (stop != Stop::converged) fit.summary.stop = stop;
    all[d].write(fit.sources);
    if (stop == Stop::interrupted) {
      kept.stop();
      break;
    }
    if (const double error = all[d].density_error(run.threads); error > told_error) {
      fit.summary.warnings.push_back(
          fmt::format("feature {}: log densities of items were integrated to {:.1g} only; sources of one set have "
                      "spreads that lie far apart",
                      d + 1, error));
    }
    if (before != nullptr) continue;
    kept.add(d, kept_numbers(all[d], stop, std::span(trace).subspan(first)));
    if (run.observer)
      run.observer({"fitting", static_cast<double>(d + 1), static_cast<double>(dimensions), "features"});
  }
  return fit;
}

}  // namespace motet::multilabel
