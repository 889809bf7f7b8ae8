// The versions of code for less capable processors.
#pragma once

#include "motet/base/processor.h"

namespace motet {

// While it lives, nothing above `most` is used.
class LimitedProcessor {
 public:
  explicit LimitedProcessor(ProcessorLevel most) { limit_processor(most); }
  LimitedProcessor(const LimitedProcessor&) = delete;
  LimitedProcessor& operator=(const LimitedProcessor&) = delete;
  ~LimitedProcessor() { limit_processor(ProcessorLevel::avx2); }
};

}  // namespace motet
