#include "motet/sources/density/integrated_density.h"

#include <limits>
#include <vector>

#include "motet/sources/density/pair_density.h"

namespace motet {

struct IntegratedDensity::Plan {
  std::vector<PairDensity> dimensions;  // empty: no members, density 0
};

IntegratedDensity::IntegratedDensity(const Sources& sources, std::span<const std::uint64_t> set) {
  require_density(sources);
  auto plan = std::make_unique<Plan>();
  const std::vector<std::size_t> all = members(sources, set);
  for (std::size_t d = 0; d < sources.dimensions && !all.empty(); ++d) {
    std::vector<Marginal> marginals;
    marginals.reserve(all.size());
    for (const std::size_t k : all) marginals.push_back(marginal_of(sources, k, d));
    plan->dimensions.emplace_back(std::move(marginals), sources.combination);
  }
  plan_ = std::move(plan);
}

IntegratedDensity::~IntegratedDensity() = default;
IntegratedDensity::IntegratedDensity(IntegratedDensity&&) noexcept = default;

EstimatedDensity IntegratedDensity::at(std::span<const double> x) const {
  if (plan_->dimensions.empty()) return {-std::numeric_limits<double>::infinity(), 0.0};
  EstimatedDensity total;
  for (std::size_t d = 0; d < plan_->dimensions.size(); ++d) {
    const EstimatedDensity one = plan_->dimensions[d].log_density(x[d]);
    total.value += one.value;
    total.error += one.error;
  }
  return total;
}

}  // namespace motet
