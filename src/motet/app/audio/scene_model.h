// A model of clips: what was learned, and how features are made of a recording.
#pragma once

#include <string>

#include "motet/audio/scenes/clip_features.h"
#include "motet/audio/scenes/learner.h"

namespace motet::audio {

struct SceneModel {
  Learned learned;
  ClipOptions clips;
  double sample_rate = 0.0;
  std::string target;
};

void write_scene_model(const std::string& path, const SceneModel& model);

// Throws Error{bad_data} "m.json: ..." for what is no such model.
SceneModel read_scene_model(const std::string& path);

}  // namespace motet::audio
