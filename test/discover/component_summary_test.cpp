#include "motet/discover/component_summary.h"

#include <gtest/gtest.h>

namespace motet::discover::component_summary_test {
namespace {

TEST(ComponentSummary, MeansAreInStandardDeviationsOfAllRows) {
  Discovery discovery;
  discovery.mixture.columns = {"x", "y"};
  discovery.mixture.classes = {"background", "bird"};
  discovery.mixture.components = {{{0, 0}, {1, 0, 0, 1}, 0.75, -1}, {{4, -1}, {1, 0, 0, 1}, 0.25, 1}};
  discovery.states = {0, 0, 1, 0};
  discovery.global = {{1, 0}, {4, 0.5, 0.5, 1}, {0, 0}};
  const std::vector<ComponentSummary> found = component_summaries(discovery);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].of_class, "");
  EXPECT_EQ(found[0].rows, 3U);
  EXPECT_EQ(found[1].of_class, "bird");
  EXPECT_EQ(found[1].rows, 1U);
  EXPECT_EQ(found[1].share, 0.25);
  EXPECT_EQ(found[1].mean, (std::vector<double>{1.5, -1.0}));
}

}  // namespace
}  // namespace motet::discover::component_summary_test
