// What the inferences of the field are asked, and what they check and look up first.
//
// Densities are a table of log p(x_n | z_nk = 1), component by component: the value
// of row n and component k is densities[k * rows + n]. Labels restrict a row to the
// components of its class (5.40); all of it happens in the log domain (A6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motet::temporal {

struct FieldProblem {
  std::span<const std::size_t> starts;  // of the sequences, and the number of rows at the end
  std::span<const double> densities;    // components x rows
  std::size_t components = 0;
  std::span<const std::int32_t> labels;    // class by row, -1: unknown; or empty
  std::span<const std::int32_t> of_class;  // class by component; empty when labels are

  std::size_t rows() const { return starts.back(); }
};

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
