#include "motet/multilabel/sources/integrated_feature.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/sources/density/pair_density.h"

namespace motet::multilabel {
namespace {

constexpr double difference = 1e-4;   // either side of a parameter, for its slope
constexpr double farthest = 30.0;     // from the start; logarithms and logits beyond say nothing more
constexpr double first_piece = 1.0;   // of nodes, in interquartile ranges
constexpr double least_piece = 0.05;  // with shorter ones there are no fewer nodes than items
constexpr double same = 1e-3;         // objectives, in nats; a standard error changes them by 1/2

double to_logit(double p) {
  const double inside = std::clamp(p, 1e-6, 1.0 - 1e-6);
  return std::log(inside / (1.0 - inside));
}

double from_scale(double value, ParameterScale scale) {
  if (scale == ParameterScale::plain) return value;
  return scale == ParameterScale::logit ? 1.0 / (1.0 + std::exp(-value)) : std::exp(value);
}

}  // namespace

IntegratedFeature::IntegratedFeature(const LabelSetIndex& index, std::span<const double> x, const Sources& start,
                                     const SetDesign& design, const TrainOptions& options, std::size_t feature)
    : design_(design), options_(options), family_(family_of(options.source)), feature_(feature) {
  const std::size_t dimensions = start.dimensions;
  for (std::size_t l = 0; l < index.size(); ++l) {
    std::vector<double> values;
    for (std::size_t i = index.starts[l]; i < index.starts[l + 1]; ++i) {
      values.push_back(x[index.rows[i] * dimensions + feature]);
    }
    items_.push_back(counted(std::move(values)));
  }
  nodes_ = items_;
  for (const double taught : design.items) {
    const double w = options.shrinkage.value_or(0.0);
    const double given = w < 1.0 ? taught * w / (1.0 - w) : taught * 1e6;
    strength_.push_back((options.shrinkage ? given : 1.0) + options.prior_strength);
  }
  for (std::size_t k = 0; k < start.count; ++k) {
    const double location = start.location[k * dimensions + feature];
    switch (family_.location.scale) {
      case ParameterScale::plain: point_.push_back(location); break;
      case ParameterScale::logit: point_.push_back(to_logit(location)); break;
      case ParameterScale::logarithm: point_.push_back(std::log(std::max(location, 1e-9))); break;
    }
  }
  if (family_.has_shared()) {
    const double shared = start.spread[feature];
    point_.push_back(family_.shared.scale == ParameterScale::logit ? to_logit(shared) : std::log(shared));
  }
  for (std::size_t k = 0; k < start.count && is_gaussian(options.source); ++k) {
    point_.push_back(0.5 * std::log(start.spread[k * dimensions + feature]));
  }
  centre_ = point_;
}

bool IntegratedFeature::is_logarithm(std::size_t i) const {
  return !is_gaussian(options_.source) || i >= design_.sources;
}

Marginal IntegratedFeature::marginal(std::span<const double> point, std::size_t k) const {
  Marginal one{options_.source, from_scale(point[k], family_.location.scale), 1.0};
  if (family_.has_scatter) one.spread = std::exp(point[design_.sources + k]);
  if (family_.has_shared()) one.spread = from_scale(point.back(), family_.shared.scale);
  return one;
}

std::vector<Marginal> IntegratedFeature::members(std::span<const double> point, std::size_t set) const {
  std::vector<Marginal> all;
  for (const std::uint32_t k : design_.members[set]) all.push_back(marginal(point, k));
  return all;
}

double IntegratedFeature::set_likelihood(std::size_t set, std::vector<Marginal> members, bool of_items) const {
  const PairDensity density(std::move(members), options_.combine);
  double sum = 0.0;
  for (const WeightedValue& one : of_items ? items_[set] : nodes_[set]) {
    const double value = density.log_density(one.value).value;
    if (!std::isfinite(value)) return value > 0.0 ? value : -std::numeric_limits<double>::infinity();
    sum += one.weight * value;
  }
  return sum;
}

double IntegratedFeature::objective(std::span<const double> point, Threads threads, bool of_items) const {
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (is_logarithm(i) && !(std::abs(point[i] - centre_[i]) < farthest))
      return -std::numeric_limits<double>::infinity();
  }
  const std::vector<double> sum =
      sum_over_tasks(design_.sets(), 1, threads.here(), [&](std::size_t l, std::span<double> total) {
        if (!items_[l].empty()) total[0] += set_likelihood(l, members(point, l), of_items);
      });
  return sum[0] + log_prior(point, {});
}

// A parameter changes only the densities of the sets it is in.
void IntegratedFeature::add_slopes(std::span<const double> point, std::size_t set, std::span<double> slopes) const {
  std::vector<double> moved(point.begin(), point.end());
  const auto add = [&](std::size_t i) {
    const auto at = [&](double value) {
      moved[i] = value;
      return set_likelihood(set, members(moved, set), false);
    };
    const double slope = (at(point[i] + difference) - at(point[i] - difference)) / (2.0 * difference);
    moved[i] = point[i];
    if (std::isfinite(slope)) slopes[i] += slope;
  };
  for (const std::uint32_t k : design_.members[set]) {
    add(k);
    if (is_gaussian(options_.source)) add(design_.sources + k);
  }
  if (family_.has_shared()) add(point.size() - 1);
}

std::vector<double> IntegratedFeature::gradient(std::span<const double> point, Threads threads) const {
  std::vector<double> slopes =
      sum_over_tasks(design_.sets(), point.size(), threads.here(), [&](std::size_t l, std::span<double> total) {
        if (!items_[l].empty()) add_slopes(point, l, total);
      });
  log_prior(point, slopes);
  return slopes;
}

double IntegratedFeature::log_prior(std::span<const double> point, std::span<double> slopes) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double nu = strength_[i % design_.sources];
    // A location in units of the start's standard deviation.
    const double unit = is_logarithm(i) ? 1.0 : std::exp(centre_[design_.sources + i]);
    const double away = (point[i] - centre_[i]) / unit;
    sum -= 0.5 * nu * away * away;
    if (!slopes.empty()) slopes[i] -= nu * away / unit;
  }
  return sum;
}

bool IntegratedFeature::condense(Threads threads) {
  const double whole = objective(point_, threads, true);
  const auto agrees = [&] { return std::abs(objective(point_, threads) - whole) < same; };
  if (piece_ > 0.0 && agrees()) return false;
  const bool is_smooth = !family_.is_whole;
  const double longest = is_smooth ? first_piece : least_piece;
  for (piece_ = piece_ > 0.0 ? 0.5 * piece_ : longest; piece_ > least_piece; piece_ *= 0.5) {
    for (std::size_t l = 0; l < items_.size(); ++l) nodes_[l] = condensed(items_[l], piece_);
    if (agrees()) return true;
  }
  nodes_ = items_;
  return true;
}

double IntegratedFeature::density_error(Threads threads) const {
  std::vector<double> largest(design_.sets(), 0.0);
  for_each_task(design_.sets(), threads, [&](std::size_t l) {
    if (items_[l].empty()) return;
    const PairDensity density(members(point_, l), options_.combine);
    for (const WeightedValue& one : nodes_[l]) largest[l] = std::max(largest[l], density.log_density(one.value).error);
  });
  return *std::max_element(largest.begin(), largest.end());
}

void IntegratedFeature::write(Sources& sources) const {
  const std::size_t dimensions = sources.dimensions;
  for (std::size_t k = 0; k < sources.count; ++k) {
    const Marginal one = marginal(point_, k);
    sources.location[k * dimensions + feature_] = one.location;
    if (is_gaussian(options_.source)) sources.spread[k * dimensions + feature_] = one.spread * one.spread;
  }
  if (family_.has_shared()) sources.spread[feature_] = from_scale(point_.back(), family_.shared.scale);
}

}  // namespace motet::multilabel
