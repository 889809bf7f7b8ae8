// How well something is learned from clips, told.
#pragma once

#include <string>

#include "motet/audio/scenes/study.h"
#include "motet/report/document.h"

namespace motet::audio {

Document study_document(const Study& study, const Clips& clips, const std::string& target, const WhatAndValue& options);

}  // namespace motet::audio
