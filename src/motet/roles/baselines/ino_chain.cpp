#include "motet/roles/baselines/ino_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/log_gamma.h"
#include "motet/roles/role_model.h"
#include "motet/sources/sample.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_new = 4;  // new features of one user at a time; more have no weight at rates alpha / N

double logit(double x) { return std::log(x) - std::log1p(-x); }
double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

double sample_beta(double a, double b, Rng& rng) {
  const double x = sample_gamma(a, rng);
  return std::clamp(x / (x + sample_gamma(b, rng)), 1e-12, 1.0 - 1e-12);
}

double harmonic(std::size_t n) {
  double sum = 0.0;
  for (std::size_t i = 1; i <= n; ++i) sum += 1.0 / static_cast<double>(i);
  return sum;
}

// log p(x = 1 | count) when the zeros have probability exp(log_zero).
double log_one(double log_zero) { return std::log(-std::expm1(log_zero)); }

// One step of slice sampling on the log-odds of a probability (Neal 2003, stepping out by 1).
template <class LogDensity>
double slice_sample(double at, Rng& rng, const LogDensity& log_density) {
  const double x = logit(at);
  const double level = log_density(logistic(x)) + std::log1p(-rng.uniform());
  double low = x - rng.uniform();
  double high = low + 1.0;
  for (int i = 0; i < 20 && log_density(logistic(low)) > level; ++i) low -= 1.0;
  for (int i = 0; i < 20 && log_density(logistic(high)) > level; ++i) high += 1.0;
  for (int i = 0; i < 100; ++i) {
    const double next = rng.uniform(low, high);
    if (log_density(logistic(next)) > level) return std::clamp(logistic(next), least_noise, 1.0 - least_noise);
    (next < x ? low : high) = next;
  }
  return at;
}

}  // namespace

InoChain::InoChain(const BitMatrix& held, std::size_t max_features, Rng rng)
    : held_(held), max_features_(max_features), rng_(rng), x_(held.rows() * held.columns()), count_(x_.size(), 0) {
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for_each_bit(held.row(n), [&](std::size_t d) { x_[n * held.columns() + d] = 1; });
  }
  fill_tables();
}

void InoChain::fill_tables() {
  const std::size_t most = state_.features.size() + most_new + 2;
  for (int x = 0; x < 2; ++x) {
    log_p_[x].resize(most + 1);
    step_[x].resize(most);
  }
  for (std::size_t m = 0; m <= most; ++m) {
    const double log_zero = std::log1p(-state_.eps) + static_cast<double>(m) * std::log1p(-state_.lambda);
    log_p_[0][m] = log_zero;
    log_p_[1][m] = log_one(log_zero);
  }
  for (int x = 0; x < 2; ++x) {
    for (std::size_t m = 0; m < most; ++m) step_[x][m] = log_p_[x][m + 1] - log_p_[x][m];
  }
}

void InoChain::add_to_counts(const InoFeature& feature, std::size_t user, int by) {
  std::uint16_t* const count = count_.data() + user * held_.columns();
  for (std::size_t d = 0; d < held_.columns(); ++d) {
    count[d] = static_cast<std::uint16_t>(count[d] + by * feature.permissions[d]);
  }
}

// Of giving the feature to a user who does not have it.
double InoChain::gain_of_user(const InoFeature& feature, std::size_t user) const {
  const std::uint16_t* const count = count_.data() + user * held_.columns();
  const std::uint8_t* const x = x_.data() + user * held_.columns();
  const std::uint8_t* const y = feature.permissions.data();
  const double* const step[2] = {step_[0].data(), step_[1].data()};
  double gain = 0.0;
  for (std::size_t d = 0; d < held_.columns(); ++d) {
    if (y[d] != 0) gain += step[x[d]][count[d]];
  }
  return gain;
}

// Of giving a permission to a feature that does not have it.
double InoChain::gain_of_permission(const InoFeature& feature, std::size_t permission) const {
  const double* const step[2] = {step_[0].data(), step_[1].data()};
  double gain = 0.0;
  for (std::size_t n = 0; n < held_.rows(); ++n) {
    if (feature.users[n] == 0) continue;
    const std::size_t cell = n * held_.columns() + permission;
    gain += step[x_[cell]][count_[cell]];
  }
  return gain;
}

void InoChain::set_user(InoFeature& feature, std::size_t user, bool value) {
  if ((feature.users[user] != 0) == value) return;
  feature.users[user] = value ? 1 : 0;
  value ? ++feature.user_count : --feature.user_count;
  add_to_counts(feature, user, value ? 1 : -1);
}

void InoChain::set_permission(InoFeature& feature, std::size_t permission, bool value) {
  if ((feature.permissions[permission] != 0) == value) return;
  feature.permissions[permission] = value ? 1 : 0;
  const int by = value ? 1 : -1;
  for (std::size_t n = 0; n < held_.rows(); ++n) {
    std::uint16_t& count = count_[n * held_.columns() + permission];
    count = static_cast<std::uint16_t>(count + by * feature.users[n]);
  }
}

void InoChain::drop_unused() {
  std::erase_if(state_.features, [](const InoFeature& feature) { return feature.user_count == 0; });
}

void InoChain::sample_users(std::size_t user) {
  const auto users = static_cast<double>(held_.rows());
  for (InoFeature& feature : state_.features) {
    set_user(feature, user, false);
    if (feature.user_count == 0) continue;  // only this user had it: see sample_new_features
    const auto others = static_cast<double>(feature.user_count);
    const double log_odds = std::log(others / (users - others)) + gain_of_user(feature, user);
    if (rng_.uniform() < logistic(log_odds)) set_user(feature, user, true);
  }
  drop_unused();
}

// Features that only this user has: their number with the permissions summed out, then those.
void InoChain::sample_new_features(std::size_t user) {
  const std::size_t columns = held_.columns();
  const std::size_t room = max_features_ - std::min(max_features_, state_.features.size());
  const std::size_t most = std::min(most_new, room);
  const double log_rate = std::log(state_.alpha / static_cast<double>(held_.rows()));
  const double log_missed = std::log1p(-state_.lambda * state_.p);  // a new feature leaves a zero a zero
  const std::uint8_t* const x = x_.data() + user * columns;
  std::vector<double> ones(log_p_[0].size());  // how many of the user's permissions are granted m times
  double zeros = 0.0;
  for (std::size_t d = 0; d < columns; ++d) {
    if (x[d] != 0) {
      ones[count_[user * columns + d]] += 1.0;
    } else {
      zeros += 1.0;
    }
  }
  std::vector<double> weights;
  double log_factorial = 0.0;
  for (std::size_t extra = 0; extra <= most; ++extra) {
    const auto i = static_cast<double>(extra);
    if (extra > 0) log_factorial += std::log(i);
    double log_weight = i * (log_rate + zeros * log_missed) - log_factorial;
    for (std::size_t m = 0; m < ones.size(); ++m) {
      if (ones[m] > 0.0) log_weight += ones[m] * log_one(log_p_[0][m] + i * log_missed);
    }
    weights.push_back(log_weight);
  }
  const double largest = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight = std::exp(weight - largest);
  const std::size_t extra = rng_.categorical(weights);
  if (extra == 0) return;
  const std::size_t first = state_.features.size();
  for (std::size_t i = 0; i < extra; ++i) {
    InoFeature feature{std::vector<std::uint8_t>(held_.rows()), std::vector<std::uint8_t>(columns), 1};
    feature.users[user] = 1;
    state_.features.push_back(std::move(feature));
  }
  fill_tables();
  for (std::size_t d = 0; d < columns; ++d) {  // one after the other, those to come still summed out
    std::uint16_t& count = count_[user * columns + d];
    for (std::size_t i = 0; i < extra; ++i) {
      const double rest = static_cast<double>(extra - i - 1) * log_missed;
      const double zero_with = log_p_[0][count + 1U] + rest;
      const double zero_without = log_p_[0][count] + rest;
      const double gain = x[d] != 0 ? log_one(zero_with) - log_one(zero_without) : zero_with - zero_without;
      if (rng_.uniform() >= logistic(logit(state_.p) + gain)) continue;
      state_.features[first + i].permissions[d] = 1;
      ++count;
    }
  }
}

void InoChain::sample_permissions() {
  const double prior = logit(state_.p);
  for (InoFeature& feature : state_.features) {
    for (std::size_t d = 0; d < held_.columns(); ++d) {
      set_permission(feature, d, false);
      if (rng_.uniform() < logistic(prior + gain_of_permission(feature, d))) set_permission(feature, d, true);
    }
  }
}

// lambda and eps given how many cells of each value are granted how often.
void InoChain::sample_noise() {
  std::vector<double> cells[2] = {std::vector<double>(state_.features.size() + 1),
                                  std::vector<double>(state_.features.size() + 1)};
  for (std::size_t i = 0; i < x_.size(); ++i) cells[x_[i]][count_[i]] += 1.0;
  const auto log_density = [&](double lambda, double eps) {
    if (!(lambda > least_noise && lambda < 1.0 - least_noise && eps > least_noise && eps < 1.0 - least_noise)) {
      return -std::numeric_limits<double>::infinity();
    }
    double sum = std::log(lambda) + std::log1p(-lambda) + std::log(eps) + std::log1p(-eps);  // of the log-odds
    for (std::size_t m = 0; m < cells[0].size(); ++m) {
      const double log_zero = std::log1p(-eps) + static_cast<double>(m) * std::log1p(-lambda);
      sum += cells[0][m] * log_zero + (cells[1][m] > 0.0 ? cells[1][m] * log_one(log_zero) : 0.0);
    }
    return sum;
  };
  state_.lambda = slice_sample(state_.lambda, rng_, [&](double value) { return log_density(value, state_.eps); });
  state_.eps = slice_sample(state_.eps, rng_, [&](double value) { return log_density(state_.lambda, value); });
  fill_tables();
}

void InoChain::sample_rates() {
  const auto features = static_cast<double>(state_.features.size());
  double ones = 0.0;
  for (const InoFeature& feature : state_.features) {
    for (const std::uint8_t y : feature.permissions) ones += y;
  }
  state_.p = sample_beta(1.0 + ones, 1.0 + features * static_cast<double>(held_.columns()) - ones, rng_);
  state_.alpha = sample_gamma(1.0 + features, rng_) / (1.0 + harmonic(held_.rows()));
}

void InoChain::sweep() {
  for (std::size_t n = 0; n < held_.rows(); ++n) {
    sample_users(n);
    sample_new_features(n);
  }
  sample_permissions();
  sample_noise();
  sample_rates();
}

bool InoChain::climb() {
  const auto users = static_cast<double>(held_.rows());
  bool moved = false;
  for (InoFeature& feature : state_.features) {
    for (std::size_t n = 0; n < held_.rows(); ++n) {
      const bool had = feature.users[n] != 0;
      set_user(feature, n, false);
      const auto others = static_cast<double>(feature.user_count);
      const bool has = others == 0.0 ? had : std::log(others / (users - others)) + gain_of_user(feature, n) > 0.0;
      set_user(feature, n, has);
      moved |= has != had;
    }
    for (std::size_t d = 0; d < held_.columns(); ++d) {
      const bool had = feature.permissions[d] != 0;
      set_permission(feature, d, false);
      const bool has = logit(state_.p) + gain_of_permission(feature, d) > 0.0;
      set_permission(feature, d, has);
      moved |= has != had;
    }
  }
  return moved;
}

double InoChain::log_posterior() const {
  const auto users = static_cast<double>(held_.rows());
  double sum = static_cast<double>(state_.features.size()) * std::log(state_.alpha) -
               state_.alpha * (1.0 + harmonic(held_.rows()));
  for (const InoFeature& feature : state_.features) {
    const auto count = static_cast<double>(feature.user_count);
    sum += lgamma_alone(users - count + 1.0) + lgamma_alone(count) - lgamma_alone(users + 1.0);
    for (const std::uint8_t y : feature.permissions) sum += y != 0 ? std::log(state_.p) : std::log1p(-state_.p);
  }
  for (std::size_t i = 0; i < x_.size(); ++i) sum += log_p_[x_[i]][count_[i]];
  return sum;
}

void InoChain::restore(const InoState& state) {
  state_ = state;
  std::fill(count_.begin(), count_.end(), std::uint16_t{0});
  fill_tables();
  for (const InoFeature& feature : state_.features) {
    for (std::size_t n = 0; n < held_.rows(); ++n) {
      if (feature.users[n] != 0) add_to_counts(feature, n, 1);
    }
  }
}

}  // namespace motet::roles
