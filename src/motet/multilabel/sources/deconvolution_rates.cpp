#include "motet/multilabel/sources/deconvolution_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/engine/em.h"
#include "motet/multilabel/sources/em_rule.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

constexpr double first_flip = 0.02;

// Parameters: one per source and dimension, in units of the value that all sources would share
// (K x D), then for noise the flips (D).
class RateFit {
 public:
  RateFit(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options)
      : s_(statistics),
        design_(design),
        family_(family_of(options.source)),
        noise_(options.noise),
        dimensions_(statistics.dimensions),
        sources_(design.sources),
        cells_(sources_ * dimensions_),
        cuts_(cut_sets(design.sets())),
        fixed_(options.shrinkage && *options.shrinkage >= 1.0) {
    for (const double items : design.items) {
      const double given = options.shrinkage && !fixed_ ? items * *options.shrinkage / (1.0 - *options.shrinkage) : 0.0;
      strength_.push_back((options.shrinkage ? given : 1.0) + options.prior_strength);
    }
    find_centre();
  }

  std::vector<double> start() const {
    std::vector<double> parameters(cells_, 1.0);
    if (noise_) parameters.insert(parameters.end(), dimensions_, first_flip);
    return parameters;
  }

  // Values in their own units (K x D); flips or shared parameters (D), where there are any; what adds up, where that
  // is not the values (K x D).
  std::vector<double> prepare(std::span<const double> parameters) const {
    std::vector<double> values(parameters.begin(), parameters.end());
    for (std::size_t i = 0; i < cells_; ++i) values[i] *= centre_[i % dimensions_].location;
    if (family_.has_shared()) {
      const std::vector<double> shared = best_shared(values);
      values.insert(values.end(), shared.begin(), shared.end());
    }
    for (std::size_t i = 0; i < cells_ && family_.added != nullptr; ++i) {
      values.push_back(family_.added(values[i], family_.alone()));
    }
    return values;
  }

  void accumulate(std::span<const double> values, std::size_t leaf, std::span<double> statistics) const {
    if (leaf == 0) statistics[0] += s_.log_jacobian + log_prior_of(values);
    std::vector<double> total(dimensions_);
    std::vector<double> taught(dimensions_);
    for (std::size_t l = cuts_[leaf]; l < cuts_[leaf + 1]; ++l) accumulate_set(values, l, total, taught, statistics);
  }

  std::vector<double> maximise(std::span<const double> statistics, std::span<const double> parameters) const {
    std::vector<double> next(parameters.begin(), parameters.end());
    const std::vector<double> values = prepare(parameters);
    for (std::size_t i = 0; i < cells_ && !fixed_; ++i) {
      const std::size_t k = i / dimensions_;
      const std::size_t d = i % dimensions_;
      const double items = design_.items[k];
      const SourceLesson lesson{family_.fit.emitted(values[i], items, statistics[1 + i]), items, strength_[k],
                                shared_of(values, d), centre_[d]};
      next[i] = centre_[d].location > 0.0 ? family_.fit.location(lesson) / centre_[d].location : 0.0;
    }
    for (std::size_t d = 0; d < dimensions_ && noise_; ++d) {
      next[cells_ + d] = std::clamp(statistics[1 + cells_ + d] / s_.total(), 0.0, 0.5);  // rounding can end below 0
    }
    return next;
  }

  void project(std::span<const double> em_point, std::span<double> candidate) const {
    keep_positive(em_point, candidate);
    if (family_.location.scale != ParameterScale::logit) return;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      const double unit = i < cells_ ? centre_[i % dimensions_].location : 2.0;
      if (!(candidate[i] * unit < 1.0)) candidate[i] = unit > 0.0 ? 0.1 * em_point[i] + 0.9 / unit : em_point[i];
    }
  }

  std::size_t leaves() const { return cuts_.size() - 1; }
  std::size_t statistic_count() const { return 1 + cells_ + (noise_ ? dimensions_ : 0); }
  std::size_t cells() const { return cells_; }
  std::size_t rest() const { return family_.has_shared() || noise_ ? dimensions_ : 0; }

 private:
  // The value that would explain all items if all sources were alike.
  void find_centre() {
    PooledFeature feature;
    const double items = s_.total();
    feature.degree = 0.0;
    for (std::size_t l = 0; l < design_.sets(); ++l) feature.degree += s_.count[l] * design_.degree(l) / items;
    // A feature that is always the same would put the centre on the edge, where the prior has no strength.
    feature.least = 0.5 / (items + 1.0);
    feature.has_prior = strength_[0] > 0.0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      feature.feature = d;
      feature.mean = 0.0;
      feature.mean_log = 0.0;
      feature.variance = 0.0;
      for (std::size_t l = 0; l < design_.sets(); ++l) {
        feature.mean += s_.count[l] * s_.mean[l * dimensions_ + d] / items;
        if (!s_.mean_log.empty()) feature.mean_log += s_.count[l] * s_.mean_log[l * dimensions_ + d] / items;
      }
      for (std::size_t l = 0; l < design_.sets() && !s_.scatter.empty(); ++l) {
        const double away = s_.mean[l * dimensions_ + d] - feature.mean;
        feature.variance += (s_.scatter[l * dimensions_ + d] + s_.count[l] * away * away) / items;
      }
      centre_.push_back(family_.fit.centre(feature));
    }
  }

  std::vector<double> best_shared(std::span<const double> locations) const {
    std::vector<double> shared(dimensions_);
    for (std::size_t d = 0; d < dimensions_; ++d) {
      double sum = 0.0;
      double amount = 0.0;
      for (std::size_t k = 0; k < sources_; ++k) {
        sum += (design_.items[k] + strength_[k]) * locations[k * dimensions_ + d];
        amount += family_.fit.prior_amount(strength_[k], centre_[d]);
      }
      for (std::size_t l = 0; l < design_.sets(); ++l) amount += s_.count[l] * s_.mean[l * dimensions_ + d];
      shared[d] = family_.fit.best_shared(sum, amount);
    }
    return shared;
  }

  double shared_of(std::span<const double> values, std::size_t d) const {
    return family_.has_shared() ? values[cells_ + d] : 0.0;
  }

  void accumulate_set(std::span<const double> values, std::size_t l, std::span<double> total, std::span<double> taught,
                      std::span<double> statistics) const {
    const double* const added = values.data() + (family_.added != nullptr ? cells_ + rest() : 0);
    std::fill(total.begin(), total.end(), 0.0);
    for (const std::uint32_t k : design_.members[l]) {
      for (std::size_t d = 0; d < dimensions_; ++d) total[d] += added[k * dimensions_ + d];
    }
    const std::size_t first = l * dimensions_;
    SetCells cells;
    cells.dimensions = dimensions_;
    cells.count = s_.count[l];
    cells.mean = s_.mean.data() + first;
    if (!s_.mean_log.empty()) cells.mean_log = s_.mean_log.data() + first;
    if (!s_.values.empty()) cells.values = s_.values.data() + first;
    cells.total = total.data();
    (noise_ ? cells.flips : cells.shared) = values.data() + cells_;
    cells.objective = statistics.data();
    cells.taught = taught.data();
    cells.flipped = noise_ ? statistics.data() + 1 + cells_ : nullptr;
    family_.fit.accumulate(cells);
    for (const std::uint32_t k : design_.members[l]) {
      for (std::size_t d = 0; d < dimensions_; ++d) statistics[1 + k * dimensions_ + d] += taught[d];
    }
  }

  double log_prior_of(std::span<const double> values) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < cells_ && !fixed_; ++i) {
      const double nu = strength_[i / dimensions_];
      const std::size_t d = i % dimensions_;
      if (nu > 0.0) sum += family_.fit.log_prior(nu, values[i], shared_of(values, d), centre_[d]);
    }
    return sum;
  }

  const SetStatistics& s_;
  const SetDesign& design_;
  const SourceFamily& family_;
  bool noise_;
  std::size_t dimensions_;
  std::size_t sources_;
  std::size_t cells_;
  std::vector<std::size_t> cuts_;
  bool fixed_;
  std::vector<double> strength_;     // nu_k
  std::vector<SharedValue> centre_;  // D
};

SourceFit fit_or(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                 const RunContext& run) {
  const RateFit fit(statistics, design, options);
  const EmProblem em = em_problem_of(fit, fit.statistic_count() - 1, run);
  EmResult found = fit_on_sets(em, fit.start(), options, run);
  const std::vector<double> values = fit.prepare(found.parameters);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(fit.cells());
  SourceFit result;
  result.sources.location.assign(values.begin(), end);
  (options.noise ? result.sources.noise : result.sources.spread)
      .assign(end, end + static_cast<std::ptrdiff_t>(fit.rest()));
  result.summary = std::move(found.summary);
  return result;
}

}  // namespace

SourceFit fit_rates(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                    const RunContext& run) {
  if (options.noise && !family_of(options.source).has_flips) {
    fail(ErrorKind::usage, fmt::format("--noise: --source {} has none; gaussian, lognormal and bernoulli have",
                                       family_word(options.source)));
  }
  if (options.combine != Combination::logical_and) return fit_or(statistics, design, options, run);
  // An item lacks a feature when some source lacks it: or on the zeros.
  SetStatistics zeros = statistics;
  for (double& mean : zeros.mean) mean = 1.0 - mean;
  SourceFit fit = fit_or(zeros, design, options, run);
  for (double& b : fit.sources.location) b = 1.0 - b;
  return fit;
}

}  // namespace motet::multilabel
