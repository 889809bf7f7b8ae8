// One EM iteration on a mixture that is nearly right, as after an answer of a person:
// what a search for rare classes does between two questions.
//
// The E-step is that of the present mixture, static when its field has no radius or no
// strength (4.20), (4.30), else iterated conditional modes from the present states and
// responsibilities given them (5.33), (5.35), (5.40); the M-step weighs labels (6.5) to
// (6.7). Afterwards densities and states are those of the new mixture, so the next
// iteration begins with densities at hand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/features.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {

struct WarmState {
  Mixture mixture;
  std::vector<std::uint8_t> states;      // component per row; with a field, where iterated conditional modes begin
  std::vector<double> densities;         // log p(x_n | z_nk = 1), components x rows; of another size: made anew
  std::vector<double> responsibilities;  // of the E-step, components x rows; a result only
  double objective = 0.0;                // of the E-step: log-likelihood or pseudo log-likelihood of all rows
};

// labels: class per row, or empty. Every class that a label names has a component.
void warm_iteration(const Features& features, const GlobalShape& global, const RowLabels& labels, double label_weight,
                    Threads threads, WarmState& state);

// Densities where they are missing, and the states, under the mixture as it is.
void warm_states(const Features& features, const RowLabels& labels, Threads threads, WarmState& state);

bool has_field(const TimeField& field);  // radius and strength are above 0

}  // namespace motet::temporal
