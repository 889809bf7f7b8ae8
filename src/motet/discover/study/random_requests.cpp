#include "motet/discover/study/random_requests.h"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

namespace motet::discover {

double random_requests(std::size_t rows, std::span<const std::size_t> class_rows) {
  std::vector<double> counts;
  for (const std::size_t count : class_rows) {
    if (count > 0) counts.push_back(static_cast<double>(count));
  }
  if (counts.empty()) return 0.0;
  const double all = static_cast<double>(rows) + 1.0;
  if (counts.size() == 1) return all / (counts[0] + 1.0);
  // By the time of the rarest class, in whose unit the integrand changes: u = 1 - exp(-s / P).
  const double rarest = *std::min_element(counts.begin(), counts.end());
  const auto missing = [&](double s) {
    double found = 1.0;
    for (const double count : counts) found *= -std::expm1(-s * count / rarest);
    return (1.0 - found) * std::exp(-s / rarest) / rarest;
  };
  constexpr unsigned depth = 15;
  constexpr double tolerance = 1e-12;
  return all * boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
                   missing, 0.0, std::numeric_limits<double>::infinity(), depth, tolerance);
}

double random_requests(const RowTruth& truth) {
  std::vector<std::size_t> sizes(truth.classes.size(), 0);
  for (const std::uint32_t of_class : truth.of_row) ++sizes[of_class];
  if (!sizes.empty()) sizes.erase(std::max_element(sizes.begin(), sizes.end()));
  return random_requests(truth.of_row.size(), sizes);
}

}  // namespace motet::discover
