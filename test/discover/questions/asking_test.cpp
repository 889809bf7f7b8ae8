#include "motet/discover/questions/asking.h"

#include <gtest/gtest.h>

#include "discover/search_cases.h"

namespace motet::discover::asking_test {
namespace {

std::size_t at(Asker asker) { return static_cast<std::size_t>(asker); }

TEST(Asking, DistanceAsksThreeOfFourUntilSomebodyFindsMore) {
  AskerCounts counts{};
  for (int i = 0; i < 48; ++i) ++counts[at(next_asker(search_options(Strategy::adaptive, 4), counts))].asked;
  EXPECT_NEAR(counts[at(Asker::distance)].asked, 36, 2);
  EXPECT_NEAR(counts[at(Asker::farthest)].asked, 6, 2);
  EXPECT_NEAR(counts[at(Asker::isolation)].asked, 6, 2);
  EXPECT_EQ(counts[at(Asker::energy)].asked, 0U);
}

TEST(Asking, WithoutTimeFarthestFirstAsksMost) {
  DiscoverOptions options = search_options(Strategy::adaptive, 0);
  options.unordered = true;
  EXPECT_EQ(next_asker(options, {}), Asker::farthest);
  EXPECT_EQ(askers_of(options).size(), 3U);
}

TEST(Asking, WhoFindsNewClassesAsksMore) {
  AskerCounts counts{};
  counts[at(Asker::distance)] = {20, 0};
  counts[at(Asker::isolation)] = {6, 3};
  int asked = 0;
  for (int i = 0; i < 20; ++i) {
    const Asker asker = next_asker(search_options(Strategy::adaptive, 4), counts);
    ++counts[at(asker)].asked;
    asked += asker == Asker::isolation ? 1 : 0;
  }
  EXPECT_GE(asked, 15);
}

TEST(Asking, AStrategyOfOneWayAsksInThatWay) {
  EXPECT_EQ(next_asker(search_options(Strategy::distance, 4), {}), Asker::distance);
  EXPECT_EQ(next_asker(search_options(Strategy::farthest_first, 4), {}), Asker::farthest);
  EXPECT_EQ(next_asker(search_options(Strategy::energy, 4), {}), Asker::energy);
  EXPECT_EQ(next_asker(search_options(Strategy::density, 4), {}), Asker::density);
  EXPECT_EQ(next_asker(search_options(Strategy::isolation_forest, 4), {}), Asker::isolation);
  EXPECT_TRUE(askers_of(search_options(Strategy::temporal, 4)).empty());
  EXPECT_TRUE(askers_of(search_options(Strategy::grid, 4)).empty());
}

TEST(Asking, EachWayIsAStrategyByItself) {
  for (std::size_t i = 0; i < asker_count; ++i) {
    const Strategy strategy = alone(static_cast<Asker>(i));
    EXPECT_EQ(askers_of(search_options(strategy, 4)), (std::vector<Asker>{static_cast<Asker>(i)}));
  }
}

// What the scores say of one odd row, and of one near an answer.
TEST(Asking, ScoresAreHighForWhatIsOddAndFarFromAnswers) {
  Features features = noise_rows(600, 3, Seed{1});
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t n = 300; n < 312; ++n) features.values[3 * n + d] += 9.0;
  }
  for (const Strategy strategy : {Strategy::adaptive, Strategy::farthest_first, Strategy::energy, Strategy::density,
                                  Strategy::isolation_forest}) {
    DiscoverOptions options = search_options(strategy, 8);
    options.exclusion = 0;
    Discovery discovery = start_discovery(features, options, {});
    const std::size_t first = discovery.queue.front().row;
    EXPECT_TRUE(first >= 300 && first < 312) << name_of(strategy) << " " << first;
    take_answer(features, discovery, {305, AnswerKind::of_class, "event"}, {});
    bring_scout(features, discovery, {1});
    const AskedRows asked(discovery.scout, true);
    for (const Asker asker : askers_of(options)) {
      const bool goes_by_answers = asker == Asker::distance || asker == Asker::farthest;
      if (goes_by_answers) {
        EXPECT_EQ(asked.score(asker, 305), 0.0F) << name_of(asker);
      } else {
        EXPECT_GT(asked.score(asker, 305), asked.score(asker, 100)) << name_of(asker);
      }
    }
  }
}

TEST(Asking, AQuestionOfTheBatchCountsAsAnswered) {
  const Features features = noise_rows(300, 4, Seed{2});
  Discovery discovery = start_discovery(features, search_options(Strategy::adaptive, 4), {});
  AskedRows asked(discovery.scout, false);
  asked.ask(17);
  take_answer(features, discovery, {17, AnswerKind::nothing, ""}, {});
  bring_scout(features, discovery, {1});
  const AskedRows answered(discovery.scout, true);
  for (std::size_t n = 0; n < 300; ++n) {
    EXPECT_EQ(asked.score(Asker::distance, n), answered.score(Asker::distance, n)) << n;
    EXPECT_EQ(asked.score(Asker::farthest, n), answered.score(Asker::farthest, n)) << n;
  }
}

}  // namespace
}  // namespace motet::discover::asking_test
