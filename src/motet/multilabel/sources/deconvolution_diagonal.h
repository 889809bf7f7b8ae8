// Deconvolution of Gaussian sources with spherical or diagonal covariances; see gaussian_problem.h.
#pragma once

#include "motet/multilabel/sources/gaussian_problem.h"

namespace motet::multilabel {

GaussianResult fit_diagonal(const GaussianProblem& problem, const TrainOptions& options, const RunContext& run);

}  // namespace motet::multilabel
