// The figures of chapter 5.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/experiment.h"

namespace motet::temporal {

RunExperiment run_table_5_2, run_figure_5_4;
std::vector<Experiment> experiments();
Outcome run_figures_5_5(const ExperimentContext& context);  // to 5.8

// Two components: the better of both ways to match them with the classes.
std::size_t two_class_errors(const std::vector<std::uint8_t>& states, const std::vector<std::uint32_t>& of_class);

}  // namespace motet::temporal
