#include "motet/superset/linear/logistic.h"

#include <algorithm>
#include <cmath>

namespace motet::superset {
namespace {

constexpr std::size_t start_steps = 100;
constexpr std::size_t newton_steps = 300;

// Puts p = softmax(f) into `p` and returns log sum exp f.
double softmax(std::span<const double> f, std::span<double> p) {
  const double top = *std::max_element(f.begin(), f.end());
  double sum = 0.0;
  for (std::size_t l = 0; l < f.size(); ++l) sum += p[l] = std::exp(f[l] - top);
  for (double& value : p) value /= sum;
  return top + std::log(sum);
}

}  // namespace

LinearFit fit_logistic(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions,
                       double penalty, const RunContext& run) {
  const std::size_t classes = evidence.classes;
  const EvidenceMatrix target = averaged(evidence);
  const RowLoss convex = [&](std::size_t n, std::span<const double> f, std::span<double> slope) {
    const double total = softmax(f, slope);
    const std::span<const double> t = target.row(n);
    double fit = 0.0;
    for (std::size_t l = 0; l < classes; ++l) {
      fit += t[l] * f[l];
      slope[l] -= t[l];
    }
    return total - fit;
  };
  const RowLoss likelihood = [&](std::size_t n, std::span<const double> f, std::span<double> slope) {
    const double total = softmax(f, slope);
    const std::span<const double> m = evidence.row(n);
    double top = -INFINITY;
    for (std::size_t l = 0; l < classes; ++l) {
      if (m[l] > 0.0) top = std::max(top, f[l]);
    }
    double sum = 0.0;
    for (std::size_t l = 0; l < classes; ++l) {
      if (m[l] > 0.0) sum += m[l] * std::exp(f[l] - top);
    }
    for (std::size_t l = 0; l < classes; ++l) {
      if (m[l] > 0.0) slope[l] -= m[l] * std::exp(f[l] - top) / sum;
    }
    return total - top - std::log(sum);
  };
  const LinearFit start =
      fit_linear(x, zero_scores(dimensions, classes), penalty, convex, {start_steps, 1e-5, 1e-6}, run);
  return fit_linear(x, start.model, penalty, likelihood, {newton_steps, 1e-6, 1e-6}, run);
}

std::vector<double> logistic_probabilities(const LinearScores& model, std::span<const double> x, Threads threads) {
  std::vector<double> p = scores(model, x, threads);
  to_softmax(p, model.classes);
  return p;
}

}  // namespace motet::superset
