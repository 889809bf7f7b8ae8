#include "motet/data/sequences.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace motet::sequences_test {
namespace {

Sequences three_and_two_rows() { return {{0, 3, 5}, {"a", "b"}, {0.1, 0.25}}; }

TEST(Sequences, RowsBelongToTheSequenceInWhichTheyLie) {
  const std::size_t expected[] = {0, 0, 0, 1, 1};
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(sequence_of(three_and_two_rows(), n), expected[n]) << n;
}

TEST(Sequences, MoreComeAfterThoseThatAreThere) {
  Sequences cut = three_and_two_rows();
  append(cut, {{0, 1}, {"c"}, {0.1, 0.25}});
  EXPECT_EQ(cut.starts, (std::vector<std::size_t>{0, 3, 5, 6}));
  EXPECT_EQ(cut.sequences, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Sequences, OfAnotherClockDoNotFit) {
  Sequences cut = three_and_two_rows();
  EXPECT_EQ(refusal([&] {
              append(cut, {{0, 1}, {"c"}, {0.2, 0.25}});
            }),
            "a row every 0.2 s over 0.25 s does not fit rows every 0.1 s over 0.25 s");
  EXPECT_EQ(cut.sequences.size(), 2U);
}

TEST(FrameClock, TellsTimesInWholeNanoseconds) {
  const FrameClock clock{0.1, 0.25};
  EXPECT_EQ(clock.begin(3), 0.3);  // 3 * 0.1 is 0.30000000000000004
  EXPECT_EQ(clock.end(3), 0.55);
  EXPECT_TRUE(clock.has_time());
  EXPECT_FALSE(FrameClock{}.has_time());
}

}  // namespace
}  // namespace motet::sequences_test
