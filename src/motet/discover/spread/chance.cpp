#include "motet/discover/spread/chance.h"

#include <cmath>

#include "motet/engine/newton.h"

namespace motet::discover {
namespace {

// Standard deviations of the priors.
constexpr double shift_spread = 0.3;
constexpr double slope_spread = 0.15;

// A logistic regression with a ridge of 1 on the stretches without an answer after 20, 50 and 100 answers of the
// default strategy: 50 recordings of half A of the synthesised ones (experiments/discover/recordings.h) with the
// features `events`, the same with 13 cepstra, whose stretches count half, and 12 sequences of `motet discover
// generate`. The other halves were only judged by (docs/experiments.md, discover-segments). How many answers there are
// is no evidence: a project that starts with those of another has none of its own.
constexpr double learned_constant = 2.284;
constexpr EvidenceValues learned_weights = {0.552, 2.175, 0.627, 2.101, -0.298, -0.854, 2.833, -1.060};

double logistic(double x) { return x >= 0.0 ? 1.0 / (1.0 + std::exp(-x)) : std::exp(x) / (1.0 + std::exp(x)); }

// log s(x) for what was right, log (1 - s(x)) for what was not.
double log_chance(double x, bool is_right) {
  const double against = is_right ? -x : x;
  return -std::max(against, 0.0) - std::log1p(std::exp(-std::abs(against)));
}

}  // namespace

double log_odds_of(const EvidenceValues& evidence) {
  double sum = learned_constant;
  for (std::size_t j = 0; j < evidence.size(); ++j) sum += learned_weights[j] * evidence[j];
  return sum;
}

double chance_of(const EvidenceValues& evidence, const Correction& correction) {
  return logistic(correction.shift + correction.slope * log_odds_of(evidence));
}

Correction corrected_by(std::span<const Tried> tried, const RunContext& run) {
  const auto curvature = [&](std::span<const double> at) {
    const double shift = at[0] / shift_spread;
    const double slope = (at[1] - 1.0) / slope_spread;
    Curvature result{-0.5 * (shift * shift + slope * slope),
                     {-shift / shift_spread, -slope / slope_spread},
                     {-1.0 / (shift_spread * shift_spread), 0.0, 0.0, -1.0 / (slope_spread * slope_spread)}};
    for (const Tried& one : tried) {
      const double x = at[0] + at[1] * one.log_odds;
      const double p = logistic(x);
      const double off = (one.is_right ? 1.0 : 0.0) - p;
      const double weight = p * (1.0 - p);
      result.value += log_chance(x, one.is_right);
      result.gradient[0] += off;
      result.gradient[1] += off * one.log_odds;
      result.hessian[0] -= weight;
      result.hessian[1] -= weight * one.log_odds;
      result.hessian[2] -= weight * one.log_odds;
      result.hessian[3] -= weight * one.log_odds * one.log_odds;
    }
    return result;
  };
  constexpr double least_slope[] = {-1e9, 0.0};
  const NewtonResult found = maximize(curvature, {0.0, 1.0}, least_slope, unheard(run));
  return {found.at[0], found.at[1]};
}

}  // namespace motet::discover
