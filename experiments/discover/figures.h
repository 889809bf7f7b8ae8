// The searches of chapters 6 and 7, those of the recordings, which are not public, on sounds that the program makes,
// and a comparison of our own.
#pragma once

#include "experiments/experiment.h"

namespace motet::discover {

Outcome run_discover_figures(const ExperimentContext& context);  // 6.1 to 6.3
RunExperiment run_discover_toy, run_discover_uci, run_discover_five_classes, run_discover_recordings,
    run_discover_tables, run_discover_unseen, run_discover_segments, run_discover_transfer, run_discover_defaults;
RunExperiment run_bird_binary, run_bird_gains, run_bird_five, run_bird_settings;  // chapter 7, on sounds of our making
RunExperiment run_bird_pictures, run_bird_appendix;
std::vector<Experiment> experiments();

}  // namespace motet::discover
