#include "motet/temporal/field/icm.h"

#include <gtest/gtest.h>

#include "motet/temporal/field/conditional.h"
#include "support/errors.h"
#include "support/expect_error.h"
#include "temporal/field_cases.h"

namespace motet::temporal::icm_test {
namespace {

using States = std::vector<std::uint8_t>;

// -U(Z) + log p(X | Z).
double joint(const FieldCase& drawn, const States& states) {
  double sum = -energy(drawn.starts, drawn.field, states);
  for (std::size_t n = 0; n < states.size(); ++n) sum += drawn.densities[states[n] * drawn.rows() + n];
  return sum;
}

TEST(Icm, SlidingSumsGiveTheLabelsOfTheDefinition) {
  std::size_t moved = 0;
  for (auto& [i, drawn, own] : random_cases(10'000, Seed{51})) {
    const std::size_t most_sweeps = own.below(8) == 0 ? own.below(4) : 50;
    States fast = drawn.states;
    States slow = drawn.states;
    const std::size_t sweeps = icm(drawn.problem(), drawn.field, fast, most_sweeps);
    ASSERT_EQ(sweeps, icm_by_definition(drawn.problem(), drawn.field, slow, most_sweeps)) << i;
    ASSERT_EQ(fast, slow) << i;
    moved += fast != drawn.states ? 1U : 0U;
  }
  EXPECT_GT(moved, 7000U);  // one in five has a single component
}

TEST(Icm, SlidingSumsGiveTheLabelsOfTheDefinitionInAnImage) {
  const Rng rng(Seed{52});
  for (std::size_t i = 0; i < 300; ++i) {
    Rng own = rng.child(i);
    FieldCase drawn = random_case({.most_radius = 4, .most_sequences = 1}, own);
    drawn.field.border = Border::weights;
    drawn.field.image_width = 1;
    for (const std::size_t width : {2U, 3U, 5U, 7U}) {
      if (drawn.rows() % width == 0) drawn.field.image_width = width;
    }
    States fast = drawn.states;
    States slow = drawn.states;
    ASSERT_EQ(icm(drawn.problem(), drawn.field, fast), icm_by_definition(drawn.problem(), drawn.field, slow)) << i;
    ASSERT_EQ(fast, slow) << i;
  }
}

TEST(Icm, NeverLowersTheJointProbability) {
  for (auto& [i, drawn, own] : random_cases(300, Seed{53})) {
    drawn.labels.clear();
    drawn.of_class.clear();
    double before = joint(drawn, drawn.states);
    while (icm(drawn.problem(), drawn.field, drawn.states, 1) > 0) {
      const double now = joint(drawn, drawn.states);
      ASSERT_GE(now, before - 1e-9) << i;
      if (now <= before) break;
      before = now;
    }
  }
}

TEST(Icm, KeepsThePresentStateInATieAndElseTakesTheSmallest) {
  const std::vector<std::size_t> starts{0, 4};
  const std::vector<double> equal(4 * 4, -1.0);
  States states{3, 1, 0, 2};
  EXPECT_EQ(icm({starts, equal, 4, {}, {}}, {}, states), 1U);
  EXPECT_EQ(states, (States{3, 1, 0, 2}));
  std::vector<double> densities(4 * 4, -1.0);
  for (std::size_t n = 0; n < 4; ++n) densities[0 * 4 + n] = -5.0;  // the others are equal
  states = {0, 1, 0, 3};
  EXPECT_EQ(icm({starts, densities, 4, {}, {}}, {}, states), 2U);
  EXPECT_EQ(states, (States{1, 1, 1, 3}));
}

TEST(Icm, RowsAlreadyVisitedCountWithTheirNewState) {
  // Row 1 turns to 1 by its density; only then do two neighbours of row 2 outweigh its own.
  const std::vector<std::size_t> starts{0, 3};
  const std::vector<double> densities{0, 0, 1.5, 9, 9, 0};
  States states{0, 0, 0};
  const FieldProblem problem{starts, densities, 2, {}, {}};
  EXPECT_EQ(icm(problem, {.radius = 1, .strength = 2.0}, states, 1), 1U);
  EXPECT_EQ(states, (States{1, 1, 1}));
}

TEST(Icm, LabelledRowsKeepToTheComponentsOfTheirClass) {
  const std::vector<std::size_t> starts{0, 3};
  const std::vector<double> densities{0, 0, 0, -9, -9, -9, -8, -8, -8};
  const std::vector<std::int32_t> labels{-1, 1, 0};
  const std::vector<std::int32_t> of_class{0, 1, 1};
  States states{0, 0, 2};
  icm({starts, densities, 3, labels, of_class}, {.radius = 1}, states);
  EXPECT_EQ(states, (States{0, 2, 0}));
}

TEST(Icm, ALabelNeedsAComponent) {
  const std::vector<std::size_t> starts{0, 2};
  const std::vector<double> densities(4);
  const std::vector<std::int32_t> labels{-1, 3};
  const std::vector<std::int32_t> of_class{0, 1};
  States states{0, 0};
  EXPECT_EQ(error_of(
                [&] {
                  icm({starts, densities, 2, labels, of_class}, {}, states);
                },
                ErrorKind::usage),
            "row 2: label = 3 is a class without a component; give it one first");
}

TEST(Icm, SmoothsIsolatedRowsAway) {
  const std::vector<std::size_t> starts{0, 200};
  FieldCase drawn;
  Rng rng(Seed{54});
  States truth(200);
  for (std::size_t n = 0; n < 200; ++n) truth[n] = n >= 120 ? 1 : 0;
  std::vector<double> densities(400);
  States states(200);
  std::size_t wrong_before = 0;
  for (std::size_t n = 0; n < 200; ++n) {
    const double x = (truth[n] == 1 ? 1.0 : -1.0) + rng.normal();
    densities[n] = -0.5 * (x + 1.0) * (x + 1.0);
    densities[200 + n] = -0.5 * (x - 1.0) * (x - 1.0);
    states[n] = x > 0.0 ? 1 : 0;
    wrong_before += states[n] != truth[n] ? 1U : 0U;
  }
  icm({starts, densities, 2, {}, {}}, {.radius = 4}, states);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < 200; ++n) wrong += states[n] != truth[n] ? 1U : 0U;
  EXPECT_GT(wrong_before, 20U);
  EXPECT_LE(wrong, 3U);
}

TEST(Icm, TakesAsManyComponentsAsAStateCanName) {
  Rng rng(Seed{55});
  FieldCase drawn;
  drawn.components = 255;
  drawn.starts = {0, 40, 300};
  for (std::size_t i = 0; i < 300 * 255; ++i) drawn.densities.push_back(rng.normal());
  for (std::size_t n = 0; n < 300; ++n) drawn.states.push_back(static_cast<std::uint8_t>(rng.below(255)));
  for (const WeightShape shape : {WeightShape::linear, WeightShape::quadratic}) {
    drawn.field = with_total_weight({.radius = 9, .shape = shape}, 20.0);
    States fast = drawn.states;
    States slow = drawn.states;
    EXPECT_EQ(icm(drawn.problem(), drawn.field, fast), icm_by_definition(drawn.problem(), drawn.field, slow));
    EXPECT_EQ(fast, slow);
  }
}

TEST(Icm, RefusesSizesThatDoNotFit) {
  const std::vector<std::size_t> starts{0, 2};
  const std::vector<double> densities(4);
  States states{0, 0};
  expect_error(ErrorKind::usage, "field: 4 densities are not 3 components of 2 rows", [&] {
    icm({starts, densities, 3, {}, {}}, {}, states);
  });
  expect_error(ErrorKind::usage, "field: 1 states are not one per row of 2", [&] {
    icm({starts, densities, 2, {}, {}}, {}, std::span(states).first(1));
  });
}

TEST(Icm, TakesEmptySequencesAndRowsAlone) {
  const std::vector<std::size_t> starts{0, 0, 1, 1, 2};
  const std::vector<double> densities{0, 1, 1, 0};
  States states{0, 0};
  for (const Border border : {Border::weights, Border::clique}) {
    icm({starts, densities, 2, {}, {}}, {.radius = 5, .border = border}, states);
    EXPECT_EQ(states, (States{1, 0}));
  }
  States none;
  EXPECT_EQ(icm({std::span(starts).first(2), {}, 2, {}, {}}, {.radius = 5}, none), 0U);
}

}  // namespace
}  // namespace motet::temporal::icm_test
