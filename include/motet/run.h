// How to run a fit, and how it went, whatever the model.
//
// Nothing in Run but the seed changes the answer, and the same seed gives the same bytes on any number of
// threads. The library never prints; whoever wants progress passes an observer. Not converging is an
// outcome, not an error: it is told in FitSummary::stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace motet {

struct Progress {
  std::string_view stage;  // "reading votes.csv", "fitting"
  double done = 0.0;
  double total = 0.0;  // 0 when unknown
  std::string_view unit;
};
using Observer = std::function<void(const Progress&)>;

// Set from a signal handler or another thread, read between steps: the fit then ends by Error{interrupted}.
class CancelFlag {
 public:
  void set(int signal) noexcept { signal_.store(signal, std::memory_order_relaxed); }
  int signal() const noexcept { return signal_.load(std::memory_order_relaxed); }
  bool is_set() const noexcept { return signal() != 0; }

 private:
  std::atomic<int> signal_{0};
};
static_assert(std::atomic<int>::is_always_lock_free);  // so that a signal handler may store

struct Run {
  std::uint64_t seed = 1;
  unsigned threads = 0;                // 0: one for each hardware thread
  Observer observer = {};              // may be empty
  const CancelFlag* cancel = nullptr;  // may be null
};

enum class Stop { converged, iteration_limit, objective_fell, interrupted };
std::string_view name_of(Stop stop);

struct FitSummary {
  Stop stop = Stop::iteration_limit;
  std::vector<double> objective;  // one value per iteration, larger is better
  std::vector<std::string> warnings;

  std::size_t iterations() const { return objective.size(); }
};

}  // namespace motet
#pragma GCC visibility pop
