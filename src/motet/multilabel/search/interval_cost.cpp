#include "motet/multilabel/search/interval_cost.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace motet::multilabel {
std::size_t additive_parts(const Sources& sources) { return is_gaussian(sources.family) ? 2 : 1; }

std::vector<double> additive_values(const Sources& sources) {
  const std::size_t size = sources.dimensions;
  const std::size_t parts = additive_parts(sources);
  const auto added = family_of(sources.family).added;
  std::vector<double> result(sources.count * parts * size);
  for (std::size_t k = 0; k < sources.count; ++k) {
    double* const row = result.data() + k * parts * size;
    for (std::size_t d = 0; d < size; ++d) {
      const double value = sources.location[k * size + d];
      row[d] = added != nullptr ? added(value, sources.combination) : value;
      if (parts == 1) continue;
      switch (sources.covariance) {
        case Covariance::spherical: row[size + d] = sources.spread[k]; break;
        case Covariance::diagonal: row[size + d] = sources.spread[k * size + d]; break;
        case Covariance::full: row[size + d] = sources.spread[(k * size + d) * size + d]; break;
        case Covariance::shared: row[size + d] = sources.spread[d * size + d]; break;
        case Covariance::point: break;
      }
    }
  }
  return result;
}

IntervalCost::IntervalCost(const Sources& sources, std::span<const double> x)
    : sources_(sources), family_(family_of(sources.family)) {
  item_.sources = &sources;
  item_.x = x;
  if (family_.has_scatter) {
    item_.constant = 0.5 * static_cast<double>(sources.dimensions) * std::log(2.0 * std::numbers::pi);
    return;
  }
  family_.search.prepare(item_);
}

double IntervalCost::gaussian(std::span<const double> low, std::span<const double> high, double m) const {
  const std::size_t size = sources_.dimensions;
  const double share = sources_.combination == Combination::mean ? 1.0 / m : 1.0;
  double cost = 0.0;
  double product = 1.0;  // of variances: one logarithm for many
  for (std::size_t d = 0; d < size; ++d) {
    const double below = item_.x[d] - share * high[d];
    const double above = item_.x[d] - share * low[d];
    const double distance = below > 0.0 ? below : above < 0.0 ? above : 0.0;
    const double noise = sources_.noise.empty() ? 0.0 : sources_.noise[d * size + d];
    const double least = share * share * low[size + d] + noise;
    const double most = share * share * high[size + d] + noise;
    const double variance = std::clamp(distance * distance, least, std::max(least, most));
    cost += distance * distance / variance;
    product *= variance;
    if (!(product > 1e-200 && product < 1e200)) {
      cost += std::log(product);
      product = 1.0;
    }
  }
  return 0.5 * (cost + std::log(product));
}

double IntervalCost::least(std::span<const double> low, std::span<const double> high, double m) const {
  return family_.has_scatter ? item_.constant + gaussian(low, high, m) : family_.search.least(item_, low, high);
}

}  // namespace motet::multilabel
