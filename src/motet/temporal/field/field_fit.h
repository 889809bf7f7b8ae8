// The mixture with a field over time: EM whose E-step is one of the inferences.
//
//   icm         modes from the former states, then responsibilities given them; the
//               objective is the pseudo log-likelihood, which may fall (E18): the best is kept
//   mean_field  the objective is a lower bound of log p(X), which never falls: the variational
//               bound less log Z or, where that cannot be had, less an upper bound of it
//   exact       the objective is log p(X) = log sum_Z exp(-U(Z)) p(X | Z) - log Z, which never falls
// Where the field has no radius or no strength, shares take its place whatever the inference, and the objective is the
// log-likelihood, which never falls: for components that are not Gaussian, others being faster in static_fit.h.
// In all of them the objective has the floor's prior in it (shrinkage.h).
#pragma once

#include <string_view>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {

struct FieldRule {
  Inference inference = Inference::icm;
  double label_weight = 0.1;
  std::size_t max_iterations = 500;
  double tolerance = 1e-8;  // change of the objective per row that ends the fit
};

struct FieldState {
  std::vector<std::uint8_t> states;      // component per row: the start, and the result
  std::vector<double> responsibilities;  // components x rows; empty at first
};

// One E-step under the mixture; the objective of all rows, without log Z and the prior.
double expect_field(const Features& features, const Mixture& mixture, const DensityFactors& factors,
                    const RowLabels& labels, Inference inference, Threads threads, FieldState& state);

// log Z or an upper bound of it (partition_function.h); 0 for modes, whose objective does without.
double log_normaliser(const Features& features, const Mixture& mixture, Inference inference);

// Probability of each row's state.
std::vector<double> state_probability(const FieldState& state);

// The mixture is the start and the result. The objective of the summary is a row's.
FitSummary fit_field(const Features& features, const RowLabels& labels, const GlobalShape& global,
                     const FieldRule& rule, const RunContext& run, std::string_view stage, Mixture& mixture,
                     FieldState& state);

}  // namespace motet::temporal
