#include "motet/sources/pair_sampler.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/rng.h"

namespace motet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_share = 1e-300;
constexpr std::uint64_t sampler_seed = 0x6d6f746574;  // fixed: the same question has the same answer

// Additive recurrence with the powers of 1 / phi, phi^(d + 1) = phi + 1: evenly spread in d dimensions.
std::vector<double> lattice_steps(std::size_t dimensions) {
  double phi = 2.0;
  for (int step = 0; step < 60; ++step) phi = std::pow(1.0 + phi, 1.0 / (static_cast<double>(dimensions) + 1.0));
  std::vector<double> steps(dimensions);
  double power = 1.0;
  for (double& value : steps) value = power /= phi;
  return steps;
}

double inside_unit(double u) {
  constexpr double margin = 1e-15;
  return std::clamp(u - std::floor(u), margin, 1.0 - margin);
}

bool is_continuous(Family family) { return family != Family::bernoulli && family != Family::poisson; }

double total_location(std::span<const Marginal> members) {
  double total = 0.0;
  for (const Marginal& member : members) total += member.location;
  return total;
}

// P(c ones) of coins, all but `without`.
std::vector<double> count_distribution(std::span<const Marginal> coins, std::size_t without) {
  std::vector<double> p{1.0};
  for (std::size_t k = 0; k < coins.size(); ++k) {
    if (k == without) continue;
    p.push_back(0.0);
    for (std::size_t c = p.size() - 1; c > 0; --c)
      p[c] = p[c] * (1.0 - coins[k].location) + p[c - 1] * coins[k].location;
    p[0] *= 1.0 - coins[k].location;
  }
  return p;
}

// The whole number that y is, but for the rounding of a division; -1 for another.
double as_count(double y) {
  constexpr double rounding = 1e-9;
  const double whole = std::round(y);
  return whole >= 0.0 && std::abs(y - whole) <= rounding * (1.0 + whole) ? whole : -1.0;
}

double at_count(std::span<const double> p, double count) {
  return count >= 0.0 && count < static_cast<double>(p.size()) ? p[static_cast<std::size_t>(count)] : 0.0;
}

// Whose emission is the least: the odds are the hazards f_k / S_k; of counts, P(xi_k = x and all others >= x).
std::vector<double> least_probabilities(std::span<const Marginal> members, double x) {
  std::vector<double> odds;
  for (const Marginal& member : members) odds.push_back(member.log_density(x) - member.log_survival(x));
  const double total = log_sum_exp(odds);
  for (double& value : odds) value = std::exp(value - total);
  return odds;
}

double log_minimum(std::span<const Marginal> members, double x) {
  double all_above = 0.0;
  for (const Marginal& member : members) all_above += member.log_survival(x);
  if (!is_continuous(members[0].family)) {
    if (!(x >= 0.0) || x != std::floor(x)) return -infinity;
    double from_here = 0.0;
    for (const Marginal& member : members) from_here += member.log_survival(x - 1.0);
    return from_here + std::log1p(-std::exp(all_above - from_here));
  }
  std::vector<double> hazards;
  for (const Marginal& member : members) hazards.push_back(member.log_density(x) - member.log_survival(x));
  return all_above + log_sum_exp(hazards);
}

std::vector<Moments2> minimum_emissions(std::span<const Marginal> members, double x) {
  std::vector<Moments2> result;
  std::vector<double> is_least;
  if (is_continuous(members[0].family)) {
    is_least = least_probabilities(members, x);
  } else {
    const double log_all = log_minimum(members, x);
    for (std::size_t k = 0; k < members.size(); ++k) {
      double log_joint = members[k].log_density(x) - log_all;
      for (std::size_t j = 0; j < members.size(); ++j) {
        if (j != k) log_joint += members[j].log_survival(x - 1.0);
      }
      is_least.push_back(std::min(1.0, std::exp(log_joint)));
    }
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Moments2 above = members[k].moments_above(x);
    const double rest = 1.0 - is_least[k];
    const double step = above.mean - x;
    result.push_back({x + rest * step, rest * above.variance + rest * is_least[k] * step * step});
  }
  return result;
}

}  // namespace

void require_sampled_pair(const Sources& sources) {
  require_pair(sources.family, sources.combination);
  if (!has_closed_form(sources) && !sources.noise.empty()) {
    fail(ErrorKind::usage,
         std::string("noise has no meaning for ") + family_words[static_cast<std::size_t>(sources.family)] +
             " sources with combine = " + combination_words[static_cast<std::size_t>(sources.combination)] +
             "; it has for pairs with a closed form");
  }
}

PairSampler::PairSampler(std::vector<Marginal> members, Combination combination, std::size_t samples,
                         std::uint64_t stream)
    : members_(std::move(members)), combination_(combination) {
  const Family family = members_[0].family;
  if (members_.size() == 1 || combination == Combination::minimum || !is_continuous(family)) return;
  if (combination == Combination::product || family == Family::gaussian) {
    way_ = Way::rest;
  } else if (family == Family::gamma) {
    return;
  } else {
    way_ = family == Family::lognormal ? Way::largest : Way::simplex;
  }
  points_ = std::max<std::size_t>(1, samples / sample_batches);
  terms_ = way_ == Way::largest ? members_.size() : 1;
  if (way_ == Way::rest) {
    const auto width = [&](const Marginal& m) {
      const Moments2 moments = m.moments();
      return combination == Combination::sum || combination == Combination::mean
                 ? moments.variance
                 : moments.variance / (moments.mean * moments.mean + moments.variance);
    };
    for (std::size_t k = 1; k < members_.size(); ++k) {
      if (width(members_[k]) > width(members_[last_])) last_ = k;
    }
  }
  draw(stream);
}

double PairSampler::unit() const {
  return combination_ == Combination::mean ? static_cast<double>(members_.size()) : 1.0;
}

void PairSampler::draw(std::uint64_t stream) {
  const std::size_t m = members_.size();
  const std::size_t width = way_ == Way::simplex ? m : m - 1;
  const std::vector<double> steps = lattice_steps(m - 1);
  const Rng rng = Rng(Seed{sampler_seed}).child(stream);
  table_.reserve(sample_batches * points_ * terms_ * width);
  for (std::size_t batch = 0; batch < sample_batches; ++batch) {
    Rng shifts = rng.child(batch);
    std::vector<double> start(terms_ * (m - 1));
    for (double& value : start) value = shifts.uniform();
    for (std::size_t i = 0; i < points_ * terms_; ++i) {
      const std::size_t point = i / terms_;
      const double* const from = start.data() + i % terms_ * (m - 1);
      const auto level = [&](std::size_t j) { return inside_unit(from[j] + static_cast<double>(point) * steps[j]); };
      double left = 1.0;  // of `simplex`: not yet given away
      for (std::size_t j = 0; j + 1 < m; ++j) {
        if (way_ == Way::largest) {
          table_.push_back(level(j));
        } else if (way_ == Way::rest) {
          table_.push_back(members_[j < last_ ? j : j + 1].quantile(level(j)));
        } else {
          // Beta(1, others left) of what is left, so that all shares together are uniform.
          const double kept = std::pow(level(j), 1.0 / static_cast<double>(m - 1 - j));
          table_.push_back(std::max(least_share, left * (1.0 - kept)));
          left *= kept;
        }
      }
      if (way_ == Way::simplex) table_.push_back(std::max(least_share, left));
    }
  }
}

void PairSampler::weigh_simplex(double y, Weights& to, bool with_values) const {
  const std::size_t m = members_.size();
  // The shares have density (m - 1)!, and y takes m - 1 factors from one unit to the other.
  const double constant = (static_cast<double>(m) - 1.0) * std::log(y) - boost::math::lgamma(static_cast<double>(m));
  for (std::size_t s = 0; s < to.log_weight.size(); ++s) {
    double log_weight = y > 0.0 ? constant : -infinity;
    for (std::size_t k = 0; k < m && y > 0.0; ++k) log_weight += members_[k].log_density(y * table_[s * m + k]);
    to.log_weight[s] = log_weight;
    if (!with_values) continue;
    for (std::size_t k = 0; k < m; ++k) to.values[s * m + k] = y * table_[s * m + k];
  }
}

void PairSampler::weigh_largest(double y, Weights& to, bool with_values) const {
  const std::size_t m = members_.size();
  std::vector<double> emission(m);
  for (std::size_t s = 0; s < to.log_weight.size(); ++s) {
    const std::size_t k = s % terms_;
    double rest = y;
    double largest = 0.0;
    double log_weight = 0.0;
    for (std::size_t j = 0; j + 1 < m; ++j) {
      const std::size_t other = j < k ? j : j + 1;
      const double log_below =
          rest > 0.0 ? normal_log_survival((members_[other].location - std::log(rest)) / members_[other].spread)
                     : -infinity;
      const double level = std::max(least_share, table_[s * (m - 1) + j] * std::exp(log_below));
      emission[other] = members_[other].quantile(level);
      log_weight += log_below;
      largest = std::max(largest, emission[other]);
      rest -= emission[other];
    }
    emission[k] = rest;
    to.log_weight[s] = rest > 0.0 && rest >= largest ? log_weight + members_[k].log_density(rest) : -infinity;
    if (with_values)
      std::copy(emission.begin(), emission.end(), to.values.begin() + static_cast<std::ptrdiff_t>(s * m));
  }
}

void PairSampler::weigh_rest(double y, Weights& to, bool with_values) const {
  const std::size_t m = members_.size();
  const bool is_product = combination_ == Combination::product;
  for (std::size_t s = 0; s < to.log_weight.size(); ++s) {
    const double* const others = table_.data() + s * (m - 1);
    double together = is_product ? 1.0 : 0.0;
    for (std::size_t j = 0; j + 1 < m; ++j) together = is_product ? together * others[j] : together + others[j];
    const double rest = is_product ? y / together : y - together;
    to.log_weight[s] = members_[last_].log_density(rest) - (is_product ? std::log(std::abs(together)) : 0.0);
    if (!with_values) continue;
    for (std::size_t j = 0; j + 1 < m; ++j) to.values[s * m + (j < last_ ? j : j + 1)] = others[j];
    to.values[s * m + last_] = rest;
  }
}

PairSampler::Weights PairSampler::weigh(double y, bool with_values) const {
  Weights weights;
  weights.log_weight.resize(sample_batches * points_ * terms_);
  if (with_values) weights.values.resize(weights.log_weight.size() * members_.size());
  switch (way_) {
    case Way::simplex: weigh_simplex(y, weights, with_values); break;
    case Way::largest: weigh_largest(y, weights, with_values); break;
    default: weigh_rest(y, weights, with_values); break;
  }
  return weights;
}

EstimatedDensity PairSampler::log_density(double x) const {
  const double y = unit() * x;
  const double log_unit = is_continuous(members_[0].family) ? std::log(unit()) : 0.0;
  if (way_ == Way::exact) return {exact_log_density(x) + log_unit, 0.0};
  // Densities of products of Gaussians have a pole.
  if (combination_ == Combination::product && y == 0.0) {
    return {members_[0].family == Family::gaussian ? infinity : -infinity, 0.0};
  }
  if (members_[0].family != Family::gaussian && !(y > 0.0)) return {-infinity, 0.0};
  const Weights weights = weigh(y, false);
  const double most = *std::max_element(weights.log_weight.begin(), weights.log_weight.end());
  if (!std::isfinite(most)) return {most, infinity};
  std::vector<double> batches(sample_batches, 0.0);
  const std::size_t entries = points_ * terms_;
  for (std::size_t s = 0; s < weights.log_weight.size(); ++s) {
    batches[s / entries] += std::exp(weights.log_weight[s] - most) / static_cast<double>(points_);
  }
  const MeanSd over = mean_sd(batches);
  return {most + std::log(over.mean) + log_unit, over.error / over.mean};
}

double PairSampler::exact_log_density(double x) const {
  const double y = unit() * x;
  if (members_.size() == 1) return members_[0].log_density(x);
  if (combination_ == Combination::minimum) return log_minimum(members_, x);
  if (members_[0].family == Family::bernoulli) {
    const double p = at_count(count_distribution(members_, members_.size()), as_count(y));
    return p > 0.0 ? std::log(p) : -infinity;
  }
  Marginal total = members_[0];
  total.location = total_location(members_);
  return total.log_density(total.family == Family::poisson ? as_count(y) : y);
}

std::vector<Moments2> PairSampler::exact_emissions(double x) const {
  const double y = unit() * x;
  if (members_.size() == 1) return {{x, 0.0}};
  if (combination_ == Combination::minimum) return minimum_emissions(members_, x);
  std::vector<Moments2> result;
  const double total = total_location(members_);
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const double location = members_[k].location;
    if (members_[k].family == Family::bernoulli) {
      const double without = location * at_count(count_distribution(members_, k), as_count(y) - 1.0);
      const double all = at_count(count_distribution(members_, members_.size()), as_count(y));
      const double p = all > 0.0 ? std::min(1.0, without / all) : 0.0;
      result.push_back({p, p * (1.0 - p)});
      continue;
    }
    const double share = total > 0.0 ? location / total : 0.0;
    const double spread = members_[k].family == Family::poisson ? y : y * y / (total + 1.0);  // gamma: a beta share
    result.push_back({y * share, spread * share * (1.0 - share)});
  }
  return result;
}

std::vector<Moments2> PairSampler::emissions(double x) const {
  if (way_ == Way::exact) return exact_emissions(x);
  const std::size_t m = members_.size();
  const Weights weights = weigh(unit() * x, true);
  const double most = *std::max_element(weights.log_weight.begin(), weights.log_weight.end());
  std::vector<Moments2> result;
  if (!std::isfinite(most)) {  // the item cannot be; what is known is what was known before
    for (const Marginal& member : members_) result.push_back(member.moments());
    return result;
  }
  result.resize(m);
  double total = 0.0;
  for (std::size_t s = 0; s < weights.log_weight.size(); ++s) total += std::exp(weights.log_weight[s] - most);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t s = 0; s < weights.log_weight.size(); ++s) {
      if (weights.log_weight[s] == -infinity) continue;
      const double value = weights.values[s * m + k];
      const double weight = std::exp(weights.log_weight[s] - most) / total;
      result[k].mean += weight * value;
      result[k].variance += weight * value * value;
    }
    result[k].variance = std::max(0.0, result[k].variance - result[k].mean * result[k].mean);
  }
  return result;
}

}  // namespace motet
