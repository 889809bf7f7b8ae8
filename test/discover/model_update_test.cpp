#include "motet/discover/model_update.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "discover/search_cases.h"
#include "motet/base/numeric.h"
#include "support/errors.h"

namespace motet::discover::model_update_test {
namespace {

constexpr double rounding = 1e-12;

// One column in two sequences; the field has no radius, so that states are those of the densities alone.
struct Case {
  Features features = features_of({0.0, 0.1, 5.0, 5.2, 0.2, 9.0, 0.3, 5.1}, 1, {5, 3});
  Discovery discovery;

  Case() {
    discovery.options.strategy = Strategy::temporal;
    discovery.options.radius = 2;
    discovery.options.label_weight = 0.0;
    discovery.mixture.columns = features.columns;
    discovery.mixture.classes = {"background"};
    discovery.mixture.components = {{{0.0}, {1.0}, 0.5, 0}, {{5.0}, {1.0}, 0.5, 0}};
    discovery.states = {0, 0, 1, 1, 0, 1, 0, 1};
    discovery.isolated.assign(8, 0);
    discovery.global = temporal::global_shape(features, 1e-3, {1});
  }
  double log_density(std::size_t k, std::size_t n) const {
    const Component& one = discovery.mixture.components[k];
    const double z = features.values[n] - one.mean[0];
    return -0.5 * z * z / one.covariance[0] - 0.5 * std::log(2.0 * std::numbers::pi * one.covariance[0]);
  }
  void expect_densities() const {
    ASSERT_EQ(discovery.densities.size(), discovery.mixture.components.size() * 8);
    for (std::size_t k = 0; k < discovery.mixture.components.size(); ++k) {
      for (std::size_t n = 0; n < 8; ++n) {
        EXPECT_NEAR(discovery.densities[k * 8 + n], log_density(k, n), rounding) << k << " " << n;
      }
    }
  }
};

TEST(ModelUpdate, StatesAreTheComponentsThatOwnTheRows) {
  Case c;
  c.discovery.states.assign(8, 0);
  bring_states(c.features, c.discovery, {1});
  EXPECT_EQ(c.discovery.states, (std::vector<std::uint8_t>{0, 0, 1, 1, 0, 1, 0, 1}));
  c.expect_densities();
}

TEST(ModelUpdate, AnAnswerMovesItsRowToAComponentOfItsClass) {
  Case c;
  c.discovery.mixture.classes = {"background", "owl"};
  c.discovery.mixture.components[1].of_class = 1;
  c.discovery.answers = {{3, AnswerKind::nothing, ""}, {0, AnswerKind::of_class, "owl"}};
  bring_states(c.features, c.discovery, {1});
  EXPECT_EQ(c.discovery.states, (std::vector<std::uint8_t>{1, 0, 1, 0, 0, 1, 0, 1}));
}

TEST(ModelUpdate, OnlyNewRowsTakeTheLikeliestComponent) {
  Case c;
  c.discovery.states.assign(8, 0);
  take_states(c.features, c.discovery, 5, {1});
  EXPECT_EQ(c.discovery.states, (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 0, 1}));
  c.expect_densities();
}

// One step of EM by hand: responsibilities of the static mixture, means by them, and the floor worth one row.
TEST(ModelUpdate, AnUpdateIsOneIteration) {
  Case c;
  double weight = 0.0;
  double sum = 0.0;
  for (std::size_t n = 0; n < 8; ++n) {
    const double r = 1.0 / (1.0 + std::exp(c.log_density(1, n) - c.log_density(0, n)));
    weight += r;
    sum += r * c.features.values[n];
  }
  update_model(c.features, c.discovery, {1});
  EXPECT_EQ(c.discovery.updates, 1U);
  EXPECT_NEAR(c.discovery.mixture.components[0].mean[0], sum / weight, rounding);
  EXPECT_NEAR(c.discovery.mixture.components[0].share, weight / 8.0, rounding);
  c.expect_densities();
}

TEST(ModelUpdate, GoingFurtherEndsWhereTheObjectiveNoLongerRises) {
  Case once;
  Case twice;
  Case at_most;
  Case never;
  fit_further(once.features, once.discovery, 1, 0.0, {1});
  fit_further(twice.features, twice.discovery, 2, 0.0, {1});
  fit_further(at_most.features, at_most.discovery, 20, infinity, {1});  // the second rises by less than that
  fit_further(never.features, never.discovery, 0, 0.0, {1});
  EXPECT_NE(once.discovery.mixture.components, twice.discovery.mixture.components);
  EXPECT_EQ(at_most.discovery.mixture.components, twice.discovery.mixture.components);
  EXPECT_EQ(never.discovery.mixture.components, Case().discovery.mixture.components);
  EXPECT_EQ(once.discovery.updates, 0U);
}

TEST(ModelUpdate, ANewClassBringsItsDensities) {
  Case c;
  bring_states(c.features, c.discovery, {1});
  add_class(c.features, c.discovery, "owl", 2, {1});
  ASSERT_EQ(c.discovery.mixture.components.size(), 3U);
  const Component& added = c.discovery.mixture.components[2];
  EXPECT_EQ(added.of_class, 1);
  // Of rows 0, 1, 3 and 4 those nearest to 5.0 are 3 and 4.
  EXPECT_NEAR(added.mean[0], (5.0 + 5.2 + 0.2) / 3.0, rounding);
  EXPECT_DOUBLE_EQ(added.share, 3.0 / 8.0);
  c.expect_densities();
}

TEST(ModelUpdate, ThereIsAnEndToNewClasses) {
  Case c;
  c.discovery.mixture.components.resize(255, c.discovery.mixture.components[0]);
  EXPECT_EQ(refusal([&] { add_class(c.features, c.discovery, "owl", 2, {1}); }, ErrorKind::usage),
            "class 'owl' would be component 256; there can be at most 255");
}

TEST(ModelUpdate, InterleaveGivesANewClassAComponentMadeBeforehand) {
  Case c;
  c.discovery.options.strategy = Strategy::interleave;
  c.discovery.options.components = 2;
  c.discovery.mixture.components[1].of_class = -1;
  add_class(c.features, c.discovery, "owl", 0, {1});
  ASSERT_EQ(c.discovery.mixture.components.size(), 2U);
  EXPECT_EQ(c.discovery.mixture.components[1].of_class, 1);
  EXPECT_EQ(c.discovery.states[0], 1);
  drop_unanswered_classes(c.features, c.discovery);  // nobody said "owl"
  EXPECT_EQ(c.discovery.mixture.components[1].of_class, -1);
  EXPECT_EQ(c.discovery.mixture.classes, std::vector<std::string>{"background"});
}

TEST(ModelUpdate, AForgottenClassLeavesItsRowsToTheirNeighbours) {
  Case c;
  bring_states(c.features, c.discovery, {1});
  add_class(c.features, c.discovery, "owl", 2, {1});
  add_class(c.features, c.discovery, "hen", 7, {1});
  c.discovery.states = {2, 2, 1, 2, 3, 2, 2, 2};
  c.discovery.answers = {{7, AnswerKind::of_class, "hen"}};
  c.discovery.queue = {{2, 2, -1.0}, {7, 3, -2.0}};
  drop_unanswered_classes(c.features, c.discovery);
  EXPECT_EQ(c.discovery.mixture.classes, (std::vector<std::string>{"background", "hen"}));
  ASSERT_EQ(c.discovery.mixture.components.size(), 3U);
  EXPECT_EQ(c.discovery.mixture.components[2].of_class, 1);
  // The row before in the same sequence, or the first after; a sequence that had no other goes to component 0.
  EXPECT_EQ(c.discovery.states, (std::vector<std::uint8_t>{1, 1, 1, 1, 2, 0, 0, 0}));
  EXPECT_EQ(c.discovery.queue[0].component, -1);
  EXPECT_TRUE(std::isnan(c.discovery.queue[0].log_density));
  EXPECT_EQ(c.discovery.queue[1], (Nomination{7, 2, -2.0}));
  c.expect_densities();
}

}  // namespace
}  // namespace motet::discover::model_update_test
