#include "motet/discover/component_summary.h"

#include <cmath>

namespace motet::discover {

std::vector<ComponentSummary> component_summaries(const Discovery& discovery) {
  const Mixture& mixture = discovery.mixture;
  const GlobalShape& global = discovery.global;
  const std::size_t dimensions = mixture.dimensions();
  std::vector<ComponentSummary> summaries;
  for (const Component& component : mixture.components) {
    ComponentSummary& summary = summaries.emplace_back();
    if (component.of_class >= 0) summary.of_class = mixture.classes[static_cast<std::size_t>(component.of_class)];
    summary.share = component.share;
    for (std::size_t d = 0; d < dimensions; ++d) {
      summary.mean.push_back((component.mean[d] - global.mean[d]) / std::sqrt(global.covariance[d * (dimensions + 1)]));
    }
  }
  for (const std::uint8_t k : discovery.states) ++summaries[k].rows;
  return summaries;
}

}  // namespace motet::discover
