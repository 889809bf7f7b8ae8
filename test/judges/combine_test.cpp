#include "motet/judges/combine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "judges/vote_cases.h"
#include "motet/base/error.h"
#include "support/errors.h"

namespace motet::judges::combine_test {
namespace {

JudgesModel model_of(const Votes& votes, double vote_weight) {
  JudgesModel model;
  model.classes = votes.classes.to_vector();
  model.judges = votes.judges.to_vector();
  model.parameters = random_parameters(votes.judge_count(), votes.class_count(), Rng(Seed{2}));
  model.vote_weight = vote_weight;
  return model;
}

std::vector<std::vector<double>> combined(const JudgesModel& model, const Votes& votes) {
  std::vector<std::vector<double>> result;
  combine(model, votes, [&](std::size_t item, std::span<const double> posterior) {
    EXPECT_EQ(item, result.size());
    result.emplace_back(posterior.begin(), posterior.end());
  });
  return result;
}

TEST(Combine, IsBayes) {
  constexpr double tolerance = 1e-13;  // five votes: a handful of rounding errors
  const Votes votes = random_votes({.items = 100, .gold = 0.2}, Seed{1});
  for (const double vote_weight : {1.0, 0.4}) {
    const JudgesModel model = model_of(votes, vote_weight);
    const auto found = combined(model, votes);
    ASSERT_EQ(found.size(), 100U);
    for (std::size_t i = 0; i < 100; ++i) {
      long double total = 0.0L;
      std::vector<long double> expected(3);
      for (std::size_t y = 0; y < 3; ++y) {
        expected[y] = model.prior(y);
        for (const std::uint32_t code : votes.of_item(i)) {
          expected[y] *= std::pow(static_cast<long double>(model.cell(code / 3, code % 3, y)), vote_weight);
        }
        const std::int32_t known = votes.known_class(i);
        if (known != Votes::unknown) expected[y] = static_cast<std::size_t>(known) == y ? 1.0L : 0.0L;
        total += expected[y];
      }
      for (std::size_t y = 0; y < 3; ++y) {
        EXPECT_NEAR(found[i][y], static_cast<double>(expected[y] / total), tolerance);
      }
    }
  }
}

TEST(Combine, WithoutVotesOrWithImpossibleOnesThePriorStays) {
  const Votes votes =
      make_votes(NameList(std::vector<std::string>{"silent", "impossible"}), NameList(std::vector<std::string>{"j"}),
                 NameList(std::vector<std::string>{"a", "b"}), std::vector<Vote>{{1, 0, 1}});
  JudgesModel model = model_of(votes, 1.0);
  model.parameters = {0.3, 0.7, 1.0, 1.0, 0.0, 0.0};  // says a, always
  for (const auto& posterior : combined(model, votes)) {
    EXPECT_NEAR(posterior[0], 0.3, 1e-15);
    EXPECT_NEAR(posterior[1], 0.7, 1e-15);
  }
}

TEST(Combine, VotesOfOtherJudgesAreADefect) {
  const Votes votes = random_votes({}, Seed{1});
  const Votes others = random_votes({.judges = 4}, Seed{1});
  EXPECT_EQ(error_of([&] { combine(model_of(votes, 1.0), others, [](std::size_t, std::span<const double>) {}); },
                     ErrorKind::internal),
            "combine: the votes do not use the model's judges and classes");
}

TEST(EvidenceOfVotes, IsTheLikelihoodWithoutThePrior) {
  const Votes votes =
      make_votes(NameList(std::vector<std::string>{"x", "silent"}), NameList(std::vector<std::string>{"j"}),
                 NameList(std::vector<std::string>{"a", "b"}), std::vector<Vote>{{0, 0, 1}});
  JudgesModel model = model_of(votes, 1.0);
  model.parameters = {0.9, 0.1, 0.75, 0.25, 0.2, 0.8};
  const VoteEvidence evidence = evidence_of_votes(model, votes);
  EXPECT_EQ(evidence.items, votes.items);
  EXPECT_EQ(evidence.classes, model.classes);
  ASSERT_EQ(evidence.likelihood.size(), 4U);
  const double of_a = model.cell(0, 1, 0);
  const double of_b = model.cell(0, 1, 1);
  ASSERT_NE(of_a, of_b);
  EXPECT_NEAR(evidence.likelihood[0], of_a / std::max(of_a, of_b), 1e-15);
  EXPECT_NEAR(evidence.likelihood[1], of_b / std::max(of_a, of_b), 1e-15);
  EXPECT_NEAR(evidence.likelihood[2], 1.0, 1e-15);  // no vote tells nothing
  EXPECT_NEAR(evidence.likelihood[3], 1.0, 1e-15);
}

TEST(BestLabel, IsTheFirstOfEquals) {
  const std::vector<double> tied = {0.2, 0.4, 0.4};
  EXPECT_EQ(best_label(tied).label, 1U);
  EXPECT_EQ(best_label(tied).probability, 0.4);
}

TEST(MatchJudges, RenumbersThoseItKnowsAndLeavesTheOthersOut) {
  JudgesModel model;
  model.judges = {"ann", "bob", "cy"};
  model.classes = {"no", "yes"};
  Votes votes =
      make_votes(NameList(std::vector<std::string>{"x", "y"}), NameList(std::vector<std::string>{"cy", "dan", "ann"}),
                 NameList(model.classes), std::vector<Vote>{{0, 0, 1}, {0, 1, 0}, {0, 2, 0}, {1, 1, 1}});
  votes.known = {1, Votes::unknown};
  std::vector<std::string> unknown;
  const Votes matched = match_judges(model, votes, unknown);
  EXPECT_EQ(unknown, std::vector<std::string>{"dan"});
  EXPECT_EQ(matched.judges.to_vector(), model.judges);
  EXPECT_EQ(matched.items, votes.items);
  EXPECT_EQ(matched.known, votes.known);
  EXPECT_EQ(matched.starts, (std::vector<std::uint32_t>{0, 2, 2}));
  EXPECT_EQ(matched.codes, (std::vector<std::uint32_t>{0, 5}));  // ann no, cy yes: ascending again
}

}  // namespace
}  // namespace motet::judges::combine_test
