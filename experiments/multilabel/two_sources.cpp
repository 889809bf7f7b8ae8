#include "experiments/multilabel/two_sources.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::multilabel {
namespace {

constexpr std::array<Training, 5> known = {Training::deconvolution, Training::ignore, Training::fresh, Training::cross,
                                           Training::probabilistic};

// Mean and variance of an observation with each of the three label sets.
struct ThreeSets {
  std::array<double, 3> mean{};
  std::array<double, 3> variance{};
};

struct Deconvolution {
  double first = 0.0;
  double second = 0.0;
  double covariance = 0.0;
};

void estimate_each(PairPrecision& result, const ThreeSets& sets, const PairShares& shares, double items) {
  const std::array<double, 3> share = {shares.first, shares.second, shares.both};
  for (std::size_t j = 0; j < 3; ++j) result.variance[j] = sets.variance[j] / (share[j] * items);
}

void estimate_shared(PairPrecision& result, const ThreeSets& sets, const PairShares& shares, double items, double h,
                     SetCounts counts) {
  const std::array<double, 2> share = {shares.first, shares.second};
  const double spread = counts == SetCounts::random ? 1.0 : 0.0;
  std::array<double, 2> away{};  // E12 - m
  std::array<double, 2> weight{};
  for (std::size_t k = 0; k < 2; ++k) {
    weight[k] = share[k] + h * shares.both;
    const double limit = (share[k] * sets.mean[k] + h * shares.both * sets.mean[2]) / weight[k];
    away[k] = sets.mean[2] - limit;
    result.bias[k] = limit - sets.mean[k];
    result.variance[k] = (share[k] * (sets.variance[k] + spread * result.bias[k] * result.bias[k]) +
                          h * h * shares.both * (sets.variance[2] + spread * away[k] * away[k])) /
                         (weight[k] * weight[k] * items);
  }
  result.covariance =
      h * h * shares.both * (sets.variance[2] + spread * away[0] * away[1]) / (weight[0] * weight[1] * items);
}

PairPrecision precision_of(const ThreeSets& sets, const Deconvolution& deconvolution, const PairShares& shares,
                           double items, Training method, SetCounts counts) {
  PairPrecision result;
  if (method == Training::deconvolution) {
    result.variance = {deconvolution.first, deconvolution.second, 0.0};
    result.covariance = deconvolution.covariance;
  } else if (method == Training::ignore || method == Training::fresh) {
    estimate_each(result, sets, shares, items);
    if (method == Training::ignore) result.variance[2] = 0.0;
  } else {
    estimate_shared(result, sets, shares, items, method == Training::cross ? 1.0 : 0.5, counts);
  }
  const std::size_t parameters = method == Training::fresh ? 3 : 2;
  for (std::size_t k = 0; k < parameters; ++k) {
    result.mean_square_error +=
        (result.bias[k] * result.bias[k] + result.variance[k]) / static_cast<double>(parameters);
  }
  return result;
}

void check(const PairShares& shares, double items, Training method) {
  if (!(shares.first > 0.0 && shares.second > 0.0 && shares.both > 0.0)) {
    fail(ErrorKind::usage, "two sources: shares are not all above 0");
  }
  if (!(items > 0.0)) fail(ErrorKind::usage, "two sources: items = " + to_text(items) + " is not above 0");
  if (std::find(known.begin(), known.end(), method) == known.end()) {
    fail(ErrorKind::usage, "two sources: method auto has no theory");
  }
}

// --- Bayes rule -----------------------------------------------------------------------

double below(const GaussianClass& one, double x) {  // P(X < x)
  return 0.5 * std::erfc((one.mean - x) / std::sqrt(2.0 * one.variance));
}

// P(low < X < high), from the nearer tail so that nothing cancels.
double between(const GaussianClass& one, double low, double high) {
  if (low >= one.mean) {
    const GaussianClass mirrored{-one.mean, one.variance, one.share};
    return below(mirrored, -low) - below(mirrored, -high);
  }
  return below(one, high) - below(one, low);
}

double log_weight(const GaussianClass& one, double x) {
  const double away = x - one.mean;
  return std::log(one.share) - 0.5 * std::log(one.variance) - 0.5 * away * away / one.variance;
}

std::size_t best_at(std::span<const GaussianClass> classes, double x) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < classes.size(); ++c) {
    if (log_weight(classes[c], x) > log_weight(classes[best], x)) best = c;
  }
  return best;
}

double best_posterior(std::span<const GaussianClass> classes, double x) {
  const double top = log_weight(classes[best_at(classes, x)], x);
  double sum = 0.0;
  for (const GaussianClass& one : classes) sum += std::exp(log_weight(one, x) - top);
  return 1.0 / sum;
}

// Where two weighted densities are equal: the roots of a quadratic.
void add_crossings(const GaussianClass& a, const GaussianClass& b, std::vector<double>& points) {
  const double quadratic = 0.5 / b.variance - 0.5 / a.variance;
  const double linear = a.mean / a.variance - b.mean / b.variance;
  const double constant = log_weight(a, 0.0) - log_weight(b, 0.0);
  if (quadratic == 0.0) {
    if (linear != 0.0) points.push_back(-constant / linear);
    return;
  }
  const double discriminant = linear * linear - 4.0 * quadratic * constant;
  if (discriminant <= 0.0) return;
  const double larger = -0.5 * (linear + std::copysign(std::sqrt(discriminant), linear));
  points.push_back(larger / quadratic);
  if (larger != 0.0) points.push_back(constant / larger);
}

double point_inside(double low, double high) {
  if (std::isinf(low) && std::isinf(high)) return 0.0;
  if (std::isinf(low)) return high - 1.0 - std::abs(high);
  if (std::isinf(high)) return low + 1.0 + std::abs(low);
  return 0.5 * (low + high);
}

}  // namespace

PairPrecision pair_precision(const GaussianPair& pair, const PairShares& shares, double items, Training method,
                             SetCounts counts) {
  check(shares, items, method);
  const auto [s1, s2] = pair.variance;
  const double s12 = s1 + s2;
  const double g = shares.first * shares.second * s12 + shares.both * (shares.second * s1 + shares.first * s2);
  const Deconvolution deconvolution = {s1 * (shares.second * s12 + shares.both * s2) / (items * g),
                                       s2 * (shares.first * s12 + shares.both * s1) / (items * g),
                                       -shares.both * s1 * s2 / (items * g)};
  const ThreeSets sets = {{pair.mean[0], pair.mean[1], pair.mean[0] + pair.mean[1]}, {s1, s2, s12}};
  return precision_of(sets, deconvolution, shares, items, method, counts);
}

PairPrecision pair_precision(const BernoulliPair& pair, const PairShares& shares, double items, Training method,
                             SetCounts counts) {
  check(shares, items, method);
  const auto [b1, b2] = pair.probability;
  const double b12 = b1 + b2 - b1 * b2;
  const double v1 = b1 * (1.0 - b1);
  const double v2 = b2 * (1.0 - b2);
  const double w1 = b1 * (1.0 - b2);
  const double w2 = b2 * (1.0 - b1);
  const double g = shares.both * (shares.first * w2 + shares.second * w1) + shares.first * shares.second * b12;
  const Deconvolution deconvolution = {(shares.second * b12 + shares.both * w2) * v1 / (items * g),
                                       (shares.first * b12 + shares.both * w1) * v2 / (items * g),
                                       -shares.both * v1 * v2 / (items * g)};
  const ThreeSets sets = {{b1, b2, b12}, {v1, v2, b12 * (1.0 - b12)}};
  return precision_of(sets, deconvolution, shares, items, method, counts);
}

std::vector<GaussianClass> classes_of(const GaussianPair& pair, const PairShares& shares) {
  return {{pair.mean[0], pair.variance[0], shares.first},
          {pair.mean[1], pair.variance[1], shares.second},
          {pair.mean[0] + pair.mean[1], pair.variance[0] + pair.variance[1], shares.both}};
}

BayesRule bayes_rule(std::span<const GaussianClass> classes) {
  std::vector<double> points;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) add_crossings(classes[a], classes[b], points);
  }
  std::sort(points.begin(), points.end());
  points.push_back(infinity);
  BayesRule rule;
  double low = -infinity;
  for (const double high : points) {
    if (!(low < high)) continue;
    const std::size_t best = best_at(classes, point_inside(low, high));
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (c != best) rule.error += classes[c].share * between(classes[c], low, high);
    }
    if (rule.winner.empty() || rule.winner.back() != best) {
      if (!rule.winner.empty()) rule.thresholds.push_back(low);
      rule.winner.push_back(best);
    }
    low = high;
  }
  return rule;
}

Selective bayes_rule_rejecting(std::span<const GaussianClass> classes, double least) {
  // Posteriors are smooth: between neighbours of this grid they cross `least` at most once.
  constexpr std::size_t cells = 1 << 15;
  constexpr double reach = 12.0;  // standard deviations, beyond which there is no mass that counts
  double low = infinity;
  double high = -infinity;
  for (const GaussianClass& one : classes) {
    low = std::min(low, one.mean - reach * std::sqrt(one.variance));
    high = std::max(high, one.mean + reach * std::sqrt(one.variance));
  }
  const auto kept = [&](double x) { return best_posterior(classes, x) >= least; };
  Selective result;
  double right = 0.0;
  const auto add = [&](double from, double to) {
    const std::size_t best = best_at(classes, 0.5 * (from + to));
    for (const GaussianClass& one : classes) result.coverage += one.share * between(one, from, to);
    right += classes[best].share * between(classes[best], from, to);
  };
  // Cells are cut at the thresholds of the rule too, so that each has one winner.
  std::vector<double> edges = bayes_rule(classes).thresholds;
  for (std::size_t i = 0; i <= cells; ++i) {
    edges.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(cells));
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double from = edges[i];
    const double to = edges[i + 1];
    if (!(from < to)) continue;
    const bool first = kept(from);
    if (first == kept(to)) {
      if (first) add(from, to);
      continue;
    }
    double inside = from;
    double outside = to;
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (inside + outside);
      (kept(middle) == first ? inside : outside) = middle;
    }
    first ? add(from, inside) : add(outside, to);
  }
  result.error = result.coverage > 0.0 ? 1.0 - right / result.coverage : 0.0;
  return result;
}

double bayes_error(const BernoulliPair& pair, const PairShares& shares, std::size_t dimensions) {
  const auto [b1, b2] = pair.probability;
  const std::array<double, 3> b = {b1, b2, b1 + b2 - b1 * b2};
  const std::array<double, 3> share = {shares.first, shares.second, shares.both};
  const auto d = static_cast<double>(dimensions);
  double right = 0.0;
  double ways = 1.0;  // d over ones
  for (std::size_t ones = 0; ones <= dimensions; ++ones) {
    const auto s = static_cast<double>(ones);
    double best = 0.0;
    for (std::size_t j = 0; j < 3; ++j)
      best = std::max(best, share[j] * std::pow(b[j], s) * std::pow(1.0 - b[j], d - s));
    right += ways * best;
    ways *= (d - s) / (s + 1.0);
  }
  return 1.0 - right;
}

}  // namespace motet::multilabel
