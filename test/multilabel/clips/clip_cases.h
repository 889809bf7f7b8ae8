// Clips of two sources whose emissions are averaged, and of a third that stands alone.
#pragma once

#include <string>
#include <vector>

#include "motet/multilabel/clips/clip_train.h"
#include "temporal/hmm/hmm_cases.h"

namespace motet::multilabel {

struct MadeClips {
  Features features;
  std::vector<std::string> labels = {"noise", "speech", "tone"};
  std::vector<ClipLabels> of_clip;

  LabelledClips labelled() const { return {features, labels, of_clip}; }
};

inline MadeClips made_clips(std::size_t count, std::size_t frames, Seed seed) {
  const temporal::SourceHmm sources[] = {temporal::some_source(0.0), temporal::some_source(6.0),
                                         temporal::some_source(-8.0)};
  const std::vector<ClipLabels> sets = {{0}, {1}, {0, 1}, {2}};
  MadeClips made;
  made.features.columns = {"a", "b"};
  const Rng rng(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const ClipLabels& set = sets[i % sets.size()];
    std::vector<double> rows(frames * 2, 0.0);
    for (const std::size_t source : set) {
      const std::vector<double> own = temporal::drawn_emissions(sources[source], frames, rng.child(i).child(source));
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k] += own[k] / static_cast<double>(set.size());
    }
    made.features.values.insert(made.features.values.end(), rows.begin(), rows.end());
    made.features.starts.push_back(made.features.values.size() / 2);
    made.features.sequences.push_back("clip" + std::to_string(i + 1));
    made.of_clip.push_back(set);
  }
  return made;
}

constexpr ClipTraining every_training[] = {ClipTraining::deconvolution,  ClipTraining::own_model,
                                           ClipTraining::cross,          ClipTraining::probabilistic,
                                           ClipTraining::point_estimate, ClipTraining::point_estimate_printed};

}  // namespace motet::multilabel
