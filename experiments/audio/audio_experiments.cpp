#include "experiments/audio/figures.h"

namespace motet::audio {

std::vector<Experiment> experiments() {
  return {
      {"audio-fig4-1", "figure 4.1: polar patterns of front cardioid and hyper-cardioid", run_polar_patterns},
      {"audio-fig4-2", "figure 4.2: errors of five hearing activities by features and method", run_activity_errors},
      {"audio-recorded-noise", "figure 4.2 with recorded noise (needs data)", run_recorded_noise},
      {"audio-table4-1", "table 4.1: the features that tell hearing activities most", run_activity_features},
      {"audio-fig4-3", "figure 4.3: residuals of the reverberation time; is it the room that is known?",
       run_reverberation_residuals},
      {"audio-fig4-4", "figure 4.4: residuals by hearing activity", run_reverberation_by_class},
      {"audio-table4-2", "table 4.2: the features that tell the reverberation time most", run_reverberation_features},
  };
}

}  // namespace motet::audio
