// How well something is learned from clips, on clips that were held out.
//
// Three ways of holding out, as far as groups are known. `clips`: by lot, whatever they have in common. `sources`: no
// source file is on both sides. `sources and responses`: no source file and no impulse response is on both sides; clips
// with one of them on each side are left out. Who reads a reverberation time off clips that share their responses may
// have learned to recognise responses: the first two tell nothing of a new room.
#pragma once

#include <string>
#include <vector>

#include "motet/audio/scenes/learner.h"

namespace motet::audio {

struct Clips {
  Rows2d rows;
  std::vector<std::string> columns;
  Target target;
  std::vector<std::uint32_t> source;    // of each clip; of all the same length as the rows
  std::vector<std::uint32_t> response;  // empty: not known
};

struct StudyOptions {
  LearnOptions learn;
  std::size_t repeats = 4;
  double held_out = 0.3;
  std::size_t importance = 15;
};

template <class V>
void visit_fields(V& v, StudyOptions& o) {
  visit_fields(v, o.learn);
  v("repeats", o.repeats, Range<std::size_t>{1, 1000},
    "splits of the clips into those to learn from and those held out");
  v("held_out", o.held_out, Range<double>{0.01, 0.9}, "share of clips, or of their groups, that is held out");
  v("importance", o.importance, Range<std::size_t>{0, 10'000},
    "features to name by what the error grows when their values change places");
}

struct HeldOut {
  std::string way;                 // "sources"
  std::vector<double> errors;      // of each split: balanced error, or mean |residual|
  std::vector<double> references;  // the same of the commonest class, or of the median
  std::vector<double> residuals;   // |residual| of all clips held out, rising; empty for classes
  std::vector<double> confusion;   // clips by their class (rows) and what was said, of all splits; empty for numbers
  double mean_learned = 0.0;       // clips learned from in a split
  double mean_held = 0.0;
};

struct Importance {
  std::string column;
  double increase = 0.0;        // of the error, mean over the splits
  double standard_error = 0.0;  // of that mean; 0 for one split. Splits share clips, so it is a little too small
};

struct Study {
  std::vector<HeldOut> ways;
  std::vector<Importance> importance;  // of the last way, the greatest first
};

Study study(const Clips& clips, const StudyOptions& options, const RunContext& run);

}  // namespace motet::audio
