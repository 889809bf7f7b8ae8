// The experiments of chapters 9 and 10 of the thesis, and studies of our own on roles.
//
// The thesis draws its figures without numbers. What it says of them in words stands beside
// ours, and where an independent computation of the same set-up exists, its numbers do.
#pragma once

#include "experiments/experiment.h"

namespace motet::roles {

Outcome run_figure_9_3(const ExperimentContext& context);
Outcome run_figure_9_4(const ExperimentContext& context);
Outcome run_figure_9_5(const ExperimentContext& context);
Outcome run_figure_9_6(const ExperimentContext& context);
Outcome run_figure_9_7(const ExperimentContext& context);
Outcome run_figure_9_8(const ExperimentContext& context);
Outcome run_figure_9_10(const ExperimentContext& context);
Outcome run_figure_9_11(const ExperimentContext& context);
Outcome run_figure_10_1(const ExperimentContext& context);
Outcome run_figure_10_2(const ExperimentContext& context);
Outcome run_figure_10_3(const ExperimentContext& context);
Outcome run_figure_10_4(const ExperimentContext& context);
Outcome run_delta_approximation(const ExperimentContext& context);
Outcome run_chapter9_exactness(const ExperimentContext& context);
Outcome run_planted_roles(const ExperimentContext& context);
Outcome run_real_roles(const ExperimentContext& context);
Outcome run_number_of_roles(const ExperimentContext& context);

}  // namespace motet::roles
