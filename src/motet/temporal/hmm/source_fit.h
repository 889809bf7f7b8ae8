// Sources from clips of which it is known who sounds in them: exact EM of the factorial model, through the engine.
//
//   E-step   each clip by forward-backward over the joint states of its sources; counts of each chain, and the expected
//            emissions of each source in each of its states (source_mix.h)
//   M-step   start, transition ~ counts and a prior worth one of each; mean and variance of the expected emissions, the
//            variance with the floor as a prior worth one frame, as in shrinkage.h
// The objective is sum_clips weight log p(clip) plus the logarithms of the priors. With `mean` it never falls. With
// `log_add` the linear form moves with the means, so a step can let it fall: then it ends when it changes little.
//
// A clip of one source is an ordinary hidden Markov model, so this is also the fit of one.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/engine/em.h"
#include "motet/temporal/hmm/source_mix.h"

namespace motet::temporal {

struct SourceFitOptions {
  std::size_t states = 2;  // K
  SourceCombination combination = SourceCombination::mean;
  double floor = 1e-2;  // least variance, as a share of that of all frames
  std::size_t max_iterations = 500;
  double tolerance = 1e-6;  // rise of the objective, relative, that ends the fit
};

template <class V>
void visit_fields(V& v, SourceFitOptions& o) {
  v("states", o.states, Range<std::size_t>{1, 15}, "of each source");
  v("combination", o.combination, Choices{{"mean", "log-add"}},
    "what sources make together: the mean of their features, or the logarithm of the mean of their energies");
  v("floor", o.floor, Range<double>{1e-9, 1.0}, "least variance, as a share of that of all frames, worth one frame");
  v("max_iterations", o.max_iterations, Range<std::size_t>{0, 1'000'000}, "limit of iterations of the fit");
  v("tolerance", o.tolerance, Range<double>{0.0, 1.0}, "relative rise of the objective that ends the fit");
}

// Clips are the sequences of `features`.
struct ClipSources {
  std::vector<std::vector<std::size_t>> of_clip;  // numbers of the sources that sound in it
  std::vector<double> weights;                    // of each clip; empty: 1
  std::size_t sources = 0;
};

// Flat parameters: those of each source, one after the other.
EmProblem source_problem(const Features& features, const ClipSources& clips, const SourceFitOptions& options);

struct SourcesFit {
  std::vector<SourceHmm> sources;
  FitSummary summary;
};

// From `start`. A source that no clip has stays as it is.
SourcesFit fit_sources(const Features& features, const ClipSources& clips, const std::vector<SourceHmm>& start,
                       const SourceFitOptions& options, const RunContext& run, std::string_view stage);

// Where a source begins that is heard alone in these clips: its states are clusters of their frames, by k-means, or
// stretches of each clip of equal length, whichever ends higher after a fit to them. Without clips: the mean and
// variance of all frames, a little apart.
SourceHmm source_start(const Features& features, std::span<const std::uint32_t> clips, const SourceFitOptions& options,
                       const RunContext& run);

}  // namespace motet::temporal
