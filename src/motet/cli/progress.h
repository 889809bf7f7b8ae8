// Progress on standard error: a bar with rate and time left on a terminal, a line
// every few seconds elsewhere.
#pragma once

#include <chrono>
#include <iosfwd>
#include <mutex>
#include <string>

#include "motet/base/run.h"

namespace motet {

// The line without colours or control characters, such as
//   fitting [######....]  60 %  4 s left
// `seconds` have passed since `from` of it was done: a fit that is resumed begins with much done in no time.
std::string progress_text(const Progress& progress, double seconds, double from = 0.0);

class ProgressPrinter {
 public:
  ProgressPrinter(std::ostream& err, bool is_terminal) : err_(err), is_terminal_(is_terminal) {}
  ~ProgressPrinter() { clear(); }
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void show(const Progress& progress);  // may be called from several threads
  void clear();                         // leaves a terminal's line empty

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& err_;
  bool is_terminal_;
  std::mutex mutex_;
  std::string stage_;
  Clock::time_point stage_start_;
  double stage_from_ = 0.0;                // what was done when the stage was first told of
  Clock::time_point last_ = Clock::now();  // when a line was shown
  bool has_line_ = false;
};

}  // namespace motet
