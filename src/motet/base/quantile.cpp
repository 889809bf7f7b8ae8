#include "motet/base/quantile.h"

#include <algorithm>

namespace motet {
namespace {

double quantile_of_sorted(const std::vector<double>& values, double share) {
  if (values.empty()) return 0.0;
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

}  // namespace

double quantile_of(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return quantile_of_sorted(values, share);
}

std::array<double, 5> quartiles_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::array<double, 5> quartiles{};
  for (std::size_t i = 0; i < quartiles.size(); ++i) {
    quartiles[i] = quantile_of_sorted(values, static_cast<double>(i) / 4.0);
  }
  return quartiles;
}

}  // namespace motet
