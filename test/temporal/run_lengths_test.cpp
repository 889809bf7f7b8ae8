#include "motet/temporal/run_lengths.h"

#include <gtest/gtest.h>

namespace motet::temporal::run_lengths_test {
namespace {

Features two_sequences() {
  Features features;
  features.columns = {"x"};
  features.values = {0, 0, 1, 1, 1, 1, 0};
  features.starts = {0, 5, 7};
  features.sequences = {"a", "b"};
  return features;
}

TEST(RunLengths, EndAtTheBordersOfSequences) {
  const std::vector<RunLengths> runs = run_lengths(two_sequences(), {0, 0, 1, 1, 1, 1, 0}, 3);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].rows, 3U);
  EXPECT_EQ(runs[0].runs, 2U);
  EXPECT_EQ(runs[0].mean, 1.5);
  EXPECT_EQ(runs[0].longest, 2U);
  EXPECT_EQ(runs[1].rows, 4U);
  EXPECT_EQ(runs[1].runs, 2U);
  EXPECT_EQ(runs[1].median, 3U);
  EXPECT_EQ(runs[2].runs, 0U);
  EXPECT_EQ(runs[2].mean, 0.0);
}

}  // namespace
}  // namespace motet::temporal::run_lengths_test
