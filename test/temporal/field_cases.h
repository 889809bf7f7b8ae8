// Random problems for the field, small enough to be solved by hand.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "motet/base/rng.h"
#include "motet/temporal/field/field.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::temporal {

struct FieldCase {
  std::vector<std::size_t> starts{0};
  std::vector<double> densities;
  std::size_t components = 0;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> of_class;
  TimeField field;
  std::vector<std::uint8_t> states;

  FieldProblem problem() const { return {starts, densities, components, labels, of_class}; }
  std::size_t rows() const { return starts.back(); }
};

struct CaseLimits {
  std::size_t most_components = 5;
  std::size_t most_radius = 12;
  std::size_t most_rows = 80;
  std::size_t most_sequences = 3;
};

// Half of the cases have densities of few values, so that ties are common; half have labels, each class
// with a component or two.
inline FieldCase random_case(const CaseLimits& limits, Rng& rng) {
  FieldCase drawn;
  drawn.components = 1 + rng.below(limits.most_components);
  const std::size_t sequences = 1 + rng.below(limits.most_sequences);
  for (std::size_t i = 0; i < sequences; ++i) {
    drawn.starts.push_back(drawn.starts.back() + (i == 0 ? 1 : 0) + rng.below(limits.most_rows / sequences));
  }
  const bool ties = rng.below(2) == 0;
  for (std::size_t i = 0; i < drawn.rows() * drawn.components; ++i) {
    drawn.densities.push_back(ties ? -2.0 * static_cast<double>(rng.below(4)) : 6.0 * rng.normal());
  }
  drawn.field.radius = rng.below(limits.most_radius + 1);
  drawn.field.shape = static_cast<WeightShape>(rng.below(4));
  drawn.field.border = rng.below(2) == 0 ? Border::weights : Border::clique;
  if (drawn.field.shape == WeightShape::custom) {
    for (std::size_t d = 0; d < drawn.field.radius; ++d) drawn.field.custom.push_back(rng.uniform());
  }
  if (rng.below(3) > 0) drawn.field = with_total_weight(drawn.field, ties ? 4.0 : rng.uniform(0.0, 12.0));
  if (rng.below(2) == 0) {
    for (std::size_t k = 0; k < drawn.components; ++k) drawn.of_class.push_back(static_cast<std::int32_t>(k / 2));
    const std::size_t classes = (drawn.components + 1) / 2;
    for (std::size_t n = 0; n < drawn.rows(); ++n) {
      drawn.labels.push_back(rng.below(4) > 0 ? -1 : static_cast<std::int32_t>(rng.below(classes)));
    }
  }
  for (std::size_t n = 0; n < drawn.rows(); ++n) {
    drawn.states.push_back(static_cast<std::uint8_t>(rng.below(drawn.components)));
  }
  return drawn;
}

struct RandomCase {
  std::size_t number = 0;
  FieldCase drawn;
  Rng rng;  // goes on where that of the case ended
};

inline std::vector<RandomCase> random_cases(std::size_t count, Seed seed) {
  const Rng rng(seed);
  std::vector<RandomCase> cases;
  for (std::size_t i = 0; i < count; ++i) {
    Rng own = rng.child(i);
    FieldCase drawn = random_case({}, own);
    cases.push_back({i, std::move(drawn), own});
  }
  return cases;
}

}  // namespace motet::temporal
