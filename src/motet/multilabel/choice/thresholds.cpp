#include "motet/multilabel/choice/thresholds.h"

#include <cmath>

namespace motet::multilabel {
namespace {

constexpr double fewest_there = 3.0;
constexpr std::size_t middle = threshold_steps / 2;  // 1/2

double f1(double right, double given, double there) {
  return given + there > 0.0 ? 2.0 * right / (given + there) : 0.0;
}

double distance(std::size_t step) { return std::abs(static_cast<double>(step) - static_cast<double>(middle)); }

// The step with the largest value; of equal ones that nearest to 1/2.
template <class ValueAt>
std::size_t best_step(const ValueAt& value_at) {
  std::size_t best = middle;
  for (std::size_t step = 0; step < threshold_steps; ++step) {
    const double more = value_at(step) - value_at(best);
    if (more > 0.0 || (more == 0.0 && distance(step) < distance(best))) best = step;
  }
  return best;
}

double micro_at(const ThresholdCounts& counts, std::size_t step) {
  double right = 0.0;
  double given = 0.0;
  double there = 0.0;
  for (std::size_t k = 0; k < counts.labels; ++k) {
    right += counts.right[k * threshold_steps + step];
    given += counts.given[k * threshold_steps + step];
    there += counts.there[k];
  }
  return f1(right, given, there);
}

double label_at(const ThresholdCounts& counts, std::size_t k, std::size_t step) {
  return f1(counts.right[k * threshold_steps + step], counts.given[k * threshold_steps + step], counts.there[k]);
}

std::vector<std::size_t> best_steps(const ThresholdCounts& counts, Optimize optimize) {
  if (optimize != Optimize::micro_f1 && optimize != Optimize::macro_f1) {
    return std::vector<std::size_t>(counts.labels, middle);
  }
  std::vector<std::size_t> steps(counts.labels, best_step([&](std::size_t step) { return micro_at(counts, step); }));
  for (std::size_t k = 0; k < counts.labels && optimize == Optimize::macro_f1; ++k) {
    if (counts.there[k] < fewest_there) continue;
    steps[k] = best_step([&](std::size_t step) { return label_at(counts, k, step); });
  }
  return steps;
}

}  // namespace

ThresholdCounts::ThresholdCounts(std::size_t label_count)
    : labels(label_count), given(label_count * threshold_steps), right(given.size()), there(label_count) {}

void ThresholdCounts::add(std::span<const double> marginal, std::span<const double> truth) {
  for (std::size_t k = 0; k < labels; ++k) {
    there[k] += truth[k];
    for (std::size_t step = 0; step < threshold_steps && marginal[k] > threshold_at(step); ++step) {
      given[k * threshold_steps + step] += 1.0;
      right[k * threshold_steps + step] += truth[k];
    }
  }
}

void ThresholdCounts::add(const ThresholdCounts& others) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    given[i] += others.given[i];
    right[i] += others.right[i];
  }
  for (std::size_t k = 0; k < labels; ++k) there[k] += others.there[k];
}

std::vector<double> best_thresholds(const ThresholdCounts& counts, Optimize optimize) {
  std::vector<double> result;
  for (const std::size_t step : best_steps(counts, optimize)) result.push_back(threshold_at(step));
  return result;
}

double f1_loss(const ThresholdCounts& counts, Optimize optimize) {
  const std::vector<std::size_t> steps = best_steps(counts, optimize);
  if (steps.empty()) return 1.0;
  if (optimize != Optimize::macro_f1) return 1.0 - micro_at(counts, steps.front());
  double sum = 0.0;
  for (std::size_t k = 0; k < counts.labels; ++k) sum += label_at(counts, k, steps[k]);
  return 1.0 - sum / static_cast<double>(counts.labels);
}

}  // namespace motet::multilabel
