#include "experiments/roles/judged_rows.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::roles::judged_rows_test {
namespace {

JudgedRow row(std::string set, double mac, double asso, double error, double neighbour, std::size_t wrong = 5) {
  return {std::move(set),
          {{mac, 0.0, 0.0},
           {asso, mac - asso, error},
           {neighbour, mac - neighbour, error},
           {0.5, 0.0, 0.0},
           {0.9 * mac, 0.0, 0.0}},
          wrong,
          5};
}

TEST(JudgedRows, NameWhatIsWorseByMoreThanIsAllowed) {
  const std::vector<std::string> told = verdicts(
      {row("a", 0.03, 0.02, 0.005, 0.03), row("b", 0.03, 0.02, 0.02, 0.02, 9), row("c", 0.01, 0.02, 0.0, 0.0095)});
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(told[0], "on 1 of 3 sets mac predicts worse than asso by more than a standard error: a (1.50 times)");
  EXPECT_EQ(told[1], "on 1 of 3 sets mac predicts more than 10 % worse than the nearest neighbour: b (1.50 times)");
  EXPECT_EQ(
      told[2],
      "on 1 of 3 sets mac with known users predicts more than 10 % worse than the nearest neighbour: b (1.35 times)");
  EXPECT_EQ(told[3], "on 1 of 3 sets mac leaves more wrong cells than asso: b (9 against 5)");
}

TEST(JudgedRows, OneSplitHasNoStandardErrorToExcuseIt) {
  const std::vector<std::string> told = verdicts({row("a", 0.021, 0.02, std::nan(""), 0.03)});
  EXPECT_EQ(told[0], "on 1 of 1 sets mac predicts worse than asso by more than a standard error: a (1.05 times)");
  EXPECT_EQ(told[1], "on none of 1 sets mac predicts more than 10 % worse than the nearest neighbour");
}

TEST(JudgedRows, ANeighbourWithoutErrorsIsBeatenByNobodyWithSome) {
  EXPECT_EQ(verdicts({row("a", 0.0, 0.02, 0.0, 0.0)})[1],
            "on none of 1 sets mac predicts more than 10 % worse than the nearest neighbour");
  EXPECT_EQ(verdicts({row("a", 0.01, 0.02, 0.0, 0.0)})[1],
            "on 1 of 1 sets mac predicts more than 10 % worse than the nearest neighbour: a (inf times)");
}

}  // namespace
}  // namespace motet::roles::judged_rows_test
