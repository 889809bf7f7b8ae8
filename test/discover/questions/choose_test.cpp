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
  const Discovery discovery = start_discovery(data.features, {.strategy = Strategy::temporal}, {});
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
  options.covariance = CovarianceChoice::full;
  const Discovery discovery = start_discovery(data.features, options, {});
  EXPECT_TRUE(discovery.choices.empty());
  EXPECT_EQ(discovery.options.exclusion, 9);
  EXPECT_EQ(discovery.mixture.components.size(), 3U);
  EXPECT_EQ(discovery.mixture.field.radius, 6U);
  EXPECT_NEAR(total_weight(discovery.mixture.field), 2.0, 1e-12);
  EXPECT_EQ(discovery.mixture.covariance, temporal::MixtureCovariance::full);
}

TEST(Choices, CovarianceIsTiedButForThePublished) {
  const LabelledFeatures data = short_events(Seed{2});
  for (const Strategy strategy : {Strategy::temporal, Strategy::static_mixture}) {
    const Discovery ours = start_discovery(data.features, search_options(strategy, 6), {});
    EXPECT_EQ(ours.mixture.covariance, temporal::MixtureCovariance::tied);
    EXPECT_EQ(ours.mixture.components[0].covariance, ours.mixture.components[1].covariance);
    EXPECT_EQ(chosen(ours, "covariance"), "tied");
  }
  for (const Strategy strategy : {Strategy::literal, Strategy::static_gmm, Strategy::interleave}) {
    const Discovery published = start_discovery(data.features, search_options(strategy, 6), {});
    EXPECT_EQ(published.options.covariance, CovarianceChoice::full);
    EXPECT_EQ(published.mixture.covariance, temporal::MixtureCovariance::full);
  }
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

TEST(Choices, RowsInNoOrderHaveNoRadius) {
  const Features shuffled = noise_rows(400, 3, Seed{7});
  const Discovery found = start_discovery(shuffled, {}, {});
  EXPECT_TRUE(found.options.unordered);
  EXPECT_EQ(found.options.radius, 0U);
  EXPECT_EQ(found.options.exclusion, 0);
  EXPECT_EQ(chosen(found, "unordered"), "yes");
  Features slow = shuffled;  // one column changes slowly
  for (std::size_t n = 1; n < 400; ++n) slow.values[3 * n] = 0.9 * slow.values[3 * n - 3] + slow.values[3 * n];
  EXPECT_FALSE(start_discovery(slow, {}, {}).options.unordered);
  EXPECT_EQ(start_discovery(shuffled, {.radius = 4}, {}).options.exclusion, 4);  // said to be in order
  DiscoverOptions said;
  said.unordered = true;
  EXPECT_EQ(start_discovery(slow, said, {}).options.radius, 0U);
  EXPECT_EQ(chosen(start_discovery(slow, said, {}), "unordered"), "");
}

TEST(Choices, OfTheToyAreTwoComponents) {
  const Discovery apart =
      start_discovery(toy_of_figure_6_1({}, Seed{1}).features, {.strategy = Strategy::temporal}, {});
  EXPECT_EQ(apart.options.components, 2U);
  EXPECT_EQ(apart.options.radius, 18U);
  EXPECT_NEAR(apart.options.nomination_coupling, 4.0, 0.1);
  const Discovery mixed = start_discovery(toy_of_figure_6_1({.interleaved = true}, Seed{1}).features,
                                          {.strategy = Strategy::temporal, .radius = 2}, {});
  EXPECT_EQ(mixed.options.components, 2U);
  EXPECT_EQ(mixed.options.radius, 2U);
  EXPECT_LT(mixed.options.nomination_coupling, 1.0);
}

TEST(Choices, OfTheLiteralAlgorithmAreThePublishedOnes) {
  const LabelledFeatures data = short_events(Seed{5});
  DiscoverOptions options{.strategy = Strategy::literal, .radius = 6};
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
