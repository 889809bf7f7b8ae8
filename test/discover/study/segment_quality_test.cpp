#include "motet/discover/study/segment_quality.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::discover::segment_quality_test {
namespace {

Sequences two_sequences() { return {{0, 6, 12}, {"s1", "s2"}, {}}; }

// Events: a in rows 1 to 2 and in 5, the end of its sequence; a in 6 and b in 9 to 10.
const RowTruth truth{{"quiet", "a", "b"}, {0, 1, 1, 0, 0, 1, 1, 0, 0, 2, 2, 0}};

TEST(SegmentQuality, CountsWhatIsRightAndWhatIsTouched) {
  Spread spread;
  spread.classes = {"background", "class 2", "class 1"};
  const std::vector<std::size_t> of_class = {0, 2, 1};
  spread.stretches = {{0, 2, 2, true, {}, 1.0},   // touches the first event
                      {2, 4, 2, false, {}, 0.9},  // and again
                      {5, 6, 1, false, {}, 0.8},  // of the other class
                      {7, 9, 1, false, {}, 0.7},  // between
                      {10, 11, 1, false, {}, 0.3}};
  const SegmentQuality found = segment_quality(two_sequences(), truth, 0, spread, of_class, 0.6);
  EXPECT_EQ(found.segments, 4U);
  EXPECT_EQ(found.answered, 1U);
  EXPECT_EQ(found.right, 2U);
  EXPECT_EQ(found.events, 4U);
  EXPECT_EQ(found.touched, 1U);
  EXPECT_EQ(found.precision(), 0.5);
  EXPECT_EQ(found.recall(), 0.25);
  ASSERT_EQ(found.bands.size(), 5U);
  EXPECT_EQ(found.bands[1].segments, 1U);  // below the threshold, and right
  EXPECT_EQ(found.bands[1].right, 1U);
  EXPECT_EQ(found.bands[3].segments, 1U);
  EXPECT_EQ(found.bands[4].segments, 2U);
  EXPECT_EQ(found.bands[4].right, 1U);
  EXPECT_DOUBLE_EQ(found.bands[4].promised, 1.7);
  const SegmentQuality all = segment_quality(two_sequences(), truth, 0, spread, of_class, 0.0);
  EXPECT_EQ(all.touched, 2U);

  SegmentQuality sum;
  add(sum, found);
  add(sum, all);
  EXPECT_EQ(sum.segments, 9U);
  EXPECT_EQ(sum.events, 8U);
  EXPECT_EQ(sum.bands[4].segments, 4U);
  EXPECT_EQ(sum.threshold, 0.6);
}

TEST(SegmentQuality, OfNothingHasNoShares) {
  Spread spread;
  spread.classes = {"background"};
  const SegmentQuality found = segment_quality({{0, 2}, {"s1"}, {}}, {{"quiet"}, {0, 0}}, 0, spread, {0}, 0.5);
  EXPECT_TRUE(std::isnan(found.precision()));
  EXPECT_TRUE(std::isnan(found.recall()));
}

}  // namespace
}  // namespace motet::discover::segment_quality_test
