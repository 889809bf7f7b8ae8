// The most probable component of each row, given those of its neighbours.
#pragma once

#include <cstdint>
#include <span>

#include "motet/temporal/field/field.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::temporal {

// Iterated conditional modes (5.33): rows in order, ties keep the present component, else the
// smallest; sweeps until nothing changes, at most `most_sweeps`. `states` is the start and the
// result. The cost of a sweep does not depend on the radius when the shape is linear or
// quadratic: sums of the neighbours' weights slide along (but the 2 h rows near the ends
// of a quadratic field of whole cliques cost O(h) each). Returns the number of sweeps, the
// last of which changes nothing unless it is number most_sweeps.
std::size_t icm(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states,
                std::size_t most_sweeps = 50);
// The same by the definition, O(h) per row: what the tests compare with.
std::size_t icm_by_definition(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states,
                              std::size_t most_sweeps = 50);

}  // namespace motet::temporal
