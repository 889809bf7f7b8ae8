#include "motet/discover/questions/choose.h"

#include <gtest/gtest.h>

#include "discover/search_cases.h"

namespace motet::discover::choose_test {
namespace {

std::string chosen(const Discovery& discovery, std::string_view name) {
  for (const Choice& choice : discovery.choices) {
    if (choice.name == name) return choice.value;
  }
  return "";
}

TEST(Choices, AreToldAndKept) {
  const LabelledFeatures data = short_events(Seed{1});
  const Discovery discovery = start_discovery(data.features, {}, {});
  EXPECT_EQ(chosen(discovery, "components"), std::to_string(discovery.options.components));
  EXPECT_EQ(chosen(discovery, "radius"), std::to_string(discovery.options.radius));
  EXPECT_EQ(chosen(discovery, "label_weight"), "0.02");
  EXPECT_EQ(chosen(discovery, "exclusion"), std::to_string(discovery.options.radius));
  EXPECT_FALSE(chosen(discovery, "nomination_coupling").empty());
  for (const Choice& choice : discovery.choices) EXPECT_FALSE(choice.reason.empty());
}

TEST(Choices, WhatIsGivenIsNotChosen) {
  const LabelledFeatures data = short_events(Seed{2});
  DiscoverOptions options = search_options(Strategy::temporal, 6, 3);
  options.label_weight = 0.2;
  options.exclusion = 9;
  options.nomination_coupling = 2.0;
  const Discovery discovery = start_discovery(data.features, options, {});
  EXPECT_TRUE(discovery.choices.empty());
  EXPECT_EQ(discovery.options.exclusion, 9);
  EXPECT_EQ(discovery.mixture.components.size(), 3U);
  EXPECT_EQ(discovery.mixture.field.radius, 6U);
  EXPECT_NEAR(total_weight(discovery.mixture.field), 2.0, 1e-12);
}

TEST(Choices, OfRecordingsAreEventsOfFewSeconds) {
  Features features = noise_rows(300, 2, Seed{3});
  features.clock = {0.1, 0.25};
  EXPECT_EQ(start_discovery(features, {}, {}).options.radius, 18U);
  features.clock = {0.5, 0.5};
  EXPECT_EQ(start_discovery(features, {}, {}).options.radius, 3U);
  features.clock = {10.0, 10.0};
  EXPECT_EQ(start_discovery(features, {}, {}).options.radius, 1U);
  Features few = noise_rows(6, 2, Seed{4});
  few.clock = {0.1, 0.25};
  EXPECT_EQ(start_discovery(few, {}, {}).options.radius, 5U);
}

TEST(Choices, OfTheToyAreTwoComponents) {
  const Discovery apart = start_discovery(toy_of_figure_6_1({}, Seed{1}).features, {}, {});
  EXPECT_EQ(apart.options.components, 2U);
  EXPECT_EQ(apart.options.radius, 18U);
  EXPECT_NEAR(apart.options.nomination_coupling, 4.0, 0.1);
  const Discovery mixed = start_discovery(toy_of_figure_6_1({.interleaved = true}, Seed{1}).features, {}, {});
  EXPECT_EQ(mixed.options.components, 2U);
  EXPECT_EQ(mixed.options.radius, 2U);
  EXPECT_LT(mixed.options.nomination_coupling, 1.0);
}

TEST(Choices, OfTheLiteralAlgorithmAreThePublishedOnes) {
  const LabelledFeatures data = short_events(Seed{5});
  DiscoverOptions options;
  options.strategy = Strategy::literal;
  options.radius = 6;
  const Discovery discovery = start_discovery(data.features, options, {});
  EXPECT_EQ(discovery.options.components, 2U);
  EXPECT_EQ(discovery.options.exclusion, 0);
  EXPECT_EQ(discovery.options.isolation, 0U);
  EXPECT_EQ(discovery.options.label_weight, 0.1);
  EXPECT_EQ(discovery.mixture.field.strength, 1.0);
  EXPECT_EQ(total_weight(discovery.mixture.field), 42.0);
}

TEST(Choices, InterleaveHasOneComponentForTheBackgroundAndNoLabelWeight) {
  const LabelledFeatures data = toy_of_figure_6_1({}, Seed{2});
  const Discovery discovery = start_discovery(data.features, search_options(Strategy::interleave, 2, 3), {});
  EXPECT_EQ(discovery.options.label_weight, 0.0);
  EXPECT_EQ(discovery.mixture.components[0].of_class, 0);
  EXPECT_EQ(discovery.mixture.components[1].of_class, -1);
  EXPECT_EQ(discovery.mixture.components[2].of_class, -1);
  EXPECT_GE(discovery.mixture.components[0].share, discovery.mixture.components[1].share);
}

}  // namespace
}  // namespace motet::discover::choose_test
