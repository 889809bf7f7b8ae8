// The mixture with a hidden Markov chain over time: Baum-Welch through the EM engine.
//
//   E-step   forward-backward (hidden_chain.h): gamma_nk, and the expected number of
//            transitions xi_jk
//   M-step   start, transition ~ expected counts plus the prior; means and covariances
//            as those of the static mixture, labels included (mixture_step.h)
// The objective is log p(X, labels) plus the logarithms of the chain's and the floor's
// prior. Sequences are what leaves are cut from: one sequence is worked through by one thread.
#pragma once

#include <string_view>

#include "motet/temporal/mixture/static_fit.h"

namespace motet::temporal {

// Flat parameters: those of the static mixture, then start and transition.
EmProblem hmm_problem(const Features& features, const RowLabels& labels, const GlobalShape& global, double label_weight,
                      Threads threads, const Mixture& mixture);
std::vector<double> hmm_parameters(const Mixture& mixture);
void set_hmm_parameters(std::span<const double> parameters, Mixture& mixture);

// Shapes and classes of `mixture` are the start, with chains in which components last for a while and in which they
// follow one another as in `states`; the better one after some steps goes on. The objective of the summary is a row's.
FitSummary fit_hmm(const Features& features, const RowLabels& labels, const GlobalShape& global, const StaticRule& rule,
                   std::span<const std::uint8_t> states, const RunContext& run, Mixture& mixture);

struct HmmStates {
  std::vector<std::uint8_t> states;  // most probable component of each row, all else summed over
  std::vector<double> probability;   // of it
  std::vector<std::uint8_t> path;    // most probable components of all rows together
  double log_likelihood = 0.0;       // of all rows, and their labels
};
HmmStates assign_hmm(const Features& features, const Mixture& mixture, const RowLabels& labels, Threads threads);

}  // namespace motet::temporal
