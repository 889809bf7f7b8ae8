#include "motet/multilabel/interval_cost.h"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>
#include "motet/base/numeric.h"

namespace motet {
namespace {

// p with digamma(p) = y, by Newton's method from a start that is good to a few percent.
double digamma_argument(double y) {
  double p = y >= -2.22 ? std::exp(y) + 0.5 : -1.0 / (y + std::numbers::egamma);
  for (int step = 0; step < 6; ++step) p -= (boost::math::digamma(p) - y) / boost::math::trigamma(p);
  return p;
}

double flip_of(const Sources& sources, std::size_t d) { return sources.noise.empty() ? 0.0 : sources.noise[d]; }

}  // namespace

std::size_t additive_parts(const Sources& sources) { return is_gaussian(sources.family) ? 2 : 1; }

std::vector<double> additive_values(const Sources& sources) {
  const std::size_t size = sources.dimensions;
  const std::size_t parts = additive_parts(sources);
  std::vector<double> result(sources.count * parts * size);
  for (std::size_t k = 0; k < sources.count; ++k) {
    double* const row = result.data() + k * parts * size;
    for (std::size_t d = 0; d < size; ++d) {
      const double value = sources.location[k * size + d];
      row[d] = value;
      if (sources.family == Family::bernoulli) {
        row[d] = sources.combination == Combination::logical_or ? -std::log1p(-value) : -std::log(value);
      }
      if (parts == 1) continue;
      switch (sources.covariance) {
        case Covariance::spherical: row[size + d] = sources.spread[k]; break;
        case Covariance::diagonal: row[size + d] = sources.spread[k * size + d]; break;
        case Covariance::full: row[size + d] = sources.spread[(k * size + d) * size + d]; break;
        case Covariance::shared: row[size + d] = sources.spread[d * size + d]; break;
        case Covariance::point: break;
      }
    }
  }
  return result;
}

IntervalCost::IntervalCost(const Sources& sources, std::span<const double> x) : sources_(sources), x_(x) {
  const std::size_t size = sources.dimensions;
  if (is_gaussian(sources.family)) {
    constant_ = 0.5 * static_cast<double>(size) * std::log(2.0 * std::numbers::pi);
    return;
  }
  for (std::size_t d = 0; d < size; ++d) {
    double mode = 0.0;
    switch (sources.family) {
      case Family::poisson:
        possible_ = possible_ && x[d] >= 0.0 && x[d] == std::floor(x[d]);
        mode = x[d];
        constant_ += std::lgamma(x[d] + 1.0);
        break;
      case Family::exponential:
        possible_ = possible_ && x[d] >= 0.0;
        mode = 1.0 / x[d];
        break;
      case Family::gamma:
        possible_ = possible_ && x[d] > 0.0;
        log_x_.push_back(std::log(x[d]));
        if (possible_) mode = digamma_argument(std::log(sources.spread[d]) + log_x_[d]);
        constant_ += log_x_[d] + sources.spread[d] * x[d];
        break;
      default: {  // bernoulli: the probability of a one rises (or) or falls (and) with the sum
        possible_ = possible_ && (x[d] == 0.0 || x[d] == 1.0);
        const bool rises = (sources.combination == Combination::logical_or) == (flip_of(sources, d) <= 0.5);
        mode = rises == (x[d] == 1.0) ? infinity : 0.0;
      }
    }
    mode_.push_back(mode);
  }
}

double IntervalCost::of_one(std::size_t d, double sum) const {
  switch (sources_.family) {
    case Family::poisson: return x_[d] == 0.0 ? sum : sum - x_[d] * std::log(sum);
    case Family::exponential: return sum * x_[d] - std::log(sum);
    case Family::gamma: return std::lgamma(sum) - sum * (std::log(sources_.spread[d]) + log_x_[d]);
    default: break;
  }
  const bool is_or = sources_.combination == Combination::logical_or;
  const double few = std::exp(-sum);
  const double many = -std::expm1(-sum);
  const double flip = flip_of(sources_, d);
  const double wanted = is_or == (x_[d] == 1.0) ? many : few;
  if (flip == 0.0) return wanted == few ? sum : -std::log(many);
  return -std::log(wanted * (1.0 - flip) + (1.0 - wanted) * flip);
}

double IntervalCost::gaussian(std::span<const double> low, std::span<const double> high, double m) const {
  const std::size_t size = sources_.dimensions;
  const double share = sources_.combination == Combination::mean ? 1.0 / m : 1.0;
  double cost = 0.0;
  double product = 1.0;  // of variances: one logarithm for many
  for (std::size_t d = 0; d < size; ++d) {
    const double below = x_[d] - share * high[d];
    const double above = x_[d] - share * low[d];
    const double distance = below > 0.0 ? below : above < 0.0 ? above : 0.0;
    const double noise = sources_.noise.empty() ? 0.0 : sources_.noise[d * size + d];
    const double least = share * share * low[size + d] + noise;
    const double most = share * share * high[size + d] + noise;
    const double variance = std::clamp(distance * distance, least, std::max(least, most));
    cost += distance * distance / variance;
    product *= variance;
    if (!(product > 1e-200 && product < 1e200)) {
      cost += std::log(product);
      product = 1.0;
    }
  }
  return 0.5 * (cost + std::log(product));
}

double IntervalCost::least(std::span<const double> low, std::span<const double> high, double m) const {
  if (is_gaussian(sources_.family)) return constant_ + gaussian(low, high, m);
  double cost = constant_;
  for (std::size_t d = 0; d < sources_.dimensions; ++d) {
    cost += of_one(d, std::clamp(mode_[d], low[d], std::max(low[d], high[d])));
  }
  return cost;
}

}  // namespace motet
