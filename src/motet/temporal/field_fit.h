// The mixture with a field over time: EM whose E-step is one of the inferences.
//
//   icm         modes from the former states, then responsibilities given them; the
//               objective is the pseudo log-likelihood, which may fall (E18): the best is kept
//   mean_field  the objective is the variational bound, which never falls
//   exact       the objective is log sum_Z exp(-U(Z)) p(X | Z), which never falls
// In all of them the objective is without the field's partition function, which the
// parameters do not touch, and with the floor's prior (shrinkage.h).
#pragma once

#include <string_view>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/mixture.h"
#include "motet/temporal/shrinkage.h"

namespace motet {

struct FieldRule {
  Inference inference = Inference::icm;
  double label_weight = 0.1;
  std::size_t max_iterations = 500;
  double tolerance = 1e-8;  // change of the objective a row that ends the fit
};

struct FieldState {
  std::vector<std::uint8_t> states;      // component a row: the start, and the result
  std::vector<double> responsibilities;  // components x rows; empty at first
};

// One E-step under the mixture; the objective of all rows, without the prior.
double expect_field(const Features& features, const Mixture& mixture, const DensityFactors& factors,
                    const RowLabels& labels, Inference inference, Threads threads, FieldState& state);

// Probability of each row's state.
std::vector<double> state_probability(const FieldState& state);

// The mixture is the start and the result. The objective of the summary is a row's.
FitSummary fit_field(const Features& features, const RowLabels& labels, const GlobalShape& global,
                     const FieldRule& rule, const RunContext& run, std::string_view stage, Mixture& mixture,
                     FieldState& state);

}  // namespace motet
