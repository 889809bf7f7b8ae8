#include "motet/discover/spread/carry.h"

#include <gtest/gtest.h>

#include "discover/spread/spread_cases.h"
#include "motet/discover/spread/spread.h"

namespace motet::discover::carry_test {
namespace {

SpreadCase old_project() {
  SpreadCase c(400, {50, 200}, {120});
  c.say(54, "a");
  c.say(204, "a");
  c.say(125, "b");
  c.say(300, "");
  return c;
}

TEST(Carry, TakesWhatWasAnsweredAlong) {
  const SpreadCase c = old_project();
  const Carried carried = carried_answers(c.features, c.discovery, "old.motet", {});
  EXPECT_EQ(carried.project, "old.motet");
  ASSERT_EQ(carried.examples.size(), 4U);
  EXPECT_EQ(carried.examples[0].class_name, "a");
  EXPECT_EQ(carried.examples[0].length, 10.0);
  EXPECT_NEAR(carried.examples[0].values[0], 12.0, 1.5);  // in the units of the column
  EXPECT_EQ(carried.examples[1].class_name, "b");
  EXPECT_NEAR(carried.examples[1].values[1], 12.0, 1.5);
  EXPECT_EQ(carried.examples[3].class_name, "");
}

TEST(Carry, RecognisesTheClassesElsewhere) {
  const SpreadCase old = old_project();
  SpreadCase fresh(500, {80, 300}, {});
  fresh.discovery.carried = carried_answers(old.features, old.discovery, "old.motet", {});
  const Spread spread = spread_answers(fresh.features, fresh.discovery, {});
  EXPECT_EQ(spread.classes, (std::vector<std::string>{"background", "a", "b"}));
  for (const std::size_t row : {85U, 305U}) {
    const SpreadStretch* found = fresh.at(spread, row);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(spread.classes[static_cast<std::size_t>(found->of_class)], "a");
    EXPECT_GT(found->probability, usual_threshold);
  }
  for (const SpreadStretch& one : spread.stretches) {
    EXPECT_TRUE(one.of_class != 2 || one.probability < usual_threshold);
  }
  // A class that is met under its name is one with what was taken along.
  fresh.say(85, "b");
  fresh.say(20, "");
  EXPECT_EQ(spread_answers(fresh.features, fresh.discovery, {}).classes,
            (std::vector<std::string>{"background", "b", "a"}));
}

TEST(Carry, GoesOnFromProjectToProject) {
  const SpreadCase first = old_project();
  SpreadCase second(500, {80}, {});
  second.discovery.carried = carried_answers(first.features, first.discovery, "first.motet", {});
  second.say(85, "a");
  const Carried third = carried_answers(second.features, second.discovery, "second.motet", {});
  EXPECT_EQ(third.project, "second.motet");
  EXPECT_EQ(third.examples.size(), 5U);
}

}  // namespace
}  // namespace motet::discover::carry_test
