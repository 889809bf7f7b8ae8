// What every kind of inference checks and looks up first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/temporal/field/field_inference.h"

namespace motet::temporal {

constexpr std::size_t most_components = 255;  // a state is a byte

// Throws Error{usage} when a size does not fit.
void check(const FieldProblem& problem);
void check_starts(std::span<const std::size_t> starts);
// As above, and when a state is not below `components`.
void check_states(std::span<const std::uint8_t> states, std::size_t rows, std::size_t components);

// The components a row may have (5.40).
class AllowedComponents {
 public:
  // Throws Error{usage} when a label's class has no component.
  explicit AllowedComponents(const FieldProblem& problem);

  // In ascending order; all of them for a row without a label.
  std::span<const std::uint8_t> of(std::size_t row) const {
    if (labels_.empty() || labels_[row] < 0) return all_;
    return of_class_[static_cast<std::size_t>(labels_[row])];
  }
  bool all_allowed(std::size_t row) const { return labels_.empty() || labels_[row] < 0; }

 private:
  std::span<const std::int32_t> labels_;
  std::vector<std::uint8_t> all_;
  std::vector<std::vector<std::uint8_t>> of_class_;
};

}  // namespace motet::temporal
