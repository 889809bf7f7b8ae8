// The experiments of chapters 9 and 10 of the thesis, and studies of our own on roles.
//
// The thesis draws its figures without numbers. What it says of them in words stands beside
// ours, and where an independent computation of the same set-up exists, its numbers do.
#pragma once

#include "experiments/experiment.h"

namespace motet::roles {

RunExperiment run_figure_9_3, run_figure_9_4, run_figure_9_5, run_figure_9_6, run_figure_9_7, run_figure_9_8,
    run_figure_9_10, run_figure_9_11, run_figure_10_1, run_figure_10_2, run_figure_10_3, run_figure_10_4,
    run_delta_approximation, run_chapter9_exactness, run_planted_roles, run_real_roles, run_number_of_roles,
    run_public_role_sets, run_company_number, run_hybrid;
std::vector<Experiment> experiments();

}  // namespace motet::roles
