#include "motet/judges/tied/dependence_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "judges/tied_votes.h"
#include "motet/base/numeric.h"
#include "support/expect_error.h"

namespace motet::judges::dependence_search_test {
namespace {

using Pairs = std::vector<ErrorPair>;

constexpr EmRule exactly{5000, 1e-10, 1.0, true};

Planted copying_plan(std::size_t items) {
  return {.items = items,
          .accuracy = {0.7, 0.65, 0.85, 0.75, 0.8},
          .prior = {0.4, 0.6},
          .copier = 1,
          .copied = 0,
          .copying = 0.8};
}

struct Asked {
  explicit Asked(const Planted& plan, Seed seed = Seed{1})
      : votes(votes_from(planted_labels(plan, seed), plan.prior.size())), table(make_vote_table(votes)) {}
  DependenceSearch search(const DependenceOptions& options = {}, std::span<const double> prior = {}) const {
    return search_dependence(table, prior, exactly, {}, options);
  }
  Votes votes;
  VoteTable table;
};

TEST(DependenceSearch, TheIndependentReadingIsThatOfOneEm) {
  const Asked asked(copying_plan(600));
  const DependenceSearch found = asked.search();
  const TiedErrors alone(asked.table, {}, {}, {});
  const EmResult em =
      run_em(alone.problem(), alone.layout().pack(alone.equal_start(0.7)), {20'000, 1e-12, 1.0, true}, {});
  EXPECT_TRUE(found.independent.pairs.empty());
  EXPECT_NEAR(found.independent.objective, em.objective(), 1e-6);
  EXPECT_NEAR(found.independent.log_likelihood, em.statistics[0], 1e-4);
}

TEST(DependenceSearch, APairIsKeptWhereItsGainPassesTheThreshold) {
  const Asked asked(copying_plan(600));
  const DependenceSearch found = asked.search();
  ASSERT_EQ(found.best.pairs, (Pairs{{0, 1}}));
  const double gain = 2.0 * (found.best.objective - found.independent.objective);
  EXPECT_GT(gain, std::max(std::log(600.0), chi_squared_quantile(1.0 - 0.05 / 10.0, 1.0)));
  ASSERT_EQ(found.bic_gains.size(), 1U);
  EXPECT_NEAR(found.bic_gains[0], gain - std::log(600.0), 1e-6);
  EXPECT_TRUE(found.checkable);
  EXPECT_TRUE(found.shares_enough);
  EXPECT_EQ(found.agreement.pairs.size(), 10U);
}

TEST(DependenceSearch, TwoPairsWithoutAJudgeInCommonAreBothFound) {
  Planted plan = copying_plan(1500);
  plan.accuracy = {0.7, 0.65, 0.85, 0.75, 0.8, 0.7, 0.65};
  auto labels = planted_labels(plan, Seed{2});
  Rng rng(Seed{3});
  for (auto& row : labels) {
    if (rng.uniform() < 0.8) row[6] = row[5];
  }
  const Votes votes = votes_from(labels, 2);
  DependenceSearch found = search_dependence(make_vote_table(votes), {}, exactly, {}, {});
  std::sort(found.best.pairs.begin(), found.best.pairs.end());
  EXPECT_EQ(found.best.pairs, (Pairs{{0, 1}, {5, 6}}));
  EXPECT_EQ(found.bic_gains.size(), 2U);
}

TEST(DependenceSearch, PairsThatAreGivenAreNotLookedFor) {
  const Asked asked(copying_plan(400));
  DependenceOptions options;
  options.pairs = Pairs{{2, 4}};
  const DependenceSearch found = asked.search(options);
  EXPECT_EQ(found.best.pairs, (Pairs{{2, 4}}));
  EXPECT_TRUE(found.bic_gains.empty());
  EXPECT_GE(found.best.objective, found.independent.objective - 1e-6);
  options.pairs = Pairs{};
  const DependenceSearch none = asked.search(options);
  EXPECT_NEAR(none.best.objective, none.independent.objective, 1e-6);  // two fits of one optimum
}

TEST(DependenceSearch, PairsMustBeTwoJudgesInOrder) {
  const Asked asked(copying_plan(50));
  for (const ErrorPair& wrong : {ErrorPair{1, 1}, ErrorPair{2, 1}, ErrorPair{0, 5}}) {
    DependenceOptions options;
    options.pairs = Pairs{wrong};
    expect_error(ErrorKind::usage, "pairs: first and second must be two judges in ascending order",
                 [&] { asked.search(options); });
  }
}

TEST(DependenceSearch, JudgesThatShareFewItemsAreNotLookedAt) {
  const DependenceSearch few = Asked(copying_plan(29)).search();
  EXPECT_FALSE(few.shares_enough);
  EXPECT_TRUE(few.best.pairs.empty());
  EXPECT_TRUE(Asked(copying_plan(30)).search().shares_enough);
}

TEST(DependenceSearch, WithoutRoomForAPairThereIsNothingToCheck) {
  Planted plan = copying_plan(500);
  plan.accuracy = {0.7, 0.65, 0.8};
  const std::vector<double> uniform{0.5, 0.5};
  const DependenceSearch found = Asked(plan).search({}, uniform);
  EXPECT_FALSE(found.checkable);
  EXPECT_TRUE(found.best.pairs.empty());
  EXPECT_TRUE(Asked(plan).search({}, std::vector<double>{0.4, 0.6}).checkable);
}

}  // namespace
}  // namespace motet::judges::dependence_search_test
