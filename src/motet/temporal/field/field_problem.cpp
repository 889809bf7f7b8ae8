#include "motet/temporal/field/field_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"

namespace motet::temporal {

void check_starts(std::span<const std::size_t> starts) {
  if (starts.empty() || starts.front() != 0 || !std::is_sorted(starts.begin(), starts.end())) {
    fail(ErrorKind::usage, "field: starts must rise from 0 to the number of rows");
  }
}

void check(const FieldProblem& problem) {
  check_starts(problem.starts);
  if (problem.components == 0 || problem.components > most_components) {
    fail(ErrorKind::usage,
         fmt::format("field: components = {} is outside [1, {}]", problem.components, most_components));
  }
  if (problem.densities.size() != problem.components * problem.rows()) {
    fail(ErrorKind::usage, fmt::format("field: {} densities are not {} components of {} rows", problem.densities.size(),
                                       problem.components, problem.rows()));
  }
  if (problem.labels.empty()) return;
  if (problem.labels.size() != problem.rows()) {
    fail(ErrorKind::usage,
         fmt::format("field: {} labels are not one per row of {}", problem.labels.size(), problem.rows()));
  }
  if (problem.of_class.size() != problem.components) {
    fail(ErrorKind::usage, fmt::format("field: {} classes of components are not one per component of {}",
                                       problem.of_class.size(), problem.components));
  }
}

void check_states(std::span<const std::uint8_t> states, std::size_t rows, std::size_t components) {
  if (states.size() != rows) {
    fail(ErrorKind::usage, fmt::format("field: {} states are not one per row of {}", states.size(), rows));
  }
  std::uint8_t largest = 0;
  for (const std::uint8_t state : states) largest = std::max(largest, state);
  if (largest >= components && rows > 0) {
    fail(ErrorKind::usage,
         fmt::format("field: state = {} is not a component; allowed are 0 to {}", largest, components - 1));
  }
}

AllowedComponents::AllowedComponents(const FieldProblem& problem) : labels_(problem.labels) {
  for (std::size_t k = 0; k < problem.components; ++k) all_.push_back(static_cast<std::uint8_t>(k));
  if (labels_.empty()) return;
  for (std::size_t k = 0; k < problem.components; ++k) {
    if (problem.of_class[k] < 0) continue;
    const auto c = static_cast<std::size_t>(problem.of_class[k]);
    if (of_class_.size() <= c) of_class_.resize(c + 1);
    of_class_[c].push_back(static_cast<std::uint8_t>(k));
  }
  for (std::size_t n = 0; n < labels_.size(); ++n) {
    if (labels_[n] < 0) continue;
    const auto c = static_cast<std::size_t>(labels_[n]);
    if (c >= of_class_.size() || of_class_[c].empty()) {
      fail(ErrorKind::usage,
           fmt::format("row {}: label = {} is a class without a component; give it one first", n + 1, c));
    }
  }
}

}  // namespace motet::temporal
