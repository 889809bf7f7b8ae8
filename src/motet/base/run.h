// What every fit receives and returns, whatever the model.
//
// Not converging is an outcome, not an error: it is told in FitSummary::stop.
// The library never prints; whoever wants progress passes an observer.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/base/rng.h"

namespace motet {

struct Progress {
  std::string_view stage;  // "reading votes.csv", "fitting"
  double done = 0.0;
  double total = 0.0;  // 0 when unknown
  std::string_view unit;
};
using Observer = std::function<void(const Progress&)>;

// Set from a signal handler or another thread, read between steps.
class CancelFlag {
 public:
  void set(int signal) noexcept { signal_.store(signal, std::memory_order_relaxed); }
  int signal() const noexcept { return signal_.load(std::memory_order_relaxed); }
  bool is_set() const noexcept { return signal() != 0; }

 private:
  std::atomic<int> signal_{0};
};
static_assert(std::atomic<int>::is_always_lock_free);  // so that a signal handler may store

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

enum class Stop { converged, iteration_limit, objective_fell, interrupted };
std::string_view name_of(Stop stop);

struct FitSummary {
  Stop stop = Stop::iteration_limit;
  std::vector<double> objective;  // one value an iteration, larger is better
  std::vector<std::string> warnings;

  std::size_t iterations() const { return objective.size(); }
};

}  // namespace motet
