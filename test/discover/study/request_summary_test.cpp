#include "motet/discover/study/request_summary.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::discover::request_summary_test {
namespace {

TEST(RequestSummary, IsOverTheRunsThatFoundTheClass) {
  DiscoveryComparison comparison;
  comparison.classes = {"owl", "hen", "cat"};
  comparison.runs = {{9, false, {{1, 2}, {0, 9}}}, {7, false, {{0, 4}}}};
  const std::vector<ClassRequests> found = requests_by_class(comparison);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].runs, 2U);
  EXPECT_EQ(found[0].mean, 6.5);
  EXPECT_EQ(found[0].first, 4.0);
  EXPECT_EQ(found[0].last, 9.0);
  EXPECT_EQ(found[1].runs, 1U);
  EXPECT_EQ(found[2].runs, 0U);
  EXPECT_TRUE(std::isnan(found[2].mean));
  EXPECT_EQ(request_range(comparison.runs).least, 7.0);
  EXPECT_EQ(request_range(comparison.runs).most, 9.0);
}

}  // namespace
}  // namespace motet::discover::request_summary_test
