// Threads that are started however small the work is, and counted.
#pragma once

#include <gtest/gtest.h>

#include <atomic>

#include "motet/base/parallel.h"

namespace motet {

// A test that hands these to a fit fails unless a second thread was started by the time this goes out of scope.
class StartedThreads {
 public:
  explicit StartedThreads(unsigned count) : count_(count) {}
  StartedThreads(const StartedThreads&) = delete;
  StartedThreads& operator=(const StartedThreads&) = delete;
  ~StartedThreads() {
    if (count_ > 1) EXPECT_GT(started_, 0U) << "the work was done by one thread";
  }

  operator Threads() { return {count_, true, nullptr, &started_}; }

 private:
  unsigned count_;
  std::atomic<std::size_t> started_{0};
};

}  // namespace motet
