#include "experiments/judges/made_judges.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/errors.h"

namespace motet::judges::made_judges_test {
namespace {

double accuracy(const MadeJudges& made, std::size_t judge) {
  const std::size_t k = made.votes.class_count();
  double right = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < made.truth.size(); ++i) {
    for (const std::uint32_t code : made.votes.of_item(i)) {
      if (code / k != judge) continue;
      total += 1.0;
      right += static_cast<std::int32_t>(code % k) == made.truth[i] ? 1.0 : 0.0;
    }
  }
  return right / total;
}

double agreement(const MadeJudges& made, std::size_t a, std::size_t b) {
  const std::size_t k = made.votes.class_count();
  double same = 0.0;
  for (std::size_t i = 0; i < made.truth.size(); ++i) {
    const auto codes = made.votes.of_item(i);
    same += codes[a] % k == codes[b] % k ? 1.0 : 0.0;
  }
  return same / static_cast<double>(made.truth.size());
}

TEST(MadeJudges, EveryKindIsTheSameForTheSameSeed) {
  for (const std::string_view kind : kinds_of_made_judges()) {
    const MadeJudges a = make_judges(kind, Rng(Seed{5}));
    const MadeJudges b = make_judges(kind, Rng(Seed{5}));
    EXPECT_EQ(a.votes.codes, b.votes.codes) << kind;
    EXPECT_EQ(a.truth, b.truth) << kind;
    EXPECT_NE(a.votes.codes, make_judges(kind, Rng(Seed{6})).votes.codes) << kind;
    EXPECT_EQ(a.truth.size(), a.votes.item_count()) << kind;
  }
}

TEST(MadeJudges, CopiesAgreeMoreThanOthers) {
  const MadeJudges half = make_judges("copies-0.5", Rng(Seed{1}));
  const MadeJudges most = make_judges("copies-0.8", Rng(Seed{1}));
  EXPECT_GT(agreement(most, 0, 1), 0.85);
  EXPECT_GT(agreement(most, 0, 1), agreement(half, 0, 1));
  EXPECT_GT(agreement(half, 0, 1), agreement(half, 0, 7) + 0.1);
}

TEST(MadeJudges, RareClassesAreRare) {
  const MadeJudges made = make_judges("rare", Rng(Seed{2}));
  double rare = 0.0;
  for (const std::int32_t y : made.truth) rare += y == 1 ? 1.0 : 0.0;
  EXPECT_NEAR(rare / static_cast<double>(made.truth.size()), 0.05, 0.025);  // four errors of 1500 items
}

TEST(MadeJudges, SpammersStandOut) {
  const MadeJudges made = make_judges("spammers", Rng(Seed{3}));
  double worst = 1.0;
  double best = 0.0;
  for (std::size_t j = 0; j < 50; ++j) {
    const double here = accuracy(made, j);
    if (here == here) worst = std::min(worst, here);
    if (here == here) best = std::max(best, here);
  }
  EXPECT_LT(worst, 0.4);
  EXPECT_GT(best, 0.75);
}

TEST(MadeJudges, OtherKindsAreADefect) {
  EXPECT_EQ(error_of([] { make_judges("honest", Rng(Seed{1})); }, ErrorKind::internal),
            "make_judges: there is no kind 'honest'");
}

}  // namespace
}  // namespace motet::judges::made_judges_test
