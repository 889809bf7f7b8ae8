// The figures of Donmez, Lebanon, Balasubramanian, "Unsupervised Supervised Learning I".
// They are drawn there without numbers; the references are independent computations.
#pragma once

#include "experiments/experiment.h"

namespace motet::judges {

RunExperiment run_constants, run_figure_4, run_figure_6, run_figure_7, run_figure_8, run_figure_9, run_figure_10,
    run_coverage, run_dependence, run_public_sets, run_leave_one_out;
std::vector<Experiment> experiments();

}  // namespace motet::judges
