#include "motet/io/line_map.h"

#include <gtest/gtest.h>

#include <vector>

namespace motet::line_map_test {
namespace {

TEST(LineMap, FollowsGaps) {
  LineMap lines;
  const std::vector<std::size_t> given = {2, 3, 4, 7, 8, 8, 8, 9, 20};
  for (const std::size_t line : given) lines.add(line);
  for (std::size_t i = 0; i < given.size(); ++i) EXPECT_EQ(lines.line_of(i), given[i]);
}

}  // namespace
}  // namespace motet::line_map_test
