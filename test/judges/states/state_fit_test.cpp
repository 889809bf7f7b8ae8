#include "motet/judges/states/state_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "judges/states/state_cases.h"
#include "motet/judges/simulate.h"
#include "support/cancelled.h"

namespace motet::judges::state_fit_test {
namespace {

StateFit fitted(const Votes& votes, const StateOptions& options, const std::vector<double>& prior = {}) {
  const VoteTable table = make_vote_table(votes);
  return finish_states(table, learn_states(table, options, prior, {}), {}, {});
}

// Counts of judges whose rows scatter around a centre as with so many pseudo votes.
std::vector<double> scattered_counts(const StateShape& shape, double spread) {
  std::vector<double> statistics(1 + shape.cell(40 * 3, 0), 0.0);
  for (std::size_t j = 0; j < 40; ++j) {
    const double right = 0.7 + spread * (static_cast<double>(j) / 39.0 - 0.5);
    for (std::size_t z = 0; z < 3; ++z) {
      for (std::size_t c = 0; c < 3; ++c) {
        statistics[1 + shape.cell(j * 3 + c, z)] = 200.0 * (c == z ? right : 0.5 * (1.0 - right));
      }
    }
  }
  return statistics;
}

TEST(StateFit, JudgesWhoDifferAreHeldLess) {
  const StateShape shape{3, 1, {0.0}, {0.3, 0.3, 0.4}};
  StateSpec spec = some_spec(3, 1, {0.0});
  for (std::size_t z = 0; z < 3; ++z) {
    for (std::size_t c = 0; c < 3; ++c) spec.rows[z * 3 + c] = c == z ? 0.7 : 0.15;
  }
  const StateSpec alike = with_likeliest_strengths(spec, scattered_counts(shape, 0.02));
  const StateSpec unlike = with_likeliest_strengths(spec, scattered_counts(shape, 0.55));
  EXPECT_EQ(alike.right_strength, 128.0);
  // Accuracies even over 0.425 to 0.975 have variance 0.55^2 / 12, that of a beta with 0.7 * 0.3 / variance - 1
  // votes: 7.3.
  EXPECT_EQ(unlike.right_strength, 8.0);
  EXPECT_EQ(unlike.wrong_strength, 128.0);  // what they say when wrong is the same
}

TEST(StateFit, FindsThePlantedAccuracies) {
  SimulateOptions options;
  options.items = 3000;
  options.judges = 7;
  options.classes = 3;
  const SimulatedVotes data = simulate_votes(options, Seed{4});
  const StateFit fit = fitted(data.votes, {1, usual_levels()});
  EXPECT_EQ(fit.result.summary.stop, Stop::converged);
  for (std::size_t j = 0; j < 7; ++j) {
    double accuracy = 0.0;
    for (std::size_t y = 0; y < 3; ++y) accuracy += fit.result.parameters[fit.spec.shape.cell(j * 3 + y, y)] / 3.0;
    // An accuracy from 3000 votes has an error below .01; that classes are hidden adds as much again.
    EXPECT_NEAR(accuracy, data.accuracy[j], 0.05) << j;
  }
  EXPECT_GT(fit.result.parameters[3], 0.85);  // independent judges: hardly any item is hard
}

TEST(StateFit, SubtypesExplainVotesThatComeTogether) {
  const TwoKinds data = two_kinds(600, Seed{2});
  const double one = fitted(data.votes, {1, {0.0}}).log_likelihood();
  const double three = fitted(data.votes, {3, {0.0}}).log_likelihood();
  // Four of eight judges go with the kind of the item: one bit an item that tables by class cannot tell.
  EXPECT_GT(three, one + 0.5 * std::log(2.0) * 600.0);
}

TEST(StateFit, KnownClassesAndAKnownPriorAreKept) {
  const Votes votes = random_votes({.items = 200, .judges = 4, .classes = 2, .gold = 0.5}, Seed{5});
  const StateFit fit = fitted(votes, {2, usual_levels()}, {0.3, 0.7});
  EXPECT_NEAR(fit.result.parameters[0] + fit.result.parameters[1], 0.3, 1e-12);
}

TEST(StateFit, RenamingTheClassesRenamesTheFit) {
  const Votes votes = random_votes({.items = 150, .judges = 5, .classes = 2}, Seed{8});
  Votes swapped = votes;
  for (std::uint32_t& code : swapped.codes) code ^= 1U;
  const StateFit a = fitted(votes, {1, usual_levels()});
  const StateFit b = fitted(swapped, {1, usual_levels()});
  EXPECT_NEAR(a.log_likelihood(), b.log_likelihood(), 1e-6);
  EXPECT_NEAR(a.result.parameters[0], b.result.parameters[1], 1e-6);
}

TEST(StateFit, StopsWhenCancelled) {
  const Votes votes = random_votes({}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const StateFit fit = learn_states(table, {1, usual_levels()}, {}, cancelled_run());
  EXPECT_EQ(fit.result.summary.stop, Stop::interrupted);
  EXPECT_EQ(finish_states(table, fit, {}, {}).result.summary.stop, Stop::interrupted);
}

}  // namespace
}  // namespace motet::judges::state_fit_test
