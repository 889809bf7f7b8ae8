// Deconvolution of pairs without a closed form.
//
// Every such pair is independent over dimensions, so each dimension is a problem of its own:
// the locations of K sources, and their spreads or the shared rate. Densities of label sets
// come from sources/pair_sampler.h, exactly or from a fixed lattice of points, and so are a
// smooth function of the parameters that is the same in every call: it is maximised by BFGS
// with differences of two values for the gradient. A step is taken only if the objective rises.
// Coordinates are free of limits: logarithms of what is positive, logits of probabilities. The
// prior is a normal distribution in them about the start, worth nu_k items.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "motet/base/error.h"
#include "motet/engine/kept_tasks.h"
#include "motet/multilabel/fit_parts.h"
#include "motet/sources/pair_sampler.h"

namespace motet {
namespace {

constexpr std::size_t samples = 128;     // of a density: over many items their errors cancel
constexpr std::size_t most_steps = 100;  // of one dimension
constexpr double difference = 1e-4;      // either side of a point, for the gradient
constexpr double least_rise = 1e-9;      // of the objective, relative
constexpr double farthest = 30.0;        // logarithms and logits beyond say nothing more

// Values of one dimension, set by set, equal ones together.
struct DimensionItems {
  std::vector<std::vector<std::pair<double, double>>> values;  // of each set: value, how many
};

DimensionItems items_of(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions, std::size_t d) {
  DimensionItems items;
  for (std::size_t l = 0; l < index.size(); ++l) {
    std::map<double, double> count;
    for (std::size_t i = index.starts[l]; i < index.starts[l + 1]; ++i) count[x[index.rows[i] * dimensions + d]] += 1.0;
    items.values.emplace_back(count.begin(), count.end());
  }
  return items;
}

double to_logit(double p) {
  const double inside = std::clamp(p, 1e-6, 1.0 - 1e-6);
  return std::log(inside / (1.0 - inside));
}

class SampledDimension {
 public:
  SampledDimension(DimensionItems items, const SetDesign& design, const TrainOptions& options, std::size_t d)
      : items_(std::move(items)), design_(design), options_(options), dimension_(d) {
    for (const double taught : design.items) {
      const double w = options.shrinkage.value_or(0.0);
      const double given = w < 1.0 ? taught * w / (1.0 - w) : taught * 1e6;
      strength_.push_back((options.shrinkage ? given : 1.0) + options.prior_strength);
    }
  }

  // Locations of the sources, then spreads: standard deviations, or the rate.
  void start_from(const Sources& sources) {
    const std::size_t dimensions = sources.dimensions;
    for (std::size_t k = 0; k < sources.count; ++k) {
      const double location = sources.location[k * dimensions + dimension_];
      if (is_gaussian(options_.source)) point_.push_back(location);
      if (options_.source == Family::bernoulli) point_.push_back(to_logit(location));
      if (!is_gaussian(options_.source) && options_.source != Family::bernoulli) {
        point_.push_back(std::log(std::max(location, 1e-9)));
      }
    }
    if (options_.source == Family::gamma) point_.push_back(std::log(sources.spread[dimension_]));
    for (std::size_t k = 0; k < sources.count && is_gaussian(options_.source); ++k) {
      point_.push_back(0.5 * std::log(sources.spread[k * dimensions + dimension_]));
    }
    centre_ = point_;
  }

  double objective(std::span<const double> point, Threads threads) const {
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (is_logarithm(i) && !(std::abs(point[i]) < farthest)) return -std::numeric_limits<double>::infinity();
    }
    const std::vector<double> sum =
        sum_over_tasks(design_.sets(), 1, threads, [&](std::size_t l, std::span<double> total) {
          std::vector<Marginal> members;
          for (const std::uint32_t k : design_.members[l]) members.push_back(marginal(point, k));
          const PairSampler sampler(std::move(members), options_.combine, samples, dimension_);
          for (const auto& [x, count] : items_.values[l]) total[0] += count * sampler.log_density(x).value;
        });
    return sum[0] + log_prior(point);
  }

  Eigen::VectorXd gradient(const Eigen::VectorXd& point, Threads threads) const {
    Eigen::VectorXd slope(point.size());
    std::vector<double> moved(point.data(), point.data() + point.size());
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const double here = moved[i];
      moved[i] = here + difference;
      const double up = objective(moved, threads);
      moved[i] = here - difference;
      const double down = objective(moved, threads);
      moved[i] = here;
      const double found = (up - down) / (2.0 * difference);
      slope[static_cast<Eigen::Index>(i)] = std::isfinite(found) ? found : 0.0;
    }
    return slope;
  }

  void write(Sources& sources) const {
    const std::size_t dimensions = sources.dimensions;
    for (std::size_t k = 0; k < sources.count; ++k) {
      const Marginal one = marginal(point_, k);
      sources.location[k * dimensions + dimension_] = one.location;
      if (is_gaussian(options_.source)) sources.spread[k * dimensions + dimension_] = one.spread * one.spread;
    }
    if (options_.source == Family::gamma) sources.spread[dimension_] = std::exp(point_.back());
  }

  std::vector<double>& point() { return point_; }

 private:
  bool is_logarithm(std::size_t i) const { return !is_gaussian(options_.source) || i >= design_.sources; }

  Marginal marginal(std::span<const double> point, std::size_t k) const {
    Marginal one{options_.source, point[k], 1.0};
    if (options_.source == Family::bernoulli) one.location = 1.0 / (1.0 + std::exp(-point[k]));
    if (!is_gaussian(options_.source) && options_.source != Family::bernoulli) one.location = std::exp(point[k]);
    if (is_gaussian(options_.source)) one.spread = std::exp(point[design_.sources + k]);
    if (options_.source == Family::gamma) one.spread = std::exp(point.back());
    return one;
  }

  double log_prior(std::span<const double> point) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const double nu = strength_[i % design_.sources];
      // A location in units of the start's standard deviation.
      const double unit = is_logarithm(i) ? 1.0 : std::exp(centre_[design_.sources + i]);
      const double away = (point[i] - centre_[i]) / unit;
      sum -= 0.5 * nu * away * away;
    }
    return sum;
  }

  DimensionItems items_;
  const SetDesign& design_;
  const TrainOptions& options_;
  std::size_t dimension_;
  std::vector<double> strength_;
  std::vector<double> centre_;
  std::vector<double> point_;
};

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
  if (is_gaussian(options.source)) sources.spread.resize(cells);
  std::vector<double> amount(dimensions, 0.0);
  std::vector<double> spread(dimensions, 0.0);
  for (std::size_t i = 0; i < cells; ++i) {
    const double e = mean[i] / weight[i / dimensions];
    const double v = std::max(square[i] / weight[i / dimensions] - e * e, 1e-3 * e * e + 1e-9);
    amount[i % dimensions] += e;
    spread[i % dimensions] += v;
    switch (options.source) {
      case Family::gaussian:
        sources.location[i] = e;
        sources.spread[i] = v;
        break;
      case Family::lognormal:
        sources.spread[i] = std::log1p(v / (e * e));
        sources.location[i] = std::log(e) - 0.5 * sources.spread[i];
        break;
      case Family::exponential: sources.location[i] = 1.0 / std::max(e, 1e-9); break;
      case Family::bernoulli: sources.location[i] = std::clamp(e, 0.02, 0.98); break;
      default: sources.location[i] = std::max(e, 1e-3);
    }
  }
  if (options.source == Family::gamma) {
    for (std::size_t d = 0; d < dimensions; ++d) sources.spread.push_back(amount[d] / spread[d]);
    for (std::size_t i = 0; i < cells; ++i) sources.location[i] *= sources.spread[i % dimensions];
  }
  return sources;
}

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Steps of BFGS from the dimension's point; `others` is the objective of all other dimensions.
Stop climb(SampledDimension& dimension, double others, const TrainOptions& options, const RunContext& run,
           FitSummary& summary) {
  Eigen::VectorXd point = as_vector(dimension.point());
  double here = summary.objective.back() - others;
  Eigen::VectorXd slope = dimension.gradient(point, run.threads);
  const Eigen::Index size = point.size();
  // The first step is short: no parameter moves by more than one.
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(size, size) / std::max(slope.cwiseAbs().maxCoeff(), 1e-12) * 0.5;
  for (std::size_t step = 0; step < std::min(most_steps, options.max_iterations); ++step) {
    if (run.cancelled()) return Stop::interrupted;
    Eigen::VectorXd way = inverse * slope;
    if (!(way.dot(slope) > 0.0)) way = slope / std::max(slope.cwiseAbs().maxCoeff(), 1e-12) * 0.1;
    way *= std::min(1.0, 2.0 / std::max(way.cwiseAbs().maxCoeff(), 1e-300));
    double length = 1.0;
    double there = -std::numeric_limits<double>::infinity();
    Eigen::VectorXd next = point;
    for (int halvings = 0; halvings < 25; ++halvings, length *= 0.5) {
      next = point + length * way;
      there = dimension.objective({next.data(), static_cast<std::size_t>(size)}, run.threads);
      if (there >= here + 1e-4 * length * way.dot(slope)) break;
    }
    if (!(there > here)) return Stop::converged;
    const double rise = there - here;
    const Eigen::VectorXd next_slope = dimension.gradient(next, run.threads);
    const Eigen::VectorXd s = next - point;
    const Eigen::VectorXd y = slope - next_slope;
    if (const double curvature = s.dot(y); curvature > 1e-12) {
      const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(size, size) - s * y.transpose() / curvature;
      inverse = left * inverse * left.transpose() + s * s.transpose() / curvature;
    }
    point = next;
    slope = next_slope;
    here = there;
    dimension.point().assign(point.data(), point.data() + size);
    summary.objective.push_back(std::max(summary.objective.back(), here + others));
    if (rise < least_rise * std::abs(here + others)) return Stop::converged;
  }
  return Stop::iteration_limit;
}

// A feature that is done, as numbers of a checkpoint: whether it hit the limit of steps, its point, and the objective
// at each of its steps.
std::vector<double> kept_numbers(SampledDimension& dimension, Stop stop, std::span<const double> objective) {
  std::vector<double> numbers{stop == Stop::iteration_limit ? 1.0 : 0.0};
  numbers.insert(numbers.end(), dimension.point().begin(), dimension.point().end());
  numbers.insert(numbers.end(), objective.begin(), objective.end());
  return numbers;
}

// The same back: how the feature ended.
Stop take_numbers(const std::vector<double>& numbers, SampledDimension& dimension, std::vector<double>& objective) {
  const std::size_t size = dimension.point().size();
  if (numbers.size() < 1 + size) fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
  const auto point = numbers.begin() + 1;
  dimension.point().assign(point, point + static_cast<std::ptrdiff_t>(size));
  objective.insert(objective.end(), point + static_cast<std::ptrdiff_t>(size), numbers.end());
  return numbers[0] != 0.0 ? Stop::iteration_limit : Stop::converged;
}

}  // namespace

SourceFit fit_sampled(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                      const SetDesign& design, const TrainOptions& options, const RunContext& run) {
  if (options.noise) {
    fail(ErrorKind::usage, fmt::format("noise: source = {} with combine = {} has none",
                                       family_words[static_cast<std::size_t>(options.source)],
                                       combination_words[static_cast<std::size_t>(options.combine)]));
  }
  if (is_gaussian(options.source) && options.covariance != Covariance::diagonal) {
    fail(ErrorKind::usage, fmt::format("covariance = {}: source = {} with combine = {} has only diagonal",
                                       covariance_words[static_cast<std::size_t>(options.covariance)],
                                       family_words[static_cast<std::size_t>(options.source)],
                                       combination_words[static_cast<std::size_t>(options.combine)]));
  }
  SourceFit fit;
  fit.sources = start_of(index, x, dimensions, design, options);
  std::vector<SampledDimension> all;
  std::vector<double> objective;
  for (std::size_t d = 0; d < dimensions; ++d) {
    all.emplace_back(items_of(index, x, dimensions, d), design, options, d);
    all.back().start_from(fit.sources);
    objective.push_back(all.back().objective(all.back().point(), run.threads));
    if (!std::isfinite(objective.back())) {
      fail(ErrorKind::unanswerable,
           fmt::format("feature {}: an item has a value that its label set cannot give", d + 1));
    }
  }
  double total = 0.0;
  for (const double one : objective) total += one;
  fit.summary = {Stop::converged, {total}, {}};
  KeptTasks kept(run, "sampled");
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::vector<double>& trace = fit.summary.objective;
    const std::vector<double>* const before = kept.find(d);
    const std::size_t first = trace.size();
    const Stop stop = before != nullptr ? take_numbers(*before, all[d], trace)
                                        : climb(all[d], trace.back() - objective[d], options, run, fit.summary);
    if (stop != Stop::converged) fit.summary.stop = stop;
    all[d].write(fit.sources);
    if (stop == Stop::interrupted) {
      kept.stop();
      break;
    }
    if (before != nullptr) continue;
    kept.add(d, kept_numbers(all[d], stop, std::span(trace).subspan(first)));
    if (run.observer)
      run.observer({"fitting", static_cast<double>(d + 1), static_cast<double>(dimensions), "features"});
  }
  return fit;
}

}  // namespace motet
