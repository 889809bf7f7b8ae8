#include "motet/judges/states/item_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judges/states/state_cases.h"
#include "motet/judges/confusion/confusion_em.h"
#include "support/threads.h"

namespace motet::judges::item_states_test {
namespace {

constexpr double rounding = 1e-10;

Votes some_votes() { return random_votes({.items = 60, .judges = 5, .classes = 3, .gold = 0.1}, Seed{3}); }

// p(z, h, votes), in long double and one vote at a time.
std::vector<long double> joint(const StateShape& shape, std::span<const double> parameters,
                               std::span<const std::uint32_t> codes, std::int32_t known) {
  std::vector<long double> p;
  for (std::size_t z = 0; z < shape.state_count(); ++z) {
    for (std::size_t h = 0; h < shape.level_count(); ++h) {
      long double value = static_cast<long double>(parameters[z]) * parameters[shape.state_count() + h];
      if (known != Votes::unknown && static_cast<std::size_t>(known) != shape.class_of(z)) value = 0.0L;
      for (const std::uint32_t code : codes) {
        value *= (1.0L - shape.levels[h]) * parameters[shape.cell(code, z)] +
                 static_cast<long double>(shape.levels[h]) * shape.background[code % shape.class_count];
      }
      p.push_back(value);
    }
  }
  return p;
}

TEST(ItemStates, PosteriorIsThatOfTheFormula) {
  const StateSpec spec = some_spec(3, 2, {0.0, 0.3, 0.8});
  const std::vector<double> at = random_state_parameters(spec.shape, 5, Rng(Seed{1}));
  const std::vector<double> numbers = state_numbers(spec.shape, at);
  const StateTables tables(spec.shape, numbers);
  const Votes votes = some_votes();
  std::vector<double> q(tables.width());
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const std::vector<long double> p = joint(spec.shape, at, votes.of_item(i), votes.known_class(i));
    const long double total = std::accumulate(p.begin(), p.end(), 0.0L);
    EXPECT_NEAR(tables.infer(votes.of_item(i), votes.known_class(i), q), static_cast<double>(std::log(total)),
                rounding);
    for (std::size_t a = 0; a < q.size(); ++a) EXPECT_NEAR(q[a], static_cast<double>(p[a] / total), rounding);
  }
}

TEST(ItemStates, OneStateAClassWithoutLevelsIsThePlainModel) {
  const StateSpec spec = some_spec(3, 1, {0.0});
  const std::vector<double> plain = random_parameters(5, 3, Rng(Seed{2}));
  std::vector<double> at = plain;
  at.insert(at.begin() + 3, 1.0);
  const Votes votes = some_votes();
  const VoteTable table = make_vote_table(votes);
  const std::vector<double> ours = expect(state_problem(table, spec), at, 1.0, {});
  const std::vector<double> theirs = expect(confusion_problem(table, {}), plain, 1.0, {});
  EXPECT_NEAR(ours[0], theirs[0], 1e-8);
  for (std::size_t i = 0; i < 45; ++i) EXPECT_NEAR(ours[5 + i], theirs[4 + i], rounding);
}

TEST(ItemStates, ManyVotesOnAnItemAreAddedAsLogarithms) {
  const StateSpec spec = some_spec(2, 2, {0.0, 0.5});
  const std::vector<double> at = random_state_parameters(spec.shape, 400, Rng(Seed{4}));
  const std::vector<double> numbers = state_numbers(spec.shape, at);
  const StateTables tables(spec.shape, numbers);
  std::vector<double> q(tables.width());
  for (const std::uint32_t count : {30U, 64U, 65U, 400U}) {
    std::vector<std::uint32_t> codes;
    for (std::uint32_t j = 0; j < count; ++j) codes.push_back(2 * j + j % 2);
    const std::vector<long double> p = joint(spec.shape, at, codes, Votes::unknown);
    const long double total = std::accumulate(p.begin(), p.end(), 0.0L);
    EXPECT_NEAR(tables.infer(codes, Votes::unknown, q), static_cast<double>(std::log(total)), 1e-9) << count;
    for (std::size_t a = 0; a < q.size(); ++a) EXPECT_NEAR(q[a], static_cast<double>(p[a] / total), 1e-9) << count;
  }
}

TEST(ItemStates, VotesThatNothingAllowsTellNothing) {
  const StateShape shape{2, 1, {0.0}, {0.5, 0.5}};
  const std::vector<double> at = {0.5, 0.5, 1.0, 1.0, 1.0, 0.0, 0.0};  // says 0 whatever the class
  const std::vector<double> numbers = state_numbers(shape, at);
  std::vector<double> q(2);
  const std::vector<std::uint32_t> codes = {1};
  EXPECT_TRUE(std::isinf(StateTables(shape, numbers).infer(codes, Votes::unknown, q)));
  EXPECT_EQ(q, (std::vector<double>{0.5, 0.5}));
}

TEST(ItemStates, TheShareOfAVoteAboutTheItem) {
  const StateShape shape{2, 1, {0.0, 0.5}, {0.25, 0.75}};
  const std::vector<double> at = {0.5, 0.5, 0.9, 0.1, 0.8, 0.3, 0.2, 0.7};
  const std::vector<double> numbers = state_numbers(shape, at);
  const StateTables tables(shape, numbers);
  EXPECT_EQ(tables.about_item(0, 0), 1.0);
  EXPECT_NEAR(tables.about_item(0, 1), 0.4 / (0.4 + 0.125), rounding);  // state 0, level 0.5
  EXPECT_NEAR(tables.about_item(1, 3), 0.35 / (0.35 + 0.375), rounding);
}

TEST(ItemStates, TheMStepIsTheHighestOfItsObjective) {
  const Votes votes = some_votes();
  const VoteTable table = make_vote_table(votes);
  const StateSpec spec = some_spec(3, 2, {0.0, 0.4});
  const EmProblem problem = state_problem(table, spec);
  const std::vector<double> statistics = expect(problem, random_state_parameters(spec.shape, 5, Rng(Seed{5})), 1.0, {});
  const std::vector<double> best = problem.maximise(statistics, {});
  // What the M-step raises: sum of counts times log parameter, plus the log prior.
  const auto value = [&](std::span<const double> at) {
    double sum = problem.log_prior(at);
    for (std::size_t i = 0; i < at.size(); ++i) sum += statistics[1 + i] * std::log(at[i]);
    return sum;
  };
  Rng rng(Seed{6});
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> near = best;
    for (double& x : near) x *= std::exp(0.02 * rng.normal());
    problem.project(best, near);
    EXPECT_LT(value(near), value(best));
  }
}

TEST(ItemStates, TheObjectiveNeverFalls) {
  const Votes votes = some_votes();
  const VoteTable table = make_vote_table(votes);
  for (const std::vector<double>& prior : {std::vector<double>{}, std::vector<double>{0.5, 0.3, 0.2}}) {
    StateSpec spec = some_spec(3, 2, {0.0, 0.25, 0.75});
    spec.known_prior = prior;
    for (const bool accelerate : {false, true}) {
      std::vector<double> start = random_state_parameters(spec.shape, 5, Rng(Seed{7}));
      for (std::size_t z = 0; z < 6 && !prior.empty(); ++z) start[z] = 0.5 * prior[z / 2];
      const EmResult fit = run_em(state_problem(table, spec), start, {400, 1e-7, 1.0, accelerate}, {});
      EXPECT_EQ(fit.summary.stop, Stop::converged);
      const std::vector<double>& trace = fit.summary.objective;
      for (std::size_t i = 1; i < trace.size(); ++i) EXPECT_GE(trace[i], trace[i - 1] - 1e-9 * std::abs(trace[i]));
      for (std::size_t y = 0; y < 3 && !prior.empty(); ++y) {
        EXPECT_NEAR(fit.parameters[2 * y] + fit.parameters[2 * y + 1], prior[y], rounding);
      }
    }
  }
}

TEST(ItemStates, SameBitsOnAnyNumberOfThreads) {
  const Votes votes = random_votes({.items = 20'000, .judges = 9, .classes = 3}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const StateSpec spec = some_spec(3, 2, {0.0, 0.5});
  const std::vector<double> at = random_state_parameters(spec.shape, 9, Rng(Seed{2}));
  std::vector<double> one;
  for (const unsigned threads : {1U, 2U, 4U}) {
    StartedThreads started(threads);
    const std::vector<double> found = expect(state_problem(table, spec), at, 1.0, started);
    if (one.empty()) one = found;
    EXPECT_EQ(found, one);
  }
}

TEST(ItemStates, SharesOfWhatIsSaidHaveOneVoteMoreEach) {
  const Votes votes = votes_from({{0, 0, 1}, {0, 0, 0}}, 3);
  const std::vector<double> shares = said_shares(make_vote_table(votes));
  EXPECT_NEAR(shares[0], 6.0 / 9.0, rounding);
  EXPECT_NEAR(shares[1], 2.0 / 9.0, rounding);
  EXPECT_NEAR(shares[2], 1.0 / 9.0, rounding);
}

}  // namespace
}  // namespace motet::judges::item_states_test
