// The figures of Donmez, Lebanon, Balasubramanian, "Unsupervised Supervised Learning I".
// They are drawn there without numbers; the references are independent computations.
#pragma once

#include "experiments/experiment.h"

namespace motet::judges {

Outcome run_constants(const ExperimentContext& context);
Outcome run_figure_4(const ExperimentContext& context);
Outcome run_figure_6(const ExperimentContext& context);
Outcome run_figure_7(const ExperimentContext& context);
Outcome run_figure_8(const ExperimentContext& context);
Outcome run_figure_9(const ExperimentContext& context);
Outcome run_figure_10(const ExperimentContext& context);
Outcome run_coverage(const ExperimentContext& context);
Outcome run_dependence(const ExperimentContext& context);
Outcome run_public_sets(const ExperimentContext& context);

}  // namespace motet::judges
