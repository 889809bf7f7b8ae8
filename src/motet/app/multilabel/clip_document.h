// What is told of sources of sound and of clips.
#pragma once

#include <string>
#include <vector>

#include "motet/multilabel/clips/clip_train.h"
#include "motet/report/document.h"

namespace motet::multilabel {

struct ClipTrainReport {
  const ClipFit& fit;
  const std::vector<ClipLabels>& of_clip;
  std::vector<std::string> warnings;
};
Document clip_train_document(const ClipTrainReport& report);

// counts: clips by set of the model.
Document clip_classify_document(const ClipModel& model, const std::vector<std::size_t>& counts,
                                const std::vector<std::string>& warnings);

}  // namespace motet::multilabel
