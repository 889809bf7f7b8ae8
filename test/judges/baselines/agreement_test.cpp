#include "motet/judges/baselines/agreement.h"

#include <gtest/gtest.h>

#include "judges/tied_votes.h"

namespace motet::judges::agreement_test {
namespace {

TEST(Agreement, CountsAreThoseOfTheVotes) {
  const Votes votes = votes_from({{0, 0, 1}, {1, no_vote, 1}, {0, 0, 0}, {2, 1, no_vote}}, 3);
  const VoteTable table = make_vote_table(votes);
  const Agreement found = measure_agreement(table);
  ASSERT_EQ(found.pairs.size(), 3U);
  EXPECT_EQ(found.pairs[0].shared, 3.0);
  EXPECT_EQ(found.pairs[0].agreed, 2.0);
  EXPECT_NEAR(found.pairs[0].beyond_chance, (3.0 * 2.0 / 3.0 - 1.0) / 2.0, 1e-15);
  EXPECT_EQ(found.pairs[1].shared, 3.0);
  EXPECT_EQ(found.pairs[1].agreed, 2.0);
  EXPECT_EQ(found.pairs[2].shared, 2.0);
  EXPECT_EQ(found.pairs[2].agreed, 1.0);
}

TEST(Agreement, SkillsOfIndependentJudgesAreExact) {
  const std::vector<double> planted = {0.3, 0.5, 0.6, 0.7};
  std::vector<PairAgreement> pairs;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j) pairs.push_back({i, j, 1000.0, 0.0, planted[i] * planted[j], 0.0});
  }
  const std::vector<double> skill = fit_skills(4, pairs);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(skill[j], planted[j], 1e-4);
}

TEST(Agreement, CopyingPairStandsOut) {
  const Votes votes = votes_from(planted_labels({.items = 1000,
                                                 .accuracy = {0.7, 0.65, 0.8, 0.75, 0.7},
                                                 .prior = {0.4, 0.6},
                                                 .copier = 1,
                                                 .copied = 0,
                                                 .copying = 0.8},
                                                Seed{11}),
                                 2);
  const VoteTable table = make_vote_table(votes);
  const Agreement found = measure_agreement(table);
  for (const PairAgreement& pair : found.pairs) {
    if (pair.first == 0 && pair.second == 1) {
      EXPECT_GT(pair.z, 10.0);
    } else {
      EXPECT_LT(std::abs(pair.z), 4.0);
    }
  }
}

}  // namespace
}  // namespace motet::judges::agreement_test
