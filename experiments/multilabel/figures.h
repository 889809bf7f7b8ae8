// The experiments of chapters 5 and 6 of the thesis, and studies of our own on items of several sources.
//
// The thesis draws its figures without numbers. The references are independent computations of the
// same set-ups, with their standard errors where they are known.
#pragma once

#include "experiments/experiment.h"

namespace motet::multilabel {

Outcome run_figure_5_2(const ExperimentContext& context);
Outcome run_figure_5_3(const ExperimentContext& context);
Outcome run_figure_6_1(const ExperimentContext& context);
Outcome run_figure_6_4(const ExperimentContext& context);
Outcome run_figure_6_6(const ExperimentContext& context);
Outcome run_multilabel_constants(const ExperimentContext& context);
Outcome run_multilabel_coverage(const ExperimentContext& context);
Outcome run_multilabel_public_sets(const ExperimentContext& context);

}  // namespace motet::multilabel
