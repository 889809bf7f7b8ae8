// What is summed over neighbours, row by row: states or shares. See neighbour_sums.h.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "motet/temporal/field/field.h"

namespace motet::temporal {

// Numbers per component; `fixed` components when known to the compiler, else 0.
template <class Number, std::size_t fixed>
using PerComponent = std::conditional_t<fixed == 0, std::vector<Number>, std::array<Number, fixed == 0 ? 1 : fixed>>;

template <class Number, std::size_t fixed>
PerComponent<Number, fixed> zeros(std::size_t components) {
  if constexpr (fixed == 0) {
    return std::vector<Number>(components, Number{0});
  } else {
    return {};
  }
}

using Wrapping = std::uint64_t;  // two's complement; read as signed

class StateSource {
 public:
  explicit StateSource(const std::uint8_t* states) : states_(states) {}

  double unit() const { return 1.0; }

  template <std::size_t fixed>
  void add(std::size_t row, Wrapping factor, PerComponent<Wrapping, fixed>& sums) const {
    if constexpr (fixed == 0) {
      sums[states_[row]] += factor;
    } else {
      for (std::size_t k = 0; k < fixed; ++k) sums[k] += factor & (Wrapping{0} - (states_[row] == k ? 1U : 0U));
    }
  }
  void add_weighted(std::size_t row, double weight, std::vector<double>& sums) const { sums[states_[row]] += weight; }

 private:
  const std::uint8_t* states_;
};

// Shares q_ik at shares[k * stride + i].
class ShareSource {
 public:
  // The unit is as small as 64 bits allow for sums of the field's weights.
  ShareSource(const double* shares, std::size_t stride, std::size_t components, const TimeField& field)
      : shares_(shares), stride_(stride), components_(components) {
    const double largest =
        std::pow(static_cast<double>(field.radius) + 2.0, field.shape == WeightShape::linear ? 2 : 3);
    units_ = std::ldexp(1.0, std::min(52, 61 - std::ilogb(largest) - 1));
  }

  double unit() const { return 1.0 / units_; }

  template <std::size_t fixed>
  void add(std::size_t row, Wrapping factor, PerComponent<Wrapping, fixed>& sums) const {
    const std::size_t components = fixed == 0 ? components_ : fixed;
    for (std::size_t k = 0; k < components; ++k) {
      // NOLINTNEXTLINE(bugprone-incorrect-roundings): of positive numbers, and std::llround has no vector instruction
      sums[k] += factor * static_cast<Wrapping>(static_cast<std::int64_t>(shares_[k * stride_ + row] * units_ + 0.5));
    }
  }
  void add_weighted(std::size_t row, double weight, std::vector<double>& sums) const {
    for (std::size_t k = 0; k < components_; ++k) sums[k] += weight * shares_[k * stride_ + row];
  }

 private:
  const double* shares_;
  std::size_t stride_;
  std::size_t components_;
  double units_ = 1.0;
};

}  // namespace motet::temporal
