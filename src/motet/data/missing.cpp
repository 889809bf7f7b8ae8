#include "motet/data/missing.h"

#include <algorithm>
#include <cmath>

namespace motet {

std::vector<double> middle_values(const NumberTable& numbers) {
  const std::size_t columns = numbers.dimensions();
  std::vector<double> middle(columns, 0.0);
  std::vector<double> own;
  for (std::size_t d = 0; d < columns; ++d) {
    own.clear();
    for (std::size_t at = d; at < numbers.values.size(); at += columns) {
      if (!std::isnan(numbers.values[at])) own.push_back(numbers.values[at]);
    }
    if (own.empty()) continue;
    const auto place = own.begin() + static_cast<std::ptrdiff_t>((own.size() - 1) / 2);
    std::nth_element(own.begin(), place, own.end());
    middle[d] = *place;
  }
  return middle;
}

std::size_t fill_missing(NumberTable& numbers, std::span<const double> fill) {
  std::size_t filled = 0;
  for (std::size_t at = 0; at < numbers.values.size(); ++at) {
    if (!std::isnan(numbers.values[at])) continue;
    numbers.values[at] = fill[at % fill.size()];
    ++filled;
  }
  return filled;
}

std::size_t count_missing(const NumberTable& numbers) {
  return static_cast<std::size_t>(
      std::count_if(numbers.values.begin(), numbers.values.end(), [](double value) { return std::isnan(value); }));
}

}  // namespace motet
