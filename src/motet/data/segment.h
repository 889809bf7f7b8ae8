// A stretch of a recording with a label: what a person marks, and what a frame-wise
// model says after neighbouring frames of one class are joined.
#pragma once

#include <limits>
#include <string>

namespace motet {

struct Segment {
  std::string sequence;  // the recording or sequence it lies in; may be empty when there is only one
  double begin = 0.0;    // seconds from its start, or rows where rows have no time
  double end = 0.0;
  std::string label;
  double low_hz = std::numeric_limits<double>::quiet_NaN();  // NaN: no frequency range is known
  double high_hz = std::numeric_limits<double>::quiet_NaN();
  double probability = std::numeric_limits<double>::quiet_NaN();  // NaN: said by a person
  std::string begin_clock = {};  // "2026-05-19T04:31:12" by the clock of the recorder; empty: not told
};

}  // namespace motet
