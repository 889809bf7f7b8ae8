// Everything a field or a chain can be asked, by adding up all labellings of a few rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "motet/base/numeric.h"

namespace motet::temporal {

struct AllLabellings {
  std::vector<std::vector<std::uint8_t>> states;
  std::vector<double> values;  // logarithms, as `value` gave them

  template <class Of>
  AllLabellings(std::size_t rows, std::size_t components, const Of& value) {
    std::vector<std::uint8_t> next(rows);
    while (true) {
      states.push_back(next);
      values.push_back(value(next));
      std::size_t n = 0;
      while (n < rows && ++next[n] == components) next[n++] = 0;
      if (n == rows) break;
    }
  }

  double log_sum() const { return log_sum_exp(values); }

  // The expectation of what `amount` says of a labelling.
  template <class Amount>
  double mean(const Amount& amount) const {
    const double total = log_sum();
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += std::exp(values[i] - total) * amount(states[i]);
    return sum;
  }
};

}  // namespace motet::temporal
