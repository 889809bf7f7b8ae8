// The rows of recordings as pictures: spectrograms and tracks.
#pragma once

#include <string>
#include <vector>

#include "motet/app/audio/feature_run.h"
#include "motet/report/page.h"

namespace motet::audio {

// Of the first recording that was heard and drawn, as the bytes of a .png. Throws Error{usage} where there is none, as
// when all were finished before.
std::string feature_png(const FeatureRunResult& result);

Page features_page(const FeatureRunResult& result, const std::vector<std::string>& warnings);

}  // namespace motet::audio
