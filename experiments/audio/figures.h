// The experiments of chapter 4: what kind of sound is heard and how long a room rings, from frames of 0.8 s at two
// ears, on sounds and in rooms that the program makes.
#pragma once

#include "experiments/experiment.h"

namespace motet::audio {

RunExperiment run_polar_patterns;                                              // figure 4.1
RunExperiment run_activity_errors, run_activity_features, run_recorded_noise;  // figure 4.2, table 4.1
RunExperiment run_reverberation_residuals;                                     // figure 4.3
RunExperiment run_reverberation_by_class;                                      // figure 4.4
RunExperiment run_reverberation_features;                                      // table 4.2
inline std::size_t waves_of(const ExperimentContext& context) { return context.quick ? 4 : 32; }

std::vector<Experiment> experiments();

}  // namespace motet::audio
