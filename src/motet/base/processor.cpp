#include "motet/base/processor.h"

#include <algorithm>
#include <atomic>

namespace motet {
namespace {

ProcessorLevel level_found() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("popcnt") == 0) return ProcessorLevel::plain;
  return __builtin_cpu_supports("avx2") == 0 ? ProcessorLevel::popcnt : ProcessorLevel::avx2;
#else
  return ProcessorLevel::plain;
#endif
}

// Tests lower it, to do the same work in the plainer ways.
std::atomic<ProcessorLevel> level_used{level_found()};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

ProcessorLevel processor_level() { return level_used.load(std::memory_order_relaxed); }

void limit_processor(ProcessorLevel most) {
  level_used.store(std::min(most, level_found()), std::memory_order_relaxed);
}

}  // namespace motet
