#include "motet/multilabel/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/engine/newton.h"

namespace motet::multilabel {
namespace {

constexpr double largest_logit = 20.0;     // of a posterior that rounds to 0 or 1
constexpr std::size_t most_seen = 10'000;  // training items whose densities are looked at without calibration
constexpr std::size_t seen_together = 1024;
constexpr std::array<double, 15> kept_levels{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1,
                                             0.25,   0.5,   0.75,   0.9,   0.95, 0.99, 0.999};

double logit(double p) {
  if (!(p > 0.0)) return -largest_logit;
  if (!(p < 1.0)) return largest_logit;
  return std::clamp(std::log(p) - std::log1p(-p), -largest_logit, largest_logit);
}

double logistic(double z) { return 1.0 / (1.0 + std::exp(-z)); }

// Of minus the logistic loss of intercept + slope x, with one pseudo observation for intercept 0 and slope 1.
Curvature penalized_fit(std::span<const double> line, std::span<const double> x, std::span<const std::uint8_t> right) {
  const double a = line[0];
  const double b = line[1];
  double loss = 0.5 * (a * a + (b - 1.0) * (b - 1.0));
  double ga = a, gb = b - 1.0, haa = 1.0, hab = 0.0, hbb = 1.0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double z = a + b * x[n];
    loss += std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))) - (right[n] != 0 ? z : 0.0);
    const double p = logistic(z);
    const double away = p - (right[n] != 0 ? 1.0 : 0.0);
    const double w = p * (1.0 - p);
    ga += away;
    gb += away * x[n];
    haa += w;
    hab += w * x[n];
    hbb += w * x[n] * x[n];
  }
  return {-loss, {-ga, -gb}, {-haa, -hab, -hab, -hbb}};
}

// Quantiles of log p(x) at `kept_levels`, of items that can be.
std::vector<std::pair<double, double>> quantiles_of(std::span<const double> log_evidence) {
  std::vector<std::pair<double, double>> quantiles;
  std::vector<double> evidence;
  for (const double value : log_evidence) {
    if (std::isfinite(value)) evidence.push_back(value);
  }
  std::sort(evidence.begin(), evidence.end());
  for (const double level : kept_levels) {
    // A quantile is told where items lie beyond it.
    const double place = level * static_cast<double>(evidence.size());
    if (place < 0.5 || place > static_cast<double>(evidence.size()) - 0.5) continue;
    const double below = std::floor(place - 0.5);
    const auto first = static_cast<std::size_t>(below);
    const auto second = std::min(first + 1, evidence.size() - 1);
    const double way = place - 0.5 - below;
    const double between = (1.0 - way) * evidence[first] + way * evidence[second];
    quantiles.emplace_back(level, std::clamp(between, evidence[first], evidence[second]));  // whatever was rounded
  }
  return quantiles;
}

}  // namespace

Calibration calibrate(const HeldOut& held_out) {
  Calibration calibration;
  calibration.items = held_out.posterior.size();
  if (calibration.items == 0) return calibration;
  std::vector<double> x;
  for (const double p : held_out.posterior) x.push_back(logit(p));
  const std::vector<double> line =
      maximize([&](std::span<const double> at) { return penalized_fit(at, x, held_out.right); }, {0.0, 1.0}, {}, {}).at;
  calibration.intercept = line[0];
  // More sure must never mean less likely right; 0 would say that nothing was learnt.
  calibration.slope = std::max(line[1], 1e-6);

  calibration.density = quantiles_of(held_out.log_evidence);
  return calibration;
}

Calibration seen_densities(const MultilabelModel& model, std::span<const double> x, Threads threads) {
  if (model.linear) return {};  // it says nothing of items themselves
  const std::size_t dimensions = model.sources.dimensions;
  const std::size_t rows = x.size() / dimensions;
  const std::size_t used = std::min(rows, most_seen);
  const std::vector<double> shares = log_shares(model.prior);
  std::vector<double> evidence;
  for (std::size_t begin = 0; begin < used; begin += seen_together) {
    std::vector<double> some;
    for (std::size_t i = begin; i < std::min(used, begin + seen_together); ++i) {
      const auto row = x.subspan(i * rows / used * dimensions, dimensions);
      some.insert(some.end(), row.begin(), row.end());
    }
    std::vector<double> joint = log_densities(model, model.prior.sets, some, threads);
    for (std::size_t i = 0; i < joint.size(); ++i) joint[i] += shares[i % shares.size()];
    for (std::size_t i = 0; i < joint.size(); i += shares.size()) {
      evidence.push_back(log_sum_exp(std::span(joint).subspan(i, shares.size())));
    }
  }
  Calibration calibration;
  calibration.density = quantiles_of(evidence);
  return calibration;
}

double calibrated(const Calibration& calibration, double posterior) {
  if (!calibration.known()) return posterior;
  return logistic(calibration.intercept + calibration.slope * logit(posterior));
}

}  // namespace motet::multilabel
