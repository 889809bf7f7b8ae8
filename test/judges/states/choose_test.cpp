#include "motet/judges/states/choose.h"

#include <gtest/gtest.h>

#include "judges/states/state_cases.h"
#include "motet/judges/simulate.h"
#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::judges::choose_test {
namespace {

WayChoice chosen(const Votes& votes) { return choose_way(votes, make_vote_table(votes), {}, {}); }

Votes simulated(std::size_t items, std::size_t judges, std::size_t classes, Seed seed, double answered = 1.0) {
  SimulateOptions options;
  options.items = items;
  options.judges = judges;
  options.classes = classes;
  options.answered = answered;
  return simulate_votes(options, seed).votes;
}

TEST(ChooseWay, IndependentJudgesGetNoSubtypes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const WayChoice choice = chosen(simulated(1000, 8, 2, Seed{seed}));
    EXPECT_NE(choice.chosen().noise, JudgeNoise::subtypes) << seed;
    EXPECT_EQ(choice.items, 1000U);
    EXPECT_EQ(choice.ways.size(), 6U);
    for (std::size_t w = 0; w < 6; ++w) EXPECT_EQ(choice.ways[w].behind.error == 0.0, w == choice.best);
  }
}

TEST(ChooseWay, JudgesMisledTogetherCallForSubtypes) {
  const WayChoice choice = chosen(two_kinds(500, Seed{2}).votes);
  EXPECT_EQ(choice.chosen().noise, JudgeNoise::subtypes);
  EXPECT_GT(choice.ways[0].behind.mean, 2.0 * choice.ways[0].behind.error);
}

TEST(ChooseWay, SubtypesNeedTwoClassesAndVotes) {
  for (const ComparedWay& way : chosen(simulated(200, 8, 3, Seed{1})).ways) {
    EXPECT_NE(way.way.noise, JudgeNoise::subtypes);
  }
  for (const ComparedWay& way : chosen(simulated(200, 20, 2, Seed{1}, 0.15)).ways) {
    EXPECT_NE(way.way.noise, JudgeNoise::subtypes);
  }
}

TEST(ChooseWay, JudgesAlikeWithFewVotesShareOneTable) {
  // Sixty judges with nine votes each, all right three times in four: nothing tells one from another.
  SimulateOptions options;
  options.items = 180;
  options.judges = 60;
  options.answered = 0.05;
  options.accuracy = "0.75..0.75";
  const WayChoice choice = chosen(simulate_votes(options, Seed{5}).votes);
  ASSERT_EQ(choice.ways.size(), 4U);
  EXPECT_GT(choice.ways[choice.best].foresight.mean, choice.ways[2].foresight.mean);  // free tables foresee worse
}

TEST(ChooseWay, LargeTablesAreComparedOnSomeItems) {
  const WayChoice choice = chosen(simulated(40'000, 8, 2, Seed{1}));
  EXPECT_EQ(choice.items, 20'000U);
}

TEST(ChooseWay, SubtypesMayBeAskedFor) {
  const Votes votes = two_kinds(300, Seed{4}).votes;
  const WayChoice choice = choose_subtypes(votes, {}, {});
  ASSERT_EQ(choice.ways.size(), 2U);
  EXPECT_EQ(choice.chosen().noise, JudgeNoise::subtypes);
}

TEST(ChooseWay, StopsWhenCancelled) {
  const Votes votes = simulated(100, 5, 2, Seed{1});
  EXPECT_EQ(error_of([&] { choose_way(votes, make_vote_table(votes), {}, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while comparing ways of fitting");
}

TEST(ChooseWay, LevelsAreLeftOutOfVeryLargeTables) {
  VoteTable table;
  table.judge_count = 100;
  table.class_count = 10;
  EXPECT_EQ(shared_options(table).levels, usual_levels());
  table.class_count = 1000;
  EXPECT_EQ(shared_options(table).levels, std::vector<double>{0.0});
}

}  // namespace
}  // namespace motet::judges::choose_test
