#include "motet/report/timeline_plot.h"

#include <gtest/gtest.h>

namespace motet::timeline_plot_test {
namespace {

TEST(StripesOf, JoinsEqualRowsAndThenBlocks) {
  const std::vector<std::size_t> kinds = {0, 0, 1, 1, 1, 0, 1, 0, 0, 0};
  const auto text = [&](std::size_t most) {
    std::string all;
    for (const Stripe& stripe : stripes_of(kinds, 2, most)) {
      EXPECT_EQ(stripe.sequence, 2U);
      all += std::to_string(static_cast<int>(stripe.begin)) + "-" + std::to_string(static_cast<int>(stripe.end)) + ":" +
             std::to_string(stripe.kind) + " ";
    }
    return all;
  };
  EXPECT_EQ(text(100), "0-2:0 2-5:1 5-6:0 6-7:1 7-10:0 ");
  EXPECT_EQ(text(2), "0-5:1 5-10:0 ");
  EXPECT_TRUE(stripes_of({}, 0, 5).empty());
}

}  // namespace
}  // namespace motet::timeline_plot_test
