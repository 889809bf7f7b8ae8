#include "motet/data/vote_evidence.h"

#include <gtest/gtest.h>

namespace motet::vote_evidence_test {
namespace {

using Names = std::vector<std::string>;

// Three items, the truth of which is named by `classes`.
CandidateItems items_with(Names classes, std::vector<std::int32_t> truth) {
  CandidateItems items;
  items.features.columns = {"x"};
  items.features.values = {1.0, 2.0, 3.0};
  items.features.items = {"a", "b", "c"};
  items.classes = std::move(classes);
  items.truth = std::move(truth);
  return items;
}

VoteEvidence evidence_on_c_and_a() {
  return {NameList(Names{"c", "other", "a"}), {"no", "yes"}, {1.0, 0.25, 1.0, 1.0, 0.0, 1.0}};
}

TEST(VoteEvidence, TakesThePlaceOfCandidatesByName) {
  CandidateItems items = items_with({}, {});
  items.label = {0};  // of candidates that were there before
  items.weight = {0.5};
  const VotedItems voted = set_candidates(items, evidence_on_c_and_a(), {});
  EXPECT_EQ(voted.without_votes, 1U);
  EXPECT_TRUE(voted.only_true.empty());
  EXPECT_EQ(items.classes, (Names{"no", "yes"}));
  EXPECT_EQ(items.starts, (std::vector<std::size_t>{0, 1, 3, 5}));
  EXPECT_EQ(items.label, (std::vector<std::uint32_t>{1, 0, 1, 0, 1}));  // a: yes alone; b: anything; c: both
  EXPECT_EQ(items.weight, (std::vector<double>{1.0, 1.0, 1.0, 1.0, 0.25}));
}

TEST(VoteEvidence, DeclaredClassesKeepTheirOrder) {
  CandidateItems items = items_with({"yes", "no"}, {0, -1, 1});
  const Names declared = {"yes", "maybe", "no"};
  const VotedItems voted = set_candidates(items, evidence_on_c_and_a(), declared);
  EXPECT_TRUE(voted.only_true.empty());
  EXPECT_EQ(items.classes, declared);
  EXPECT_EQ(items.truth, (std::vector<std::int32_t>{0, -1, 2}));
  EXPECT_EQ(items.label, (std::vector<std::uint32_t>{0, 0, 1, 2, 0, 2}));  // only b, without votes, may be maybe
  EXPECT_EQ(items.weight, (std::vector<double>{1.0, 1.0, 1.0, 1.0, 0.25, 1.0}));
}

TEST(VoteEvidence, WhatOnlyTheTruthNamesComesLast) {
  CandidateItems items = items_with({"unsure", "yes"}, {0, 1, 0});
  const VotedItems voted = set_candidates(items, evidence_on_c_and_a(), {});
  EXPECT_EQ(voted.only_true, Names{"unsure"});
  EXPECT_EQ(items.classes, (Names{"no", "yes", "unsure"}));
  EXPECT_EQ(items.truth, (std::vector<std::int32_t>{2, 1, 2}));
}

}  // namespace
}  // namespace motet::vote_evidence_test
