#include "motet/discover/unseen.h"

#include <gtest/gtest.h>

#include "discover/search_cases.h"

namespace motet::discover::unseen_test {
namespace {

using Counts = std::vector<std::size_t>;

TEST(Unseen, NothingCanBeToldBeforeAClassWasMet) {
  EXPECT_FALSE(unseen_classes(Counts{}, 50).can_tell);
  EXPECT_FALSE(unseen_classes(Counts{}, 0).can_tell);
}

TEST(Unseen, ClassesMetOnceSpeakOfOthers) {
  const UnseenClasses often = unseen_classes(Counts{6, 7, 5, 8}, 60);
  const UnseenClasses once = unseen_classes(Counts{1, 1, 1, 1}, 60);
  EXPECT_EQ(often.seen, 4U);
  EXPECT_LT(often.expected, 1.0);
  EXPECT_LE(often.most, 3U);
  EXPECT_GT(once.expected, 2.0);
  EXPECT_GT(once.most, 6U);
  EXPECT_GT(once.next_is_new, 5.0 * often.next_is_new);
  EXPECT_LT(once.next_is_new, 1.0);
}

TEST(Unseen, MoreQuestionsWithTheSameCountsMakeANewClassLessLikelyNext) {
  EXPECT_GT(unseen_classes(Counts{1, 2}, 20).next_is_new, unseen_classes(Counts{1, 2}, 200).next_is_new);
  EXPECT_EQ(unseen_classes(Counts{1, 2}, 20).most, unseen_classes(Counts{1, 2}, 200).most);
}

// Where the model is right, the interval holds the number in 95 of 100 draws, within three standard errors of 400.
TEST(Unseen, TheIntervalHoldsWhereTheModelIsRight) {
  Rng rng(Seed{5});
  int held = 0;
  int told = 0;
  for (int i = 0; i < 400; ++i) {
    const std::size_t classes = 1 + rng.below(20);
    const double mean = std::exp(rng.uniform(-1.0, 2.0));
    Counts met;
    for (std::size_t c = 0; c < classes; ++c) {
      const double rate = -mean * std::log1p(-rng.uniform());  // of shape 1
      std::size_t count = 0;
      for (double passed = -std::log1p(-rng.uniform()); passed < rate; passed -= std::log1p(-rng.uniform())) ++count;
      if (count > 0) met.push_back(count);
    }
    const UnseenClasses unseen = unseen_classes(met, 100);
    if (!unseen.can_tell) continue;
    ++told;
    held += unseen.most >= classes - met.size() ? 1 : 0;
  }
  EXPECT_GT(told, 300);
  EXPECT_GE(held, static_cast<int>(0.917 * told));
}

TEST(Unseen, AnswersWithinOneEventAreOneMeeting) {
  const Features features = noise_rows(200, 2, Seed{1}, {120, 80});
  DiscoverOptions options = search_options(Strategy::adaptive, 5);
  Discovery discovery = start_discovery(features, options, {});
  const auto answer = [&](std::size_t row, const char* name) {
    take_answer(features, discovery, {row, AnswerKind::of_class, name}, {});
  };
  answer(10, "owl");
  answer(20, "owl");  // within 11 rows: the same call
  answer(60, "owl");
  answer(118, "fox");
  answer(121, "fox");  // another recording
  take_answer(features, discovery, {90, AnswerKind::nothing, ""}, {});
  const UnseenClasses found = unseen_classes(features, discovery);
  const UnseenClasses same = unseen_classes(Counts{2, 2}, 6);
  EXPECT_EQ(found.seen, 2U);
  EXPECT_EQ(found.expected, same.expected);
  EXPECT_EQ(found.most, same.most);
}

}  // namespace
}  // namespace motet::discover::unseen_test
