#include "motet/temporal/field/coupling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/temporal/field/conditional.h"
#include "temporal/field_cases.h"

namespace motet::temporal::coupling_test {
namespace {

using States = std::vector<std::uint8_t>;

double total_found(const FieldCase& drawn, double most_total) {
  TimeField field = drawn.field;
  field.strength = pseudo_likelihood_strength(drawn.starts, drawn.components, field, drawn.states, most_total);
  return total_weight(field);
}

// Labels from the field itself: each row drawn in turn given its neighbours.
States sampled(const TimeField& field, std::size_t rows, std::size_t components, Rng& rng) {
  const std::vector<double> weights = weights_of(field);
  States states(rows);
  for (auto& state : states) state = static_cast<std::uint8_t>(rng.below(components));
  for (std::size_t sweep = 0; sweep < 30; ++sweep) {
    for (std::size_t n = 0; n < rows; ++n) {
      std::vector<double> chance(components);
      for (std::size_t d = 1; d <= weights.size(); ++d) {
        if (d <= n) chance[states[n - d]] += weights[d - 1];
        if (n + d < rows) chance[states[n + d]] += weights[d - 1];
      }
      for (double& c : chance) c = std::exp(c);
      states[n] = static_cast<std::uint8_t>(rng.categorical(chance));
    }
  }
  return states;
}

TEST(Coupling, PseudoLikelihoodIsTheProductOfTheConditionals) {
  for (auto& [i, drawn, own] : random_cases(100, Seed{91})) {
    drawn.labels.clear();
    drawn.of_class.clear();
    std::fill(drawn.densities.begin(), drawn.densities.end(), 0.0);
    std::vector<double> probability(drawn.densities.size());
    conditional_responsibilities(drawn.problem(), drawn.field, drawn.states, {1}, probability);
    double expected = 0.0;
    for (std::size_t n = 0; n < drawn.rows(); ++n) {
      expected += std::log(probability[drawn.states[n] * drawn.rows() + n]);
    }
    const PseudoLikelihood likelihood(drawn.starts, drawn.components, drawn.field, drawn.states);
    EXPECT_NEAR(likelihood.at(drawn.field.strength).value, expected, 1e-9 * (1.0 - expected)) << i;
  }
}

TEST(Coupling, SlopeAndCurvatureAreDerivatives) {
  for (auto& [i, drawn, own] : random_cases(100, Seed{92})) {
    const PseudoLikelihood likelihood(drawn.starts, drawn.components, drawn.field, drawn.states);
    const double strength = own.uniform(0.01, 0.3);
    const double step = 1e-5;
    const auto below = likelihood.at(strength - step);
    const auto above = likelihood.at(strength + step);
    const auto here = likelihood.at(strength);
    const double scale = 1.0 + std::abs(here.value) + std::abs(here.curvature);
    EXPECT_NEAR(here.slope, (above.value - below.value) / (2.0 * step), 1e-6 * scale) << i;
    EXPECT_NEAR(here.curvature, (above.slope - below.slope) / (2.0 * step), 1e-4 * scale) << i;
    EXPECT_LE(here.curvature, 0.0);
  }
}

TEST(Coupling, TheStrengthFoundIsTheBest) {
  std::size_t inside = 0;
  for (auto& [i, drawn, own] : random_cases(200, Seed{93})) {
    const double most_total = 20.0;
    const double found =
        pseudo_likelihood_strength(drawn.starts, drawn.components, drawn.field, drawn.states, most_total);
    TimeField literal = drawn.field;
    literal.strength = 1.0;
    const double cap = total_weight(literal) > 0.0 ? most_total / total_weight(literal) : 0.0;
    ASSERT_GE(found, 0.0);
    ASSERT_LE(found, cap);
    const PseudoLikelihood likelihood(drawn.starts, drawn.components, drawn.field, drawn.states);
    const double best = likelihood.at(found).value;
    for (std::size_t j = 0; j <= 50; ++j) {
      const double value = likelihood.at(cap * static_cast<double>(j) / 50.0).value;
      ASSERT_LE(value, best + 1e-10 * (1.0 + std::abs(best))) << i;
    }
    inside += found > 0.0 && found < cap ? 1U : 0U;
  }
  EXPECT_GT(inside, 30U);
}

TEST(Coupling, FindsTheStrengthThatMadeTheLabels) {
  Rng rng(Seed{94});
  for (const double j : {0.5, 1.5, 3.0}) {
    FieldCase drawn;
    drawn.components = 3;
    drawn.starts = {0, 8000};
    drawn.field = with_total_weight({.radius = 3}, j);
    drawn.states = sampled(drawn.field, 8000, 3, rng);
    // The curvature at the strength that made them gives the standard error of J; five of them.
    const auto value = PseudoLikelihood(drawn.starts, 3, drawn.field, drawn.states).at(drawn.field.strength);
    const double error = 12.0 / std::sqrt(-value.curvature);
    EXPECT_NEAR(total_found(drawn, 100.0), j, 5.0 * error) << j;
  }
}

TEST(Coupling, SmoothStatesGoToTheCap) {
  FieldCase drawn;
  drawn.components = 2;
  drawn.starts = {0, 500};
  drawn.states = States(500, 1);
  for (const std::size_t h : {1U, 18U, 50U}) {
    drawn.field.radius = h;
    EXPECT_DOUBLE_EQ(total_found(drawn, 40.0), 40.0);
    EXPECT_DOUBLE_EQ(total_found(drawn, 2550.0), 2550.0);
  }
  std::fill(drawn.states.begin(), drawn.states.begin() + 200, std::uint8_t{0});  // two long runs
  EXPECT_DOUBLE_EQ(total_found(drawn, 40.0), 40.0);
}

TEST(Coupling, RowsInterleavedAtRandomWantAlmostNone) {
  Rng rng(Seed{95});
  FieldCase drawn;
  drawn.components = 2;
  drawn.starts = {0, 2000};
  for (std::size_t n = 0; n < 2000; ++n) drawn.states.push_back(static_cast<std::uint8_t>(rng.below(2)));
  for (const std::size_t h : {2U, 10U, 18U}) {
    drawn.field.radius = h;
    EXPECT_LT(total_found(drawn, 400.0), 1.5);
  }
}

TEST(Coupling, AlternatingRowsWantNone) {
  FieldCase drawn;
  drawn.components = 2;
  drawn.starts = {0, 100};
  drawn.field.radius = 1;
  for (std::size_t n = 0; n < 100; ++n) drawn.states.push_back(n % 2 == 0 ? 0 : 1);
  EXPECT_EQ(total_found(drawn, 40.0), 0.0);
}

TEST(Coupling, NothingToChooseFromGivesNone) {
  const std::vector<std::size_t> one_row{0, 1};
  const std::vector<std::size_t> rows_alone{0, 1, 2, 3};
  EXPECT_EQ(pseudo_likelihood_strength(one_row, 2, {.radius = 3}, States{1}, 40.0), 0.0);
  EXPECT_EQ(pseudo_likelihood_strength(rows_alone, 2, {.radius = 3}, States{1, 1, 1}, 40.0), 0.0);
  const std::vector<std::size_t> rows{0, 3};
  EXPECT_EQ(pseudo_likelihood_strength(rows, 1, {.radius = 3}, States{0, 0, 0}, 40.0), 0.0);
  EXPECT_EQ(pseudo_likelihood_strength(rows, 2, {.radius = 0}, States{0, 0, 0}, 40.0), 0.0);
  EXPECT_EQ(pseudo_likelihood_strength(rows, 2, {.radius = 1}, States{0, 0, 0}, 0.0), 0.0);
}

TEST(Coupling, ManyComponentsCountEvenWhenNoneIsThere) {
  // Rows all alike: l(s) = sum_n -log(1 + (K - 1) e^(-s S)).
  const std::vector<std::size_t> starts{0, 3};
  const PseudoLikelihood likelihood(starts, 200, {.radius = 1}, States{7, 7, 7});
  const double expected = -2.0 * std::log1p(199.0 * std::exp(-0.3)) - std::log1p(199.0 * std::exp(-0.6));
  EXPECT_NEAR(likelihood.at(0.3).value, expected, 1e-12);
}

}  // namespace
}  // namespace motet::temporal::coupling_test
