// Clips to hold out, and how to do so quickly.
#pragma once

#include <string>

#include "audio/scenes/blobs.h"
#include "motet/audio/scenes/study.h"

namespace motet::audio {

inline Clips clips_of(const Blobs& blobs) {
  Clips clips{blobs.rows, {}, blobs.target, blobs.groups, {}};
  for (std::size_t d = 0; d < blobs.rows.width; ++d) clips.columns.push_back("x" + std::to_string(d));
  return clips;
}

inline StudyOptions quick(LearnMethod method) {
  StudyOptions options;
  options.learn = {method, 3, 30};
  options.repeats = 3;
  options.importance = 2;
  return options;
}

}  // namespace motet::audio
