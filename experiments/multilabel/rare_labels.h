// Texts with rare labels (rare_words.h): `auto` beside what is usual.
#pragma once

#include "experiments/experiment.h"

namespace motet::multilabel {

RunExperiment run_multilabel_rare_labels;

}  // namespace motet::multilabel
