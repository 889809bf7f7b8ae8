// How far what is said of a clip can be trusted, learned from clips that were held out.
//
// The clips to learn from are dealt into folds, groups whole; of each fold is said what a model of the others says. Of
// sources and responses there are folds of both, and a clip is asked of what shares neither with it: who held out
// responses alone would learn intervals that are too narrow for new sources.
//
// Classes: with the scores s_c of a clip (scores_of), its classes have the probabilities
//
//   p_c = exp(a s_c + b_c) / sum_k exp(a s_k + b_k),  a >= 0
//
// a and b those of greatest likelihood of the clips held out, whose classes are smoothed as Platt smooths two: with N_c
// clips of class c and K classes, (N_c + 1) / (N_c + K) for the own class and 1 / (N_c + K) for each other. For two
// classes that is Platt's sigmoid.
//
// Numbers: the residuals truth - said of the clips held out, of which an interval takes quantiles: that of n residuals
// holds the truth of a clip like them with the probability asked for, whatever their distribution.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "motet/audio/scenes/learner.h"

namespace motet::audio {

using Groupings = std::vector<std::span<const std::uint32_t>>;  // one or two, each a group per row

// Into `learned`, which was learned from these rows. Where no fold is left in which all that is asked of was learned,
// there is no calibration.
void calibrate(Learned& learned, const Rows2d& rows, const Target& target, const Groupings& groupings,
               const LearnOptions& options, const RunContext& run);

// Of each class; empty without a calibration.
std::vector<double> probabilities_of(const Calibration& calibration, std::span<const double> scores);

struct AroundSaid {
  double low = 0.0;  // to be added to what is said
  double high = 0.0;
  double confidence = 0.0;  // that it really has: less where the residuals are too few
};

// Empty without residuals: {0, 0, 0}.
AroundSaid around_said(const Calibration& calibration, double confidence);

}  // namespace motet::audio
