#include "motet/superset/lsb_cmm/m_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/superset/lsb_cmm/stick.h"
#include "superset/lsb_cases.h"
#include "support/threads.h"

namespace motet::superset::m_step_test {
namespace {

constexpr std::size_t components = 6;

struct Given {
  CandidateItems items = blobs_with_candidates(150, 2);
  LsbRows rows = rows_of_items(items);
  LsbParameters start = some_parameters(components, items.classes.size(), rows.dimensions, 0.2);
  Expected expected = e_step_at(rows, start, 0.05);
  LsbPrior prior;
  StickCurvature curvature{rows, prior, {1}};

  // sum_nk rho_nk log phi_nk, each row for `scale` items, and the prior of w.
  double objective(const LsbParameters& parameters, double scale = 1.0) const {
    const std::size_t width = parameters.width();
    double sum = 0.0;
    for (std::size_t n = 0; n < rows.count(); ++n) {
      std::vector<double> u(components - 1), log_phi(components);
      for (std::size_t k = 0; k + 1 < components; ++k) {
        u[k] = parameters.bias()[k];
        for (std::size_t d = 0; d < rows.dimensions; ++d) {
          u[k] += parameters.w[d * width + k] * rows.x[n * rows.dimensions + d];
        }
      }
      log_stick(u, log_phi);
      for (std::size_t k = 0; k < components; ++k) sum += scale * expected.rho[n * width + k] * log_phi[k];
    }
    for (std::size_t i = 0; i < parameters.w.size(); ++i) {
      const bool is_bias = i / width == rows.dimensions;
      sum -= parameters.w[i] * parameters.w[i] / (2.0 * (is_bias ? prior.bias_variance : prior.weight_variance));
    }
    return sum;
  }

  MStepOutcome step(LsbParameters& parameters, const MStepRule& rule, double scale = 1.0, Threads threads = {1}) {
    std::vector<float> kept = expected.slope;
    return m_step(rows, parameters, expected.sums, {expected.rho, kept}, curvature, rule, scale, threads);
  }
};

constexpr MStepRule to_the_end{60, 30, 1e-6, 0.0, 1e-9};

TEST(MStep, GainsWhatItSaysAndChangesNothingButTheSticks) {
  Given given;
  for (const double small_gain : {0.0, 1e-3, 1e9}) {  // no stick takes the step of the bound, some, all
    LsbParameters parameters = given.start;
    MStepRule rule;
    rule.small_gain = small_gain;
    const MStepOutcome outcome = given.step(parameters, rule);
    const double before = given.objective(given.start);
    EXPECT_GT(outcome.gain, 0.01 * std::abs(before)) << small_gain;
    EXPECT_NEAR(given.objective(parameters) - before, outcome.gain, 1e-9 * std::abs(before)) << small_gain;
    EXPECT_EQ(parameters.a, given.start.a);
    for (std::size_t i = 0; i < parameters.w.size(); ++i) {
      if (i % parameters.width() >= parameters.sticks()) {
        EXPECT_EQ(parameters.w[i], 0.0);
      }
    }
  }
}

// Each stick's regression is concave: where no weight has a slope it has its maximum.
TEST(MStep, ManyStepsEndAtTheMaximum) {
  Given given;
  LsbParameters parameters = given.start;
  given.step(parameters, to_the_end);
  constexpr double h = 1e-4;
  for (std::size_t i = 0; i < parameters.w.size(); ++i) {
    if (i % parameters.width() >= parameters.sticks()) continue;
    LsbParameters up = parameters, down = parameters;
    up.w[i] += h;
    down.w[i] -= h;
    EXPECT_NEAR((given.objective(up) - given.objective(down)) / (2.0 * h), 0.0, 1e-4) << i;
  }
}

TEST(MStep, ARowThatStandsForThreeItemsCountsLikeThree) {
  Given given;
  LsbParameters parameters = given.start;
  const MStepOutcome outcome = given.step(parameters, to_the_end, 3.0);
  EXPECT_NEAR(given.objective(parameters, 3.0) - given.objective(given.start, 3.0), outcome.gain, 1e-6);
  std::vector<std::uint32_t> thrice;
  for (std::uint32_t n = 0; n < 3 * 150; ++n) thrice.push_back(n % 150);
  const CandidateItems all = rows_of(given.items, thrice);
  const LsbRows rows = rows_of_items(all);
  Expected expected = e_step_at(rows, given.start, 0.05);
  LsbParameters wanted = given.start;
  m_step(rows, wanted, expected.sums, {expected.rho, expected.slope}, StickCurvature(rows, given.prior, {1}),
         to_the_end, 1.0, {1});
  for (std::size_t i = 0; i < wanted.w.size(); ++i) EXPECT_NEAR(parameters.w[i], wanted.w[i], 1e-5) << i;
}

TEST(MStep, SticksThatNoItemReachesStay) {
  Given given;
  MStepRule rule;
  rule.flat = 1e9;  // nothing is steep enough
  LsbParameters parameters = given.start;
  const MStepOutcome outcome = given.step(parameters, rule);
  EXPECT_EQ(parameters.w, given.start.w);
  EXPECT_EQ(outcome.passes, 0U);
  EXPECT_EQ(outcome.gain, 0.0);
}

TEST(MStep, HasTheSameBitsOnAnyNumberOfThreads) {
  Given given;
  LsbParameters one = given.start;
  given.step(one, {});
  for (const unsigned count : {2U, 4U}) {
    StartedThreads started(count);
    LsbParameters other = given.start;
    given.step(other, {}, 1.0, started);
    EXPECT_EQ(other.w, one.w) << count;
  }
}

TEST(MStep, TheLogPriorIsThatOfNormalWeights) {
  LsbParameters parameters{2, 2, 1, {3.0, 0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0}, {}};
  EXPECT_DOUBLE_EQ(log_prior(parameters, {0.05, 2.0, 50.0}), -9.0 / 4.0 - 100.0 / 100.0);
}

}  // namespace
}  // namespace motet::superset::m_step_test
