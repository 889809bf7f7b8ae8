// The searches of chapters 6 and 7 that can be played without the recordings, which are not
// public, and a comparison of our own.
#pragma once

#include "experiments/experiment.h"

namespace motet::discover {

Outcome run_discover_figures(const ExperimentContext& context);  // 6.1 to 6.3
Outcome run_discover_toy(const ExperimentContext& context);
Outcome run_discover_uci(const ExperimentContext& context);
Outcome run_discover_five_classes(const ExperimentContext& context);

}  // namespace motet::discover
