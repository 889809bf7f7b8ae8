// The experiments of chapters 5 and 6 of the thesis, and studies of our own on items of several sources.
//
// The thesis draws its figures without numbers. The references are independent computations of the
// same set-ups, with their standard errors where they are known.
#pragma once

#include "experiments/experiment.h"

namespace motet::multilabel {

RunExperiment run_figure_5_2, run_figure_5_3, run_figure_5_4, run_figure_6_1, run_figure_6_4, run_figure_6_6,
    run_multilabel_constants, run_multilabel_coverage, run_multilabel_public_sets;
std::vector<Experiment> experiments();

}  // namespace motet::multilabel
