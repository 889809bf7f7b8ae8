#include "motet/sources/monte_carlo.h"

#include <cmath>
#include <limits>
#include <string>

#include "motet/base/error.h"
#include "motet/sources/pair_sampler.h"

namespace motet {

struct SampledDensity::Plan {
  std::vector<PairSampler> dimensions;  // empty: no members, density 0
};

SampledDensity::SampledDensity(const Sources& sources, std::span<const std::uint64_t> set, std::size_t samples) {
  require_sampled_pair(sources);
  auto plan = std::make_unique<Plan>();
  const std::vector<std::size_t> all = members(sources, set);
  for (std::size_t d = 0; d < sources.dimensions && !all.empty(); ++d) {
    std::vector<Marginal> marginals;
    for (const std::size_t k : all) marginals.push_back(marginal_of(sources, k, d));
    plan->dimensions.emplace_back(std::move(marginals), sources.combination, samples, d);
  }
  plan_ = std::move(plan);
}

SampledDensity::~SampledDensity() = default;
SampledDensity::SampledDensity(SampledDensity&&) noexcept = default;

EstimatedDensity SampledDensity::at(std::span<const double> x) const {
  if (plan_->dimensions.empty()) return {-std::numeric_limits<double>::infinity(), 0.0};
  EstimatedDensity total;
  double variance = 0.0;
  for (std::size_t d = 0; d < plan_->dimensions.size(); ++d) {
    const EstimatedDensity one = plan_->dimensions[d].log_density(x[d]);
    total.value += one.value;
    variance += one.error * one.error;
  }
  total.error = std::sqrt(variance);
  return total;
}

EstimatedDensity monte_carlo_log_density(const Sources& sources, std::span<const std::uint64_t> set,
                                         std::span<const double> x, std::size_t samples) {
  using enum Combination;
  const Combination c = sources.combination;
  // Of the closed forms only sums, means and products of emissions can be sampled, for comparison.
  if (has_closed_form(sources) && (!sources.noise.empty() || c == one_of || c == logical_or || c == logical_and)) {
    return log_density(sources, set, x);
  }
  if (x.size() != sources.dimensions) {
    fail(ErrorKind::internal, "monte_carlo_log_density: an item of " + std::to_string(x.size()) +
                                  " numbers, sources of " + std::to_string(sources.dimensions));
  }
  return SampledDensity(sources, set, samples).at(x);
}

}  // namespace motet
