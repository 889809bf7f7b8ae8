#include "motet/base/run.h"

#include <gtest/gtest.h>

namespace motet::run_test {
namespace {

TEST(Run, EveryReasonToStopHasWords) {
  EXPECT_EQ(name_of(Stop::converged), "converged");
  EXPECT_EQ(name_of(Stop::iteration_limit), "iteration limit reached");
  EXPECT_EQ(name_of(Stop::objective_fell), "objective fell");
  EXPECT_EQ(name_of(Stop::interrupted), "interrupted");
}

TEST(Run, IsCancelledOnlyByItsFlag) {
  RunContext run;
  EXPECT_FALSE(run.cancelled());
  CancelFlag flag;
  run.cancel = &flag;
  EXPECT_FALSE(run.cancelled());
  flag.set(15);
  EXPECT_TRUE(run.cancelled());
  EXPECT_EQ(flag.signal(), 15);
}

}  // namespace
}  // namespace motet::run_test
