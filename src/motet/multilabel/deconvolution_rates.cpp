#include "motet/multilabel/deconvolution_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/engine/em.h"
#include "motet/multilabel/em_rule.h"

namespace motet {
namespace {

constexpr double first_flip = 0.02;

// n log(p), 0 for n = 0 whatever p.
// Parameters: one a source and dimension, in units of the value that all sources would share
// (K x D), then for noise the flips (D).
class RateFit {
 public:
  RateFit(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options)
      : s_(statistics),
        design_(design),
        family_(options.source),
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

  // Values in their own units, then for gamma the rates, for noise the flips.
  std::vector<double> prepare(std::span<const double> parameters) const {
    std::vector<double> values(parameters.begin(), parameters.end());
    for (std::size_t i = 0; i < cells_; ++i) values[i] *= centre_[i % dimensions_];
    if (family_ == Family::gamma) {
      const std::vector<double> rates = rates_of(values);
      values.insert(values.end(), rates.begin(), rates.end());
    }
    return values;
  }

  void accumulate(std::span<const double> values, std::size_t leaf, std::span<double> statistics) const {
    if (leaf == 0) statistics[0] += s_.log_jacobian + log_prior(values);
    for (std::size_t l = cuts_[leaf]; l < cuts_[leaf + 1]; ++l) {
      for (std::size_t d = 0; d < dimensions_; ++d) accumulate_cell(values, l, d, statistics);
    }
  }

  std::vector<double> maximise(std::span<const double> statistics, std::span<const double> parameters) const {
    std::vector<double> next(parameters.begin(), parameters.end());
    const std::vector<double> values = prepare(parameters);
    for (std::size_t i = 0; i < cells_ && !fixed_; ++i) {
      const std::size_t k = i / dimensions_;
      const std::size_t d = i % dimensions_;
      next[i] = centre_[d] > 0.0 ? updated(values, statistics[1 + i], k, d) / centre_[d] : 0.0;
    }
    for (std::size_t d = 0; d < dimensions_ && noise_; ++d) {
      next[cells_ + d] = std::clamp(statistics[1 + cells_ + d] / s_.total(), 0.0, 0.5);  // rounding can end below 0
    }
    return next;
  }

  void project(std::span<const double> em_point, std::span<double> candidate) const {
    keep_positive(em_point, candidate);
    if (family_ != Family::bernoulli) return;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      const double unit = i < cells_ ? centre_[i % dimensions_] : 2.0;
      if (!(candidate[i] * unit < 1.0)) candidate[i] = unit > 0.0 ? 0.1 * em_point[i] + 0.9 / unit : em_point[i];
    }
  }

  std::size_t leaves() const { return cuts_.size() - 1; }
  std::size_t statistic_count() const { return 1 + cells_ + (noise_ ? dimensions_ : 0); }
  std::size_t cells() const { return cells_; }

 private:
  // The value that would explain all items if all sources were alike.
  void find_centre() {
    const double items = s_.total();
    double degree = 0.0;
    for (std::size_t l = 0; l < design_.sets(); ++l) degree += s_.count[l] * design_.degree(l) / items;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      double mean = 0.0;
      double mean_log = 0.0;
      for (std::size_t l = 0; l < design_.sets(); ++l) {
        mean += s_.count[l] * s_.mean[l * dimensions_ + d] / items;
        if (family_ == Family::gamma) mean_log += s_.count[l] * s_.mean_log[l * dimensions_ + d] / items;
      }
      centre_.push_back(centre_for(mean, mean_log, degree, d));
      if (family_ == Family::gamma) centre_rate_.push_back(degree * centre_[d] / mean);
    }
  }

  double centre_for(double mean, double mean_log, double degree, std::size_t d) const {
    // A feature that is always the same would put the centre on the edge, where the prior has no strength.
    const double least = 0.5 / (s_.total() + 1.0);
    const bool has_prior = strength_[0] > 0.0;
    switch (family_) {
      case Family::bernoulli: {
        if (has_prior) mean = std::clamp(mean, least, 1.0 - least);
        return -std::expm1(std::log1p(-mean) / degree);
      }
      case Family::poisson: return (has_prior ? std::max(mean, least) : mean) / degree;
      case Family::exponential: require_positive(mean, d); return 1.0 / (mean * degree);
      default: break;
    }
    require_positive(mean, d);
    // One gamma distribution for all: log p - psi(p) = log mean - mean log, Minka's start and Newton steps.
    const double y = std::max(std::log(mean) - mean_log, 1e-12);
    double p = (3.0 - y + std::sqrt((y - 3.0) * (y - 3.0) + 24.0 * y)) / (12.0 * y);
    for (int i = 0; i < 5; ++i) {
      const double slope = 1.0 / p - boost::math::trigamma(p);
      p = std::max(p - (std::log(p) - boost::math::digamma(p) - y) / slope, 0.1 * p);
    }
    return p / degree;
  }

  static void require_positive(double mean, std::size_t d) {
    if (mean > 0.0) return;
    fail(ErrorKind::unanswerable, fmt::format("feature {} is always 0, for which no rate is largest", d + 1));
  }

  double sum_of(std::span<const double> values, std::size_t l, std::size_t d) const {
    double sum = 0.0;
    for (const std::uint32_t k : design_.members[l]) sum += values[k * dimensions_ + d];
    return sum;
  }

  std::vector<double> rates_of(std::span<const double> shapes) const {
    std::vector<double> rates(dimensions_);
    for (std::size_t d = 0; d < dimensions_; ++d) {
      double shape = 0.0;
      double mean = 0.0;
      for (std::size_t k = 0; k < sources_; ++k) {
        shape += (design_.items[k] + strength_[k]) * shapes[k * dimensions_ + d];
        mean += strength_[k] * centre_[d] / centre_rate_[d];
      }
      for (std::size_t l = 0; l < design_.sets(); ++l) mean += s_.count[l] * s_.mean[l * dimensions_ + d];
      rates[d] = shape / mean;
    }
    return rates;
  }

  void accumulate_cell(std::span<const double> values, std::size_t l, std::size_t d,
                       std::span<double> statistics) const {
    const double n = s_.count[l];
    const double mean = s_.mean[l * dimensions_ + d];
    double shared = 0.0;  // what every source of the set gets
    switch (family_) {
      case Family::bernoulli: return accumulate_bits(values, l, d, statistics);
      case Family::poisson: {
        const double rate = sum_of(values, l, d);
        statistics[0] += times_log(n * mean, rate) - n * rate;
        shared = rate > 0.0 ? n * mean / rate : 0.0;
        break;
      }
      case Family::exponential: {
        const double rate = sum_of(values, l, d);
        statistics[0] += n * (std::log(rate) - rate * mean);
        shared = n * (mean - 1.0 / rate);
        break;
      }
      default: {
        const double shape = sum_of(values, l, d);
        const double rate = values[cells_ + d];
        const double mean_log = s_.mean_log[l * dimensions_ + d];
        statistics[0] += n * (shape * std::log(rate) - std::lgamma(shape) + (shape - 1.0) * mean_log - rate * mean);
        shared = n * (std::log(rate) + mean_log - boost::math::digamma(shape));
      }
    }
    for (const std::uint32_t k : design_.members[l]) statistics[1 + k * dimensions_ + d] += shared;
  }

  void accumulate_bits(std::span<const double> values, std::size_t l, std::size_t d,
                       std::span<double> statistics) const {
    const double ones = s_.count[l] * s_.mean[l * dimensions_ + d];
    const double zeros = std::max(s_.count[l] - ones, 0.0);
    double log_none = 0.0;
    for (const std::uint32_t k : design_.members[l]) log_none += std::log1p(-values[k * dimensions_ + d]);
    const double b = -std::expm1(log_none);
    double emitted = ones;  // expected items in which a source emitted a one
    if (noise_) {
      const double e = values[cells_ + d];
      const double one = b * (1.0 - e) + (1.0 - b) * e;
      const double zero = 1.0 - one;
      statistics[0] += times_log(ones, one) + times_log(zeros, zero);
      const double kept = ones > 0.0 ? ones * b * (1.0 - e) / one : 0.0;
      const double lost = zeros > 0.0 ? zeros * b * e / zero : 0.0;
      statistics[1 + cells_ + d] += lost + (ones - kept);
      emitted = kept + lost;
    } else {
      statistics[0] += times_log(ones, b) + (zeros > 0.0 ? zeros * log_none : 0.0);
    }
    if (!(b > 0.0)) return;
    for (const std::uint32_t k : design_.members[l]) statistics[1 + k * dimensions_ + d] += emitted / b;
  }

  double updated(std::span<const double> values, double sum, std::size_t k, std::size_t d) const {
    const double value = values[k * dimensions_ + d];
    const double items = design_.items[k];
    const double nu = strength_[k];
    switch (family_) {
      case Family::bernoulli: return std::min((sum * value + nu * centre_[d]) / (items + nu), 1.0);
      case Family::poisson: return (sum * value + nu * centre_[d]) / (items + nu);
      case Family::exponential: return (items + nu) / (items / value + sum + nu / centre_[d]);
      default: break;
    }
    const double rate = values[cells_ + d];
    const double about = boost::math::digamma(centre_[d]) + std::log(rate / centre_rate_[d]);
    return inverse_digamma((items * boost::math::digamma(value) + sum + nu * about) / (items + nu));
  }

  double log_prior(std::span<const double> values) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < cells_ && !fixed_; ++i) {
      const double nu = strength_[i / dimensions_];
      const double c = centre_[i % dimensions_];
      const double v = values[i];
      if (!(nu > 0.0)) continue;
      switch (family_) {
        case Family::bernoulli: sum += times_log(nu * c, v) + times_log(nu * (1.0 - c), 1.0 - v); break;
        case Family::poisson: sum += nu * (c * std::log(v) - v); break;
        case Family::exponential: sum += nu * (std::log(v) - v / c); break;
        default: {
          const double rate = values[cells_ + i % dimensions_];
          const double centre_rate = centre_rate_[i % dimensions_];
          sum += nu * (v * std::log(rate) - std::lgamma(v) + v * (boost::math::digamma(c) - std::log(centre_rate)) -
                       rate * c / centre_rate);
        }
      }
    }
    return sum;
  }

  const SetStatistics& s_;
  const SetDesign& design_;
  Family family_;
  bool noise_;
  std::size_t dimensions_;
  std::size_t sources_;
  std::size_t cells_;
  std::vector<std::size_t> cuts_;
  bool fixed_;
  std::vector<double> strength_;     // nu_k
  std::vector<double> centre_;       // D
  std::vector<double> centre_rate_;  // D, gamma
};

SourceFit fit_or(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                 const RunContext& run) {
  const RateFit fit(statistics, design, options);
  EmProblem em;
  em.leaf_count = fit.leaves();
  em.statistic_count = fit.statistic_count();
  em.prepare = [&](std::span<const double> parameters) { return fit.prepare(parameters); };
  em.accumulate = [&](std::span<const double> values, std::size_t leaf, double, std::span<double> sums) {
    fit.accumulate(values, leaf, sums);
  };
  em.maximise = [&](std::span<const double> sums, std::span<const double> parameters) {
    return fit.maximise(sums, parameters);
  };
  em.project = [&](std::span<const double> em_point, std::span<double> candidate) { fit.project(em_point, candidate); };
  EmResult found = fit_on_sets(em, fit.start(), options, run);
  const std::vector<double> values = fit.prepare(found.parameters);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(fit.cells());
  SourceFit result;
  result.sources.location.assign(values.begin(), end);
  (options.source == Family::gamma ? result.sources.spread : result.sources.noise).assign(end, values.end());
  result.summary = std::move(found.summary);
  return result;
}

}  // namespace

double inverse_digamma(double y) {
  // Minka's start; Newton's steps from there converge in a few.
  double x = y >= -2.22 ? std::exp(y) + 0.5 : -1.0 / (y - boost::math::digamma(1.0));
  for (int i = 0; i < 8; ++i) {
    const double step = (boost::math::digamma(x) - y) / boost::math::trigamma(x);
    x = std::max(x - step, 0.1 * x);
    if (std::abs(step) <= 1e-15 * x) break;
  }
  return x;
}

SourceFit fit_rates(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                    const RunContext& run) {
  if (options.noise && options.source != Family::bernoulli) {
    fail(ErrorKind::usage, fmt::format("noise: source = {} has none; gaussian, lognormal and bernoulli have",
                                       family_words[static_cast<std::size_t>(options.source)]));
  }
  if (options.combine != Combination::logical_and) return fit_or(statistics, design, options, run);
  // An item lacks a feature when some source lacks it: or on the zeros.
  SetStatistics zeros = statistics;
  for (double& mean : zeros.mean) mean = 1.0 - mean;
  SourceFit fit = fit_or(zeros, design, options, run);
  for (double& b : fit.sources.location) b = 1.0 - b;
  return fit;
}

}  // namespace motet
