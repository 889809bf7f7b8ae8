// The mixture of Gaussians that does not look at time, through the EM engine. The
// shapes and the classes of `mixture` are the start; its field is left alone.
#pragma once

#include <string_view>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/engine/em.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {

struct StaticRule {
  double label_weight = 0.1;
  std::size_t max_iterations = 500;
  double tolerance = 1e-8;  // rise of the objective per row that ends the fit
};

// sum_n log sum_k pi_k N(x_n; mu_k, Sigma_k), over the components of its class where a row has a label, plus the
// logarithm of the floor's prior (shrinkage.h); flat parameters. With a label weight above 0 and labels the M-step
// answers to more than this objective, and it may fall.
EmProblem static_problem(const Features& features, const RowLabels& labels, const GlobalShape& global,
                         double label_weight, const Mixture& mixture);
std::vector<double> to_parameters(const Mixture& mixture);
void from_parameters(std::span<const double> parameters, Mixture& mixture);

// How EM goes by the rule, on so many rows.
EmRule em_rule(const StaticRule& rule, std::size_t rows, const RowLabels& labels);

// The objective of the summary is a row's.
FitSummary fit_static(const Features& features, const RowLabels& labels, const GlobalShape& global,
                      const StaticRule& rule, const RunContext& run, std::string_view stage, Mixture& mixture);

// sum over rows of the objective, without the prior; states and their probabilities, and unless it is empty all
// responsibilities, components x rows.
double assign_static(const Features& features, const Mixture& mixture, const RowLabels& labels, Threads threads,
                     std::span<std::uint8_t> states, std::span<double> probability,
                     std::span<double> responsibilities = {});

}  // namespace motet::temporal
