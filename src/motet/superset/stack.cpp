#include "motet/superset/stack.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "motet/engine/iterate.h"
#include "motet/superset/linear/linear.h"

namespace motet::superset {
namespace {

constexpr double lowest = -4.0, highest = 7.0;  // of log s: 0.02 to 1100
constexpr int coarse_points = 23;
constexpr std::size_t stack_steps = 2000;
constexpr double least_rise = 1e-9;  // per row

// The best point of a grid, then golden sections around it.
double best_exponent(const std::function<double(double)>& value) {
  constexpr double width = (highest - lowest) / (coarse_points - 1);
  double best = 0.0, top = value(0.0);  // what the member says itself wins ties
  for (int i = 0; i < coarse_points; ++i) {
    const double at = lowest + width * i;
    const double here = value(at);
    if (here > top) {
      top = here;
      best = at;
    }
  }
  const double ratio = (std::sqrt(5.0) - 1.0) / 2.0;
  double low = best - width, high = best + width;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = value(a), at_b = value(b);
  for (int i = 0; i < 20; ++i) {
    if (at_a >= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = value(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = value(b);
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

std::vector<double> sharpened(std::span<const double> g, std::size_t classes, double sharpness) {
  std::vector<double> p(g.begin(), g.end());
  to_softmax(p, classes, sharpness);
  return p;
}

std::vector<double> log_scores(std::vector<double> probability) {
  for (double& value : probability) value = std::log(std::max(value, 1e-12));
  return probability;
}

double fit_sharpness(const EvidenceMatrix& evidence, std::span<const double> g) {
  return std::exp(best_exponent([&](double exponent) {
    double sum = 0.0;
    for (const double term : log_likelihoods(evidence, sharpened(g, evidence.classes, std::exp(exponent)))) {
      sum += term;
    }
    return sum;
  }));
}

Stack fit_stack(const EvidenceMatrix& evidence, std::span<const std::vector<double>> members) {
  const std::size_t count = members.size();
  const auto rows = static_cast<double>(evidence.rows);
  std::vector<std::vector<double>> c;
  for (const std::vector<double>& p : members) {
    c.push_back(log_likelihoods(evidence, p));
    for (double& value : c.back()) value = std::exp(value);
  }
  Stack stack;
  stack.weight.assign(count, 1.0 / static_cast<double>(count));
  std::vector<double> share;
  Iterated steps;
  steps.objective = [&] {
    share.assign(count, 0.0);
    double objective = 0.0;
    for (std::size_t n = 0; n < evidence.rows; ++n) {
      double sum = 0.0;
      for (std::size_t m = 0; m < count; ++m) sum += stack.weight[m] * c[m][n];
      objective += std::log(sum) / rows;
      for (std::size_t m = 0; m < count; ++m) share[m] += stack.weight[m] * c[m][n] / sum / rows;
    }
    return objective;
  };
  steps.step = [&] {
    stack.weight = share;
    return Step{};
  };
  stack.summary = iterate(steps, {.max_iterations = stack_steps, .least_rise = least_rise}, {}, {});
  if (stack.summary.stop == Stop::iteration_limit) steps.step();  // the last E-step is not wasted
  return stack;
}

std::vector<double> weighted_average(std::span<const double> weight, std::span<const std::vector<double>> members) {
  std::vector<double> mean(members.front().size(), 0.0);
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (weight[m] == 0.0) continue;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += weight[m] * members[m][i];
  }
  return mean;
}

}  // namespace motet::superset
