// Deconvolution of Gaussian sources with a matrix each, or one matrix and noise; see gaussian_problem.h.
#pragma once

#include "motet/multilabel/sources/gaussian_problem.h"

namespace motet::multilabel {

GaussianResult fit_matrices(const GaussianProblem& problem, const TrainOptions& options, const RunContext& run);

}  // namespace motet::multilabel
