// What every fit receives, whatever the model; what it returns, and how it tells its progress, is in motet/run.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/base/rng.h"
#include "motet/run.h"

namespace motet {

// A fit at a point where it can be taken up again.
struct Checkpoint {
  std::string stage;  // which of the model's fits this is, such as "start 2"
  std::size_t iteration = 0;
  std::vector<double> parameters;
  std::vector<double> objective;
  bool urgent = false;  // the run ends now: write it whatever the clock says
};

// How to run, as opposed to what to fit: nothing here changes the answer.
struct RunContext {
  Seed seed{1};
  Threads threads;
  Observer observer;                                                // may be empty
  const CancelFlag* cancel = nullptr;                               // may be null
  std::function<void(const Checkpoint&)> save;                      // may be empty; decides itself how often to write
  std::function<const Checkpoint*(std::string_view stage)> resume;  // may be empty; null when there is none

  bool cancelled() const { return cancel != nullptr && cancel->is_set(); }
};

// For a fit within another: the same run, which tells and keeps nothing.
inline RunContext unheard(RunContext run) {
  run.observer = {};
  run.save = {};
  run.resume = {};
  return run;
}

}  // namespace motet
