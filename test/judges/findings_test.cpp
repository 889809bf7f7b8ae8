#include "motet/judges/findings.h"

#include <gtest/gtest.h>

#include "judges/tied_votes.h"

namespace motet::judges::findings_test {
namespace {

// Independent judges of accuracy 0.8; the caller changes what it wants odd.
std::vector<std::vector<int>> plain_rows(std::size_t items, std::size_t judges, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<std::vector<int>> rows;
  for (std::size_t i = 0; i < items; ++i) {
    const int truth = rng.uniform() < 0.5 ? 1 : 0;
    std::vector<int> row;
    for (std::size_t j = 0; j < judges; ++j) row.push_back(rng.uniform() < 0.8 ? truth : 1 - truth);
    rows.push_back(row);
  }
  return rows;
}

JudgeFindings findings_of(const std::vector<std::vector<int>>& rows) {
  const Votes votes = votes_from(rows, 2);
  JudgesOptions options{.smoothing = 0.5};
  const JudgesFit fit = estimate_judges(votes, options, {});
  return find_oddities(make_vote_table(votes), votes.judges, votes.classes, fit);
}

TEST(Findings, NothingOfOrdinaryJudges) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const JudgeFindings found = findings_of(plain_rows(200, 6, seed));
    EXPECT_TRUE(found.warnings.empty()) << seed << ": " << found.warnings.front();
  }
}

TEST(Findings, AJudgeWhoAlwaysSaysTheSame) {
  auto rows = plain_rows(100, 5, 1);
  for (auto& row : rows) row[4] = 1;
  const JudgeFindings found = findings_of(rows);
  EXPECT_EQ(found.constant, std::vector<std::size_t>{4});
  EXPECT_EQ(found.warnings,
            std::vector<std::string>{"judge 'judge5' always says '1': its votes tell nothing about an item"});
}

TEST(Findings, FourEqualVotesMeanLittle) {
  auto rows = plain_rows(100, 5, 1);
  for (std::size_t i = 0; i < 100; ++i) rows[i][4] = i < 4 ? 1 : no_vote;
  EXPECT_TRUE(findings_of(rows).constant.empty());
  rows[4][4] = 1;
  EXPECT_EQ(findings_of(rows).constant, std::vector<std::size_t>{4});
}

TEST(Findings, JudgesWorseThanChance) {
  auto rows = plain_rows(300, 7, 1);
  for (auto& row : rows) row[0] = 1 - row[0];
  const JudgeFindings one = findings_of(rows);
  EXPECT_EQ(one.worse_than_chance, std::vector<std::size_t>{0});
  EXPECT_EQ(one.warnings, std::vector<std::string>{"'judge1' is worse than chance: its votes are read the other way "
                                                   "round; look whether the labels were swapped"});
  for (auto& row : rows) row[1] = 1 - row[1];
  EXPECT_EQ(findings_of(rows).warnings,
            std::vector<std::string>{"'judge1', 'judge2' are worse than chance: their votes are read the other way "
                                     "round; look whether the labels were swapped"});
}

TEST(Findings, CopiesButNotTwoJudgesWhoAreJustGood) {
  // Among ten: of six as good as these the fit would take the two copies for the best judges.
  auto rows = plain_rows(200, 10, 1);
  for (auto& row : rows) row[5] = row[4];
  const JudgeFindings found = findings_of(rows);
  ASSERT_EQ(found.copies.size(), 1U);
  EXPECT_EQ(found.copies[0].first, 4U);
  EXPECT_EQ(found.copies[0].second, 5U);
  EXPECT_EQ(found.copies[0].shared, 200.0);
  EXPECT_EQ(found.copies[0].agreed, 200.0);
  EXPECT_LT(found.copies[0].expected, 190.0);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_TRUE(
      found.warnings[0].starts_with("judges 'judge5' and 'judge6' agree on 200 of 200 shared items where "
                                    "independent judges would agree on "));
  EXPECT_TRUE(found.warnings[0].ends_with(": one may copy the other, and together they count as little more than one"));
  for (std::size_t i = 0; i < 200; ++i) {
    for (int& label : rows[i]) label = static_cast<int>(i % 2);
  }
  EXPECT_TRUE(findings_of(rows).copies.empty());
}

}  // namespace
}  // namespace motet::judges::findings_test
