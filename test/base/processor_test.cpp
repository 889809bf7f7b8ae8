#include "motet/base/processor.h"

#include <gtest/gtest.h>

#include "support/processor.h"

namespace motet::processor_test {
namespace {

TEST(Processor, NothingAboveTheLimitIsUsed) {
  const ProcessorLevel found = processor_level();
  {
    const LimitedProcessor plain(ProcessorLevel::plain);
    EXPECT_EQ(processor_level(), ProcessorLevel::plain);
    EXPECT_FALSE(has_popcnt());
    EXPECT_FALSE(has_avx2());
  }
  EXPECT_EQ(processor_level(), found);
}

TEST(Processor, ALimitAddsNothing) {
  const ProcessorLevel found = processor_level();
  limit_processor(ProcessorLevel::avx2);
  EXPECT_EQ(processor_level(), found);
}

}  // namespace
}  // namespace motet::processor_test
