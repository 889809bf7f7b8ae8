// Runs that somebody stops.
#pragma once

#include <cstddef>
#include <limits>

#include "motet/base/run.h"

namespace motet {

// It has been told to stop before it begins.
inline RunContext cancelled_run() {
  static CancelFlag flag;
  flag.set(2);
  RunContext run;
  run.cancel = &flag;
  return run;
}

// It keeps its last state and is told to stop with the one of iteration `last`.
struct StoppedRun {
  CancelFlag cancel;
  Checkpoint kept;
  RunContext run;

  explicit StoppedRun(std::size_t last = std::numeric_limits<std::size_t>::max()) {
    run.cancel = &cancel;
    run.save = [this, last](const Checkpoint& state) {
      kept = state;
      if (state.iteration >= last) cancel.set(2);
    };
  }
  StoppedRun(const StoppedRun&) = delete;
};

// It takes up what was kept of a stage.
inline RunContext resumed_run(const Checkpoint& kept) {
  RunContext run;
  run.resume = [&kept](std::string_view stage) { return kept.stage == stage ? &kept : nullptr; };
  return run;
}

}  // namespace motet
