#include "motet/judges/confusion/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/judges/confusion/information.h"
#include "motet/judges/simulate.h"
#include "support/cancelled.h"

namespace motet::judges::fit_test {
namespace {

constexpr double same_optimum = 1e-5;  // fits that stop at steps of 1e-8 from different sides

SimulatedVotes simulated(std::string accuracy, std::string prior) {
  SimulateOptions options;
  options.items = 1000;
  options.judges = 4;
  options.accuracy = std::move(accuracy);
  options.prior = std::move(prior);
  return simulate_votes(options, Seed{3});
}

// Continues from `parameters`, as after an interruption.
ConfusionFit fit_from(const VoteTable& table, const ConfusionSpec& spec, std::vector<double> parameters) {
  const Checkpoint kept{"fit", 0, std::move(parameters), {}, false};
  RunContext run;
  run.resume = [&](std::string_view) { return &kept; };
  return fit_confusion(table, spec, 4, {}, run, "fit");
}

// The same reading of the votes with the two true classes exchanged.
std::vector<double> swapped(std::vector<double> parameters) {
  for (std::size_t i = 0; i < parameters.size(); i += 2) std::swap(parameters[i], parameters[i + 1]);
  return parameters;
}

TEST(FitConfusion, SwappedClassesArePutBack) {
  const SimulatedVotes data = simulated("0.8", "a=0.6,b=0.4");
  const VoteTable table = make_vote_table(data.votes);
  for (const std::vector<double>& known_prior : {std::vector<double>{}, std::vector<double>{0.6, 0.4}}) {
    const ConfusionSpec spec{JudgeNoise::confusion, known_prior, {}};
    const ConfusionFit straight = fit_confusion(table, spec, 4, {}, {});
    EXPECT_FALSE(straight.relabelled);
    std::vector<double> start = swapped(straight.result.parameters);
    std::copy(known_prior.begin(), known_prior.end(), start.begin());
    const ConfusionFit turned = fit_from(table, spec, start);
    EXPECT_TRUE(turned.relabelled);
    for (std::size_t i = 0; i < straight.result.parameters.size(); ++i) {
      EXPECT_NEAR(turned.result.parameters[i], straight.result.parameters[i], same_optimum);
    }
  }
}

TEST(FitConfusion, WithAKnownPriorJudgesMayTrulyBeContrary) {
  const SimulatedVotes data = simulated("0.2", "a=0.8,b=0.2");
  const VoteTable table = make_vote_table(data.votes);
  const ConfusionSpec spec{JudgeNoise::confusion, {0.8, 0.2}, {}};
  const ConfusionFit fit = fit_from(table, spec, equal_accuracy_start(table, spec, 0.2));
  EXPECT_FALSE(fit.relabelled);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_LT(accuracy_of(fit.result.parameters, 2, j), 0.3);
}

TEST(FitConfusion, StartsAreNamedInTheirOrder) {
  const SimulatedVotes data = simulated("0.8", "uniform");
  const VoteTable table = make_vote_table(data.votes);
  using Names = std::vector<std::string>;
  EXPECT_EQ(fit_confusion(table, {}, 5, {}, {}).starts,
            (Names{"vote shares", "equal accuracies", "annealed", "random 1", "random 2"}));
  ConfusionSpec symmetric;
  symmetric.noise = JudgeNoise::symmetric;
  EXPECT_EQ(fit_confusion(table, symmetric, 2, {}, {}).starts, (Names{"equal accuracies", "vote shares"}));
  EXPECT_LT(fit_confusion(table, {}, 5, {}, {}).winner, 5U);
}

TEST(FitConfusion, MoreStartsAreNeverWorse) {
  const SimulatedVotes data = simulated("0.55..0.7", "uniform");
  const VoteTable table = make_vote_table(data.votes);
  const double one = fit_confusion(table, {}, 1, {}, {}).result.objective();
  const double many = fit_confusion(table, {}, 8, {}, {}).result.objective();
  EXPECT_GE(many, one - 1e-6);  // two fits of the same optimum differ by their last steps
}

TEST(FitConfusion, AnInterruptionIsTold) {
  const SimulatedVotes data = simulated("0.8", "uniform");
  const VoteTable table = make_vote_table(data.votes);
  EXPECT_EQ(fit_confusion(table, {}, 4, {}, cancelled_run()).result.summary.stop, Stop::interrupted);
}

}  // namespace
}  // namespace motet::judges::fit_test
