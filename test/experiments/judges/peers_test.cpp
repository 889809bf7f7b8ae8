#include "experiments/judges/peers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judges/tied_votes.h"
#include "judges/vote_cases.h"

namespace motet::judges::peers_test {
namespace {

constexpr double rounding = 1e-9;

TEST(Peers, EveryItemHasProbabilities) {
  const Votes votes = random_votes({.items = 80, .judges = 6, .classes = 3, .answered = 0.5}, Seed{4});
  for (const Peer& peer : peers()) {
    const Posteriors q = peer.label(votes);
    ASSERT_EQ(q.size(), 240U) << peer.name;
    for (std::size_t i = 0; i < 80; ++i)
      EXPECT_NEAR(q[3 * i] + q[3 * i + 1] + q[3 * i + 2], 1.0, rounding) << peer.name;
  }
}

TEST(Peers, MajorityIsTheShareOfVotes) {
  const Posteriors q = vote_share_labels(votes_from({{0, 0, 1, no_vote}, {no_vote, no_vote, no_vote, no_vote}}, 2));
  EXPECT_EQ(q, (Posteriors{2.0 / 3.0, 1.0 / 3.0, 0.5, 0.5}));
}

TEST(Peers, WawaWeighsByAgreement) {
  // The third judge agrees with the majority on one of two items, the others on both.
  const Posteriors q = agreement_weighted(votes_from({{0, 0, 0}, {1, 1, 0}}, 2));
  EXPECT_NEAR(q[2], 0.5 / 2.5, 1e-6);
}

TEST(Peers, DawidSkeneIsTheFixedPointOfItsSteps) {
  const Votes votes = random_votes({.items = 300, .judges = 5, .classes = 2}, Seed{4});
  const VoteTable table = make_vote_table(votes);
  const Posteriors q = dawid_skene(votes);
  const EmResult fit =
      run_em(confusion_problem(table, {}), vote_share_start(table, {}), {20'000, 1e-12, 1.0, true}, {});
  const RowInference inference(fit.parameters, 2);
  std::vector<double> p(2);
  for (std::size_t i = 0; i < 300; ++i) {
    inference.infer(votes.of_item(i), Votes::unknown, p);
    EXPECT_NEAR(q[2 * i], p[0], 0.02) << i;  // a hundred steps are not quite the end
  }
}

TEST(Peers, AJudgeWhoAlwaysSaysTheSameMovesNobody) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 60; ++i) rows.push_back({i % 2, i % 2, i % 9 == 0 ? 1 - i % 2 : i % 2, 1});
  const Votes votes = votes_from(rows, 2);
  for (const auto label : {dawid_skene, independent_bcc, mace}) {
    const Posteriors q = label(votes);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_GT(q[2 * i + i % 2], 0.9);
  }
}

}  // namespace
}  // namespace motet::judges::peers_test
