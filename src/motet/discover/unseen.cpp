#include "motet/discover/unseen.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "motet/base/log_gamma.h"
#include "motet/base/numeric.h"
#include "motet/discover/answers.h"

namespace motet::discover {
namespace {

constexpr double shapes[] = {0.25, 0.5, 1.0, 2.0, 4.0};
constexpr double least_mean = 0.1;
constexpr double mean_step = 1.2;
constexpr std::size_t means = 40;
constexpr std::size_t most_unseen = 200;
constexpr double level = 0.95;

double log_negative_binomial(std::size_t n, double shape, double mean) {
  const auto count = static_cast<double>(n);
  return lgamma_alone(count + shape) - lgamma_alone(shape) - lgamma_alone(count + 1.0) +
         count * std::log(mean / (mean + shape)) + shape * std::log(shape / (mean + shape));
}

}  // namespace

UnseenClasses unseen_classes(std::span<const std::size_t> met, std::size_t questions) {
  UnseenClasses result;
  result.seen = met.size();
  if (met.empty() || questions == 0) return result;
  result.can_tell = true;
  const auto seen = static_cast<double>(met.size());
  std::vector<double> ways(most_unseen + 1);  // of each number, whatever the rates: (S + U)! / U! / (S + U)
  for (std::size_t u = 0; u <= most_unseen; ++u) {
    const auto unseen = static_cast<double>(u);
    ways[u] = lgamma_alone(seen + unseen + 1.0) - lgamma_alone(unseen + 1.0) - std::log(seen + unseen);
  }
  std::vector<double> joint;  // over shapes, means and numbers
  std::vector<double> rate;   // of an unseen class, per question
  joint.reserve(std::size(shapes) * means * ways.size());
  rate.reserve(joint.capacity());
  for (const double shape : shapes) {
    double mean = least_mean;
    for (std::size_t i = 0; i < means; ++i, mean *= mean_step) {
      double of_seen = 0.0;
      for (const std::size_t n : met) of_seen += log_negative_binomial(n, shape, mean);
      const double none = log_negative_binomial(0, shape, mean);
      const double of_unseen = shape * mean / (mean + shape) / static_cast<double>(questions);
      for (std::size_t u = 0; u <= most_unseen; ++u) {
        joint.push_back(of_seen + static_cast<double>(u) * none + ways[u]);
        rate.push_back(of_unseen);
      }
    }
  }
  const double whole = log_sum_exp(joint);
  std::vector<double> number(most_unseen + 1, 0.0);
  double next = 0.0;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    const double p = std::exp(joint[i] - whole);
    const std::size_t u = i % (most_unseen + 1);
    number[u] += p;
    next += p * (1.0 - std::exp(-static_cast<double>(u) * rate[i]));
  }
  double sum = 0.0;
  for (std::size_t u = 0; u <= most_unseen; ++u) {
    result.expected += static_cast<double>(u) * number[u];
    if (sum < level) result.most = u;
    sum += number[u];
  }
  result.next_is_new = next;
  return result;
}

UnseenClasses unseen_classes(const Features& features, const Discovery& discovery) {
  const HeldAnswers held = held_answers(discovery);
  std::vector<std::size_t> met(discovery.mixture.classes.size(), 0);
  const std::size_t apart = 2 * static_cast<std::size_t>(std::max(0, discovery.options.exclusion)) + 1;
  const std::pair<const std::size_t, std::int32_t>* before = nullptr;
  std::size_t questions = 0;
  for (const auto& entry : held) {
    const auto& [row, of_class] = entry;
    if (of_class < 0) continue;
    ++questions;
    const bool is_same = before != nullptr && before->second == of_class && row - before->first <= apart &&
                         sequence_of(features, row) == sequence_of(features, before->first);
    if (of_class > 0 && (!is_same || apart == 1)) ++met[static_cast<std::size_t>(of_class)];
    before = &entry;
  }
  std::erase(met, 0U);
  return unseen_classes(met, questions);
}

}  // namespace motet::discover
