#include "motet/discover/spread/spread.h"

#include <gtest/gtest.h>

#include "discover/spread/spread_cases.h"
#include "motet/discover/bytes.h"

namespace motet::discover::spread_test {
namespace {

SpreadCase two_kinds() {
  SpreadCase c(600, {50, 200, 330, 450}, {120, 400, 520}, {300, 300});
  c.say(54, "a");
  c.say(204, "a");
  c.say(125, "b");
  c.say(10, "");
  c.say(270, "");
  return c;
}

TEST(Spread, FindsTheOtherEventsOfAClass) {
  const SpreadCase c = two_kinds();
  const Spread spread = spread_answers(c.features, c.discovery, {});
  EXPECT_EQ(spread.classes, (std::vector<std::string>{"background", "a", "b"}));
  for (const std::size_t begin : {330U, 450U}) {
    const SpreadStretch* found = c.at(spread, begin + 5);
    ASSERT_NE(found, nullptr) << begin;
    EXPECT_EQ(found->of_class, 1);
    EXPECT_GT(found->probability, usual_threshold);
    EXPECT_LT(found->probability, 1.0);
    EXPECT_FALSE(found->is_answered);
    EXPECT_NEAR(static_cast<double>(found->begin), static_cast<double>(begin), 3.0);
    EXPECT_NEAR(static_cast<double>(found->end), static_cast<double>(begin + 10), 3.0);
  }
  const SpreadStretch* own = c.at(spread, 54);
  ASSERT_NE(own, nullptr);
  EXPECT_TRUE(own->is_answered);
  EXPECT_EQ(own->probability, 1.0);
  for (std::size_t i = 1; i < spread.stretches.size(); ++i) {
    EXPECT_GE(spread.stretches[i].begin, spread.stretches[i - 1].end);
  }
}

TEST(Spread, IsLearnedFromWhereNothingIsAndAnswersStand) {
  SpreadCase c = two_kinds();
  const double before = c.at(spread_answers(c.features, c.discovery, {}), 455)->probability;
  c.say(335, "");
  const Spread after = spread_answers(c.features, c.discovery, {});
  const SpreadStretch* at = c.at(after, 335);
  EXPECT_EQ(at, nullptr);
  const SpreadStretch* like_it = c.at(after, 455);
  EXPECT_LT(like_it == nullptr ? 0.0 : like_it->probability, before);
}

TEST(Spread, IsTheSameOnAnyNumberOfThreadsAndAfterLoading) {
  const LabelledFeatures data = short_events(Seed{4});
  Discovery discovery = start_discovery(data.features, search_options(Strategy::temporal, 5), {});
  for (int i = 0; i < 25; ++i)
    take_answer(data.features, discovery, true_answer(data, discovery.queue.front().row), {});
  RunContext run;
  run.threads = {.count = 1, .always = true};
  const Spread one = spread_answers(data.features, discovery, run);
  ASSERT_FALSE(one.stretches.empty());
  run.threads = {.count = 4, .always = true};
  for (const Spread& other : {spread_answers(data.features, discovery, run),
                              spread_answers(data.features, discovery_from_bytes(to_bytes(discovery)), run)}) {
    ASSERT_EQ(other.stretches.size(), one.stretches.size());
    for (std::size_t i = 0; i < one.stretches.size(); ++i) {
      EXPECT_EQ(other.stretches[i].begin, one.stretches[i].begin);
      EXPECT_EQ(other.stretches[i].end, one.stretches[i].end);
      EXPECT_EQ(other.stretches[i].of_class, one.stretches[i].of_class);
      EXPECT_EQ(other.stretches[i].probability, one.stretches[i].probability);
    }
  }
}

TEST(Spread, WithoutAClassIsNothing) {
  SpreadCase c(100, {}, {});
  c.say(5, "");
  EXPECT_TRUE(spread_answers(c.features, c.discovery, {}).stretches.empty());
}

TEST(Spread, CorrectionComesFromAnswersUnlessItIsNotWanted) {
  const SpreadCase c = two_kinds();
  const Spread corrected = spread_answers(c.features, c.discovery, {});
  EXPECT_GT(corrected.tried, 0U);
  EXPECT_NE(corrected.correction.shift, 0.0);
  const Spread plain = spread_answers(c.features, c.discovery, {}, ChanceRule::as_learned);
  EXPECT_EQ(plain.tried, 0U);
  EXPECT_EQ(plain.correction.shift, 0.0);
  EXPECT_EQ(plain.correction.slope, 1.0);
}

TEST(Spread, BecomesRowsFromAThresholdOn) {
  Spread spread;
  spread.classes = {"background", "a"};
  spread.stretches = {{1, 3, 1, false, {}, 0.7}, {4, 5, 1, false, {}, 0.5}, {6, 7, 1, true, {}, 1.0}};
  const Propagation rows = rows_of_stretches(spread, 8, 0.6);
  EXPECT_EQ(rows.of_class, (std::vector<std::int32_t>{0, 1, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(rows.probability[2], 0.7);
  EXPECT_EQ(rows.classes, spread.classes);
  EXPECT_EQ(rows_of_stretches(spread, 8, 0.4).of_class[4], 1);
}

}  // namespace
}  // namespace motet::discover::spread_test
