// The options of mel spectra as what is to be done: how the sound is cut, what is computed of a frame, and how its
// bands become a row.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/audio/mfcc.h"
#include "motet/audio/spectrum/frame_cutter.h"
#include "motet/audio/spectrum/frame_energies.h"

namespace motet::audio {

struct RowPlan {
  CutPlan cut;
  FramePlan frame;
  LevelPlan level;
  bool takes_level = true;
  std::size_t bands = 0;
  std::vector<double> matrix;  // of the cosine transform; empty: the levels are the row
  std::vector<double> lifter;  // of the coefficients; may be empty
  std::size_t width = 0;       // numbers of a row
  double top_db = 0.0;

  // Where a row is the mean of several frames, those floor((window - frame) / step) that begin in it, at least one.
  bool is_mean = false;
  double row_hop = 0.0;         // samples
  std::int64_t row_window = 0;  // samples

  std::vector<std::string> columns;
  std::string unit;
  FrameClock clock;
};

// Throws Error{usage} for options that do not fit the sample rate or each other.
RowPlan row_plan(const MfccOptions& options, double sample_rate, RowKind kind);

}  // namespace motet::audio
