#include "motet/judges/states/state_information.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judges/states/state_cases.h"
#include "motet/data/eigen.h"
#include "motet/judges/confusion/information.h"
#include "motet/judges/simulate.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::judges::state_information_test {
namespace {

StateFit fitted(const VoteTable& table, const StateSpec& spec) {
  StateFit fit;
  fit.spec = spec;
  std::vector<double> start = random_state_parameters(spec.shape, table.judge_count, Rng(Seed{2}));
  const std::size_t k = spec.shape.class_count;
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    for (std::size_t z = 0; z < spec.shape.state_count(); ++z) {
      for (std::size_t c = 0; c < k; ++c) start[spec.shape.cell(j * k + c, z)] = spec.rows[z * k + c];
    }
  }
  fit.result = run_em(state_problem(table, spec), start, {20'000, 1e-12, 1.0, true}, {});
  return fit;
}

TEST(StateInformation, OfOneStateAClassIsThatOfPlainTables) {
  const Votes votes = random_votes({.items = 400, .judges = 4, .classes = 2}, Seed{4});
  const VoteTable table = make_vote_table(votes);
  StateSpec spec = some_spec(2, 1, {0.0});
  spec.right_strength = spec.wrong_strength = 1e-9;
  const StateFit fit = fitted(table, spec);
  ConfusionSpec plain;
  plain.prior.class_mass = {1.0, 1.0};
  std::vector<double> parameters = fit.result.parameters;
  parameters.erase(parameters.begin() + 2);
  const Uncertainty theirs = uncertainty(table, plain, parameters, InformationKind::observed, {});
  const StateUncertainty ours = state_uncertainty(table, fit, {});
  EXPECT_FALSE(ours.judges_apart);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(ours.accuracy_votes[j] / theirs.accuracy_votes[j], 1.0, 1e-6);
  for (std::size_t y = 0; y < 2; ++y) EXPECT_NEAR(ours.prior_votes[y] / theirs.prior_votes[y], 1.0, 1e-6);
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t y = 0; y < 2; ++y) {
      EXPECT_NEAR(ours.right_votes[j * 2 + y] / theirs.confusion_votes[(j * 2 + y) * 2 + y], 1.0, 1e-6);
    }
  }
}

// Two classes and levels: all free numbers are coordinates, so the Hessian of the objective tells the same.
TEST(StateInformation, WithLevelsIsTheHessianOfTheObjective) {
  const Votes votes = random_votes({.items = 600, .judges = 4, .classes = 2, .accuracy = 0.6}, Seed{6});
  const VoteTable table = make_vote_table(votes);
  const StateSpec spec = some_spec(2, 1, {0.0, 0.6});
  const StateFit fit = fitted(table, spec);
  const EmProblem problem = state_problem(table, spec);
  const std::vector<double>& best = fit.result.parameters;
  // Logits: of a right vote by judge and class, of the second class, of the second level.
  const auto moved = [&](const Eigen::VectorXd& by) {
    std::vector<double> at = best;
    const auto shift = [](double p, double logit) { return 1.0 / (1.0 + (1.0 - p) / p * std::exp(-logit)); };
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t y = 0; y < 2; ++y) {
        double& right = at[spec.shape.cell(2 * j + y, y)];
        right = shift(right, by(static_cast<Eigen::Index>(2 * j + y)));
        at[spec.shape.cell(2 * j + 1 - y, y)] = 1.0 - right;
      }
    }
    at[1] = shift(at[1], by(8));
    at[0] = 1.0 - at[1];
    at[3] = shift(at[3], by(9));
    at[2] = 1.0 - at[3];
    return at;
  };
  const auto objective = [&](const Eigen::VectorXd& by) {
    const std::vector<double> at = moved(by);
    return expect(problem, at, 1.0, {})[0] + problem.log_prior(at);
  };
  const auto accuracy = [&](const Eigen::VectorXd& by, std::size_t j) {
    return accuracy_of(class_tables(spec.shape, moved(by), 4), 2, j);
  };
  const double step = 1e-3;
  Eigen::MatrixXd hessian(10, 10);
  const auto unit = [step](Eigen::Index a) { return Eigen::VectorXd(step * Eigen::VectorXd::Unit(10, a)); };
  for (Eigen::Index a = 0; a < 10; ++a) {
    for (Eigen::Index b = 0; b < 10; ++b) {
      hessian(a, b) = (objective(unit(a) + unit(b)) - objective(unit(a) - unit(b)) - objective(unit(b) - unit(a)) +
                       objective(-unit(a) - unit(b))) /
                      (4.0 * step * step);
    }
  }
  const Eigen::MatrixXd covariance = (-hessian).inverse();
  const StateUncertainty found = state_uncertainty(table, fit, {});
  for (std::size_t j = 0; j < 4; ++j) {
    Eigen::VectorXd gradient(10);
    for (Eigen::Index a = 0; a < 10; ++a) gradient(a) = (accuracy(unit(a), j) - accuracy(-unit(a), j)) / (2.0 * step);
    const double here = accuracy(Eigen::VectorXd::Zero(10), j);
    const double votes_behind = here * (1.0 - here) / (gradient.transpose() * covariance * gradient)(0);
    EXPECT_NEAR(found.accuracy_votes[j] / votes_behind, 1.0, 1e-3) << j;
  }
}

TEST(StateInformation, TablesByClassAreMeansOverStatesAndLevels) {
  const StateShape shape{2, 2, {0.0, 0.5}, {0.3, 0.7}};
  // Shares of the four states, of the two levels, then what one judge says: 0 and 1 in every state.
  const std::vector<double> at = {0.3, 0.1, 0.2, 0.4, 0.8, 0.2, 0.9, 0.5, 0.2, 0.4, 0.1, 0.5, 0.8, 0.6};
  const std::vector<double> found = class_tables(shape, at, 1);
  EXPECT_NEAR(found[0], 0.4, 1e-12);
  const double about = 0.8 + 0.2 * 0.5;
  EXPECT_NEAR(found[2], about * (0.75 * 0.9 + 0.25 * 0.5) + (1.0 - about) * 0.3, 1e-12);
  EXPECT_NEAR(found[2] + found[4], 1.0, 1e-12);  // what is said of class 0
  EXPECT_NEAR(found[3] + found[5], 1.0, 1e-12);
}

TEST(StateInformation, TooManyNumbersAreTakenJudgeByJudge) {
  SimulateOptions options;
  options.items = 300;
  options.judges = 900;
  options.answered = 0.01;
  const Votes votes = simulate_votes(options, Seed{3}).votes;
  const VoteTable table = make_vote_table(votes);
  const StateFit fit = learn_states(table, {1, {0.0}}, {}, {});
  std::vector<double> one;
  for (const unsigned threads : {1U, 2U, 4U}) {
    StartedThreads started(threads);
    RunContext run;
    run.threads = started;
    const StateUncertainty found = state_uncertainty(table, fit, run);
    EXPECT_TRUE(found.judges_apart);
    ASSERT_EQ(found.accuracy_votes.size(), 900U);
    if (one.empty()) one = found.accuracy_votes;
    EXPECT_EQ(found.accuracy_votes, one);
    for (const double n : found.accuracy_votes) EXPECT_GT(n, 0.0);
  }
}

TEST(StateInformation, StopsWhenCancelled) {
  const Votes votes = random_votes({}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const StateFit fit = learn_states(table, {1, {0.0}}, {}, {});
  EXPECT_EQ(error_of([&] { state_uncertainty(table, fit, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while computing the intervals");
}

}  // namespace
}  // namespace motet::judges::state_information_test
