#include "motet/discover/unseen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discover/search_cases.h"

namespace motet::discover::unseen_test {
namespace {

using Numbers = std::vector<std::size_t>;

TEST(Unseen, NothingCanBeToldBeforeAClassWasMet) {
  EXPECT_FALSE(unseen_classes(Numbers{}, 50).can_tell);
  EXPECT_FALSE(unseen_classes(Numbers{}, 0).can_tell);
}

// By an independent computation (numpy) of the same posterior on the same grid.
TEST(Unseen, TheNumbersAreThoseOfThePosterior) {
  const UnseenClasses early = unseen_classes(Numbers{1, 2, 4}, 5);
  EXPECT_EQ(early.seen, 3U);
  EXPECT_NEAR(early.expected, 3.1703300, 1e-6);
  EXPECT_EQ(early.most, 6U);
  EXPECT_NEAR(early.next_is_new, 0.1481115, 1e-6);
  const UnseenClasses late = unseen_classes(Numbers{1, 2, 4, 17}, 60);
  EXPECT_NEAR(late.expected, 0.1643226, 1e-6);
  EXPECT_EQ(late.most, 1U);
  EXPECT_NEAR(late.next_is_new, 0.0023336, 1e-6);
}

TEST(Unseen, ALongTimeWithoutANewClassSpeaksAgainstOthers) {
  UnseenClasses before = unseen_classes(Numbers{1, 3, 6}, 6);
  for (const std::size_t answers : {10U, 20U, 50U, 200U, 5000U}) {
    const UnseenClasses now = unseen_classes(Numbers{1, 3, 6}, answers);
    EXPECT_LT(now.expected, before.expected) << answers;
    EXPECT_LE(now.most, before.most) << answers;
    EXPECT_LT(now.next_is_new, before.next_is_new) << answers;
    before = now;
  }
  EXPECT_EQ(before.most, 0U);
}

TEST(Unseen, ClassesMetLateSpeakOfOthers) {
  EXPECT_GT(unseen_classes(Numbers{2, 20, 38}, 40).expected, 3.0 * unseen_classes(Numbers{1, 2, 3}, 40).expected);
}

// Where the model is right, and numbers of classes are as its prior has them, the bound holds the number in 90 of 100
// draws, within three standard errors of 400.
TEST(Unseen, TheBoundHoldsWhereTheModelIsRight) {
  Rng rng(Seed{5});
  int held = 0;
  int told = 0;
  for (int i = 0; i < 400; ++i) {
    const auto classes = static_cast<std::size_t>(std::min(200.0, 1.0 / (1.0 - rng.uniform())));  // P(N >= n) = 1 / n
    const double scale = std::pow(1000.0, rng.uniform());
    const double steepness = 1.0 + 0.5 * static_cast<double>(rng.below(3));
    Numbers met;
    for (std::size_t c = 0; c < classes; ++c) {
      const double part = rng.uniform();
      const double t = std::ceil(scale * std::pow(part / (1.0 - part), 1.0 / steepness));
      if (t <= 40.0) met.push_back(static_cast<std::size_t>(std::max(1.0, t)));
    }
    const UnseenClasses unseen = unseen_classes(met, 40);
    if (!unseen.can_tell) continue;
    ++told;
    held += unseen.most >= classes - met.size() ? 1 : 0;
  }
  EXPECT_GT(told, 200);
  EXPECT_GE(held, static_cast<int>(0.84 * told));
}

TEST(Unseen, RowsCountOnceInTheOrderInWhichTheyWereFirstSpokenOf) {
  const Features features = noise_rows(200, 2, Seed{1}, {120, 80});
  Discovery discovery = start_discovery(features, search_options(Strategy::adaptive, 5), {});
  const auto answer = [&](std::size_t row, AnswerKind kind, const char* name = "") {
    take_answer(features, discovery, {row, kind, name}, {});
  };
  answer(90, AnswerKind::nothing);
  answer(60, AnswerKind::not_sure);
  answer(10, AnswerKind::of_class, "owl");
  answer(40, AnswerKind::of_class, "owl");
  answer(90, AnswerKind::of_class, "fox");  // it was a fox that the first answer was about
  answer(150, AnswerKind::nothing);
  const UnseenClasses found = unseen_classes(discovery);
  const UnseenClasses same = unseen_classes(Numbers{1, 2}, 4);
  EXPECT_EQ(found.seen, 2U);
  EXPECT_EQ(found.expected, same.expected);
  EXPECT_EQ(found.most, same.most);
  EXPECT_NE(found.expected, unseen_classes(Numbers{2, 4}, 4).expected);
}

}  // namespace
}  // namespace motet::discover::unseen_test
