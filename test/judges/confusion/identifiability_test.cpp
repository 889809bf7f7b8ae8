#include "motet/judges/confusion/identifiability.h"

#include <gtest/gtest.h>

#include "judges/tied_votes.h"
#include "support/expect_error.h"
#include "support/words.h"

namespace motet::judges::identifiability_test {
namespace {

using Labels = std::vector<std::vector<int>>;
using Judges = std::vector<std::size_t>;
using Words = std::vector<std::string>;

constexpr int no = no_vote;

Identifiability asked(const Votes& votes, JudgeNoise noise, std::vector<double> prior = {}, bool separately = false) {
  ConfusionSpec spec;
  spec.noise = noise;
  spec.known_prior = std::move(prior);
  return check_identifiable(make_vote_table(votes), spec, separately, votes.judges);
}

Votes two_judges() { return votes_from({{0, 1}, {1, 1}, {0, 0}}, 2); }

TEST(Identifiable, WhatTheVotesCannotTellIsRefusedWithWhatWouldHelp) {
  using enum JudgeNoise;
  const Votes one = votes_from({{0}, {1}}, 2);
  const Votes apart = votes_from({{0, 1, no}, {1, no, 0}, {no, 0, 1}, {1, 1, no}}, 2);
  const std::vector<double> uniform{0.5, 0.5};
  const std::string add = "add judges, give known labels with --gold, or ";
  const std::string for_tables = add + "use --noise symmetric with a known and unequal --prior";
  const std::string for_symmetric = add + "a known and unequal --prior";
  const std::string two_agree =
      "the errors of two judges cannot be told apart from how they agree: at least three judges must label the same "
      "items; ";
  EXPECT_EQ(asked(two_judges(), confusion).refusal, two_agree + for_tables);
  EXPECT_EQ(asked(two_judges(), confusion, {0.8, 0.2}).refusal, two_agree + for_tables);
  EXPECT_EQ(asked(two_judges(), symmetric).refusal, two_agree + for_symmetric);
  EXPECT_EQ(asked(two_judges(), symmetric, uniform).refusal, two_agree + for_symmetric);
  EXPECT_EQ(asked(one, symmetric).refusal,
            "one judge's errors cannot be told apart from how its votes agree: at least three judges must label the "
            "same items; " +
                for_symmetric);
  EXPECT_EQ(asked(apart, confusion).refusal,
            "no item has votes of three judges, so nothing tells a good judge from a bad one; " + for_tables);
  EXPECT_EQ(asked(two_judges(), symmetric, uniform, true).refusal,
            "one judge alone can be measured only against a known and unequal class prior; give --prior such as "
            "yes=0.75,no=0.25, or --gold, or leave out --separately");
  EXPECT_EQ(asked(two_judges(), confusion, uniform, true).refusal,
            "a full confusion table cannot be learned from one judge's votes alone; use --noise symmetric with a known "
            "--prior, two-populations, or --gold");
}

TEST(Identifiable, AnUnequalPriorTellsOfSymmetricJudgesAloneOrTogether) {
  for (const bool separately : {false, true}) {
    const Identifiability found = asked(two_judges(), JudgeNoise::symmetric, {0.75, 0.25}, separately);
    EXPECT_EQ(found.refusal, "");
    EXPECT_EQ(found.undetermined, Judges{});
    EXPECT_EQ(found.warnings, Words{});
  }
}

TEST(Identifiable, AKnownLabelTakesThePlaceOfTheOthers) {
  Votes votes = votes_from({{0, no}, {1, 1}, {no, 0}}, 2);
  votes.known = {0, Votes::unknown, Votes::unknown};  // of an item that only the first judged
  for (const bool separately : {false, true}) {
    const Identifiability found = asked(votes, JudgeNoise::confusion, {}, separately);
    EXPECT_EQ(found.refusal, "");
    EXPECT_EQ(found.undetermined, Judges{1});
    EXPECT_EQ(found.warnings, (Words{"'judge2' shares no item with two other judges: what is said of it rests on the "
                                     "others' habits, not on its own votes"}));
  }
}

TEST(Identifiable, JudgesThatAreSilentOrAloneAreNamed) {
  // Three on the first items, two others with a single item that they share, one without votes.
  const Labels labels = {{0, 0, 1, no, no, no}, {1, 1, 1, no, no, no}, {no, no, no, 1, 0, no}};
  const Identifiability found = asked(votes_from(labels, 2), JudgeNoise::confusion);
  EXPECT_EQ(found.refusal, "");
  EXPECT_EQ(found.undetermined, (Judges{3, 4, 5}));
  EXPECT_EQ(found.warnings,
            (Words{"no votes of 'judge6'",
                   "'judge4', 'judge5' share no item with two other judges: what is said of them rests on the others' "
                   "habits, not on their own votes",
                   "the judges fall into 2 groups that share no items; how the groups compare with each other rests on "
                   "the class prior alone"}));
}

TEST(Identifiable, GroupsMeetInAnyItem) {
  Labels labels = {{0, 0, 1, no, no, no}, {1, 1, 1, no, no, no}, {no, no, no, 1, 0, 1}};
  EXPECT_EQ(asked(votes_from(labels, 2), JudgeNoise::confusion).warnings.size(), 1U);
  EXPECT_TRUE(asked(votes_from(labels, 2), JudgeNoise::symmetric, {0.7, 0.3}).warnings.empty());
  labels.push_back({no, no, 1, 1, no, no});
  EXPECT_TRUE(asked(votes_from(labels, 2), JudgeNoise::confusion).warnings.empty());
}

TEST(KnownClasses, MustBePossible) {
  Votes votes = two_judges();
  votes.known = {Votes::unknown, 1, Votes::unknown};
  EXPECT_NO_THROW(check_known_classes(votes, {}));
  EXPECT_NO_THROW(check_known_classes(votes, std::vector<double>{0.0, 1.0}));
  expect_error(ErrorKind::usage, "--prior: class '1' has share 0, but item 'i1' is known to be of it", [&] {
    check_known_classes(votes, std::vector<double>{1.0, 0.0});
  });
}

TEST(NameSome, NamesFiveAndCountsTheRest) {
  const NameList names = votes_from({Labels::value_type(8, 0)}, 2).judges;
  EXPECT_EQ(name_some({2}, names), "'judge3'");
  EXPECT_EQ(name_some({0, 1, 2, 3, 4}, names), "'judge1', 'judge2', 'judge3', 'judge4', 'judge5'");
  EXPECT_EQ(name_some({7, 1, 2, 3, 4, 5, 0}, names), "'judge8', 'judge2', 'judge3', 'judge4', 'judge5' and 2 more");
}

}  // namespace
}  // namespace motet::judges::identifiability_test
