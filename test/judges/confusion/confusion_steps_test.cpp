// The M-step, the log prior and the projection of confusion_em.h.
#include <gtest/gtest.h>

#include <ostream>

#include <cmath>
#include <numeric>

#include "judges/vote_cases.h"
#include "motet/judges/confusion/confusion_em.h"

namespace motet::judges::confusion_steps_test {
namespace {

constexpr std::size_t judges = 4;
constexpr std::size_t k = 3;

struct StepCase {
  std::string name;
  ConfusionSpec spec;
};

void PrintTo(const StepCase& item, std::ostream* out) { *out << item.name; }

std::vector<StepCase> step_cases() {
  std::vector<StepCase> cases(6);
  cases[0].name = "plain";
  cases[1] = {"smoothed",
              {JudgeNoise::confusion, {}, {{3.0, 1.0, 0.5, 1.0, 4.0, 1.0, 0.2, 0.3, 2.0}, {1.0, 2.0, 0.5}}}};
  cases[2] = {"discounted", cases[1].spec};
  cases[2].spec.vote_weight = 0.4;
  cases[3] = {"known_prior", {JudgeNoise::confusion, {0.5, 0.3, 0.2}, {}}};
  cases[4] = {"symmetric", {JudgeNoise::symmetric, {}, {}}};
  cases[5] = {"symmetric_smoothed", {JudgeNoise::symmetric, {}, {std::vector<double>(9, 1.5), {1.0, 1.0, 1.0}}, 0.7}};
  return cases;
}

class ConfusionSteps : public testing::TestWithParam<StepCase> {
 protected:
  const ConfusionSpec& spec() const { return GetParam().spec; }
  bool symmetric() const { return spec().noise == JudgeNoise::symmetric; }

  std::vector<double> parameters(std::uint64_t seed) const {
    std::vector<double> drawn = random_parameters(judges, k, Rng(Seed{seed}), symmetric());
    std::copy(spec().known_prior.begin(), spec().known_prior.end(), drawn.begin());
    return drawn;
  }

  // What the M-step maximises: E log p(votes, classes) + log prior.
  double expected_objective(std::span<const double> statistics, std::span<const double> at) const {
    double sum = problem.log_prior(at);
    for (std::size_t i = 0; i < at.size(); ++i) {
      sum += (i < k ? 1.0 : spec().vote_weight) * statistics[1 + i] * std::log(at[i]);
    }
    return sum;
  }

  double objective(std::span<const double> at) const {
    return expect(problem, at, 1.0, Threads{1})[0] + problem.log_prior(at);
  }

  static void expect_rows_sum_to_one(std::span<const double> at) {
    constexpr double rounding = 1e-14;
    EXPECT_NEAR(std::accumulate(at.begin(), at.begin() + k, 0.0), 1.0, rounding);
    for (std::size_t j = 0; j < judges; ++j) {
      for (std::size_t y = 0; y < k; ++y) {
        double total = 0.0;
        for (std::size_t c = 0; c < k; ++c) total += at[k + (j * k + c) * k + y];
        EXPECT_NEAR(total, 1.0, rounding);
      }
    }
  }

  const Votes votes = random_votes({.items = 200, .judges = judges, .classes = k, .gold = 0.1}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const EmProblem problem = confusion_problem(table, spec());
};

TEST_P(ConfusionSteps, MaximiseFindsTheMaximum) {
  const std::vector<double> start = parameters(1);
  const std::vector<double> statistics = expect(problem, start, 1.0, Threads{1});
  const std::vector<double> best = problem.maximise(statistics, start);
  expect_rows_sum_to_one(best);
  const double top = expected_objective(statistics, best);
  EXPECT_GT(top, expected_objective(statistics, start));
  for (std::uint64_t seed = 2; seed < 60; ++seed) {
    // A step from the maximum towards any point that is allowed goes down, a short one too.
    for (const double step : {1e-3, 0.1}) {
      const std::vector<double> aim = parameters(seed);
      std::vector<double> near(best);
      for (std::size_t i = 0; i < near.size(); ++i) near[i] += step * (aim[i] - best[i]);
      EXPECT_LT(expected_objective(statistics, near), top);
    }
  }
}

TEST_P(ConfusionSteps, SlopeOfTheObjectiveIsThatOfTheExpectedOne) {
  // Fisher's identity: at the point of the E-step both have the same gradient.
  constexpr double step = 1e-5;
  constexpr double tolerance = 1e-5;  // relative; central differences: step^2 and 1e-16 * 1000 / step
  const std::vector<double> at = parameters(1);
  const std::vector<double> statistics = expect(problem, at, 1.0, Threads{1});
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::vector<double> up(at);
    std::vector<double> down(at);
    up[i] += step;
    down[i] -= step;
    const double found = (objective(up) - objective(down)) / (2.0 * step);
    const double expected = (expected_objective(statistics, up) - expected_objective(statistics, down)) / (2.0 * step);
    EXPECT_NEAR(found, expected, tolerance * (1.0 + std::abs(expected))) << i;
  }
}

TEST_P(ConfusionSteps, SlopeOfTheLogPriorIsPseudoVotesByProbability) {
  constexpr double step = 1e-6;
  constexpr double tolerance = 1e-6;
  const std::vector<double> at = parameters(3);
  const auto pseudo = [](const std::vector<double>& given, std::size_t i) { return given.empty() ? 0.0 : given[i]; };
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::vector<double> up(at);
    std::vector<double> down(at);
    up[i] += step;
    down[i] -= step;
    const double found = (problem.log_prior(up) - problem.log_prior(down)) / (2.0 * step);
    double expected = 0.0;
    if (i < k) {
      expected = spec().known_prior.empty() ? pseudo(spec().prior.class_mass, i) / at[i] : 0.0;
    } else if (!symmetric()) {
      expected = pseudo(spec().prior.cells, (i - k) % k * k + (i - k) / k % k) / at[i];
    } else if ((i - k) % (k * k) == 0) {  // the accuracy of the judge
      expected = pseudo(spec().prior.cells, 0) * (1.0 / at[i] - 1.0 / (1.0 - at[i]));
    }
    EXPECT_NEAR(found, expected, tolerance * (1.0 + std::abs(expected))) << i;
  }
}

TEST_P(ConfusionSteps, TemperedObjectiveNeverFalls) {
  for (const double inverse_temperature : {0.2, 0.5, 0.9, 1.5}) {
    const EmRule rule{60, 1e-10, inverse_temperature, false};
    const FitSummary summary = run_em(problem, parameters(1), rule, {}).summary;
    EXPECT_NE(summary.stop, Stop::objective_fell);
    EXPECT_GT(summary.iterations(), 5U);
    for (std::size_t i = 1; i < summary.iterations(); ++i) {
      EXPECT_GE(summary.objective[i], summary.objective[i - 1] - 1e-9);  // rounding of a sum of about -1,000
    }
  }
}

TEST_P(ConfusionSteps, ProjectMakesAnyExtrapolationFeasible) {
  const std::vector<double> em_point = parameters(1);
  for (std::uint64_t seed = 2; seed < 30; ++seed) {
    const std::vector<double> origin = parameters(seed);
    std::vector<double> candidate(em_point);  // far beyond, well outside [0, 1]
    for (std::size_t i = 0; i < candidate.size(); ++i) candidate[i] += 20.0 * (em_point[i] - origin[i]);
    problem.project(em_point, candidate);
    expect_rows_sum_to_one(candidate);
    for (const double p : candidate) {
      EXPECT_GT(p, 0.0);
      EXPECT_LE(p, 1.0);
    }
    for (std::size_t y = 0; y < spec().known_prior.size(); ++y) EXPECT_EQ(candidate[y], spec().known_prior[y]);
    for (std::size_t j = 0; j < judges && symmetric(); ++j) {
      for (std::size_t cell = 0; cell < k * k; ++cell) {
        EXPECT_EQ(candidate[k + j * k * k + cell], candidate[k + j * k * k + (cell / k == cell % k ? 0 : 1)]);
      }
    }
  }
}

TEST_P(ConfusionSteps, StartsAreFeasible) {
  for (const auto& start : {vote_share_start(table, spec()), equal_accuracy_start(table, spec(), 0.7)}) {
    expect_rows_sum_to_one(start);
    EXPECT_TRUE(std::isfinite(objective(start)));
    for (std::size_t y = 0; y < spec().known_prior.size(); ++y) EXPECT_EQ(start[y], spec().known_prior[y]);
  }
  EXPECT_EQ(equal_accuracy_start(table, spec(), 0.7)[k], 0.7);
}

INSTANTIATE_TEST_SUITE_P(Cases, ConfusionSteps, testing::ValuesIn(step_cases()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace motet::judges::confusion_steps_test
