// Training on clips whose labels are known: clip_model.h says how.
#pragma once

#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/multilabel/clips/clip_model.h"
#include "motet/temporal/hmm/source_fit.h"

namespace motet::multilabel {

struct ClipOptions {
  ClipTraining method = ClipTraining::deconvolution;
  temporal::SourceFitOptions fit;
};

template <class V>
void visit_fields(V& v, ClipOptions& o) {
  v("method", o.method,
    Choices{{"deconvolution", "new", "cross", "probabilistic", "point-estimate", "point-estimate-printed"}},
    "deconvolution: all sources at once by exact EM; the others are simpler, the last two as (5.23), to compare with");
  visit_fields(v, o.fit);
}

// Clips are the sequences of `features`; of_clip has a set of labels for each.
struct LabelledClips {
  const Features& features;
  std::vector<std::string> labels;
  std::vector<ClipLabels> of_clip;
};

struct ClipFit {
  ClipModel model;
  FitSummary summary;  // of deconvolution all of it, else of the last fit; the objective is that of frames and priors
};

// Throws Error{unanswerable} for a label without a clip, a clip without a label, and clips that are all alike in their
// labels; Error{usage} for more than 255 joint states; Error{interrupted}.
ClipFit train_clips(const LabelledClips& clips, const ClipOptions& options, const RunContext& run);

// log p(clip | set) of each set of the model, clip by clip.
std::vector<double> set_log_likelihoods(const Features& features, const ClipModel& model, Threads threads);

struct ClipPrediction {
  std::size_t set = 0;          // number in model.sets
  double probability = 0.0;     // of it
  double log_likelihood = 0.0;  // of the frames under it
};
std::vector<ClipPrediction> predict_clips(const Features& features, const ClipModel& model, Threads threads);

}  // namespace motet::multilabel
