#include "motet/multilabel/simulate.h"

#include <gtest/gtest.h>

#include "motet/base/error.h"

namespace motet::multilabel::simulate_test {
namespace {

TEST(SimulateItems, HaveEverySetUpToTheDegreeAndNoOther) {
  SimulateItemsOptions options{.items = 2000, .max_degree = 2};
  const SimulatedItems made = simulate_items(options, Seed{3});
  EXPECT_EQ(made.items.rows(), 2000U);
  EXPECT_EQ(made.items.features.dimensions(), 6U);
  const LabelSetIndex index = index_label_sets(made.items.sets);
  EXPECT_EQ(index.size(), 4U + 6U);
  for (std::size_t s = 0; s < index.size(); ++s) {
    EXPECT_GE(index.sets.count(s), 1U);
    EXPECT_LE(index.sets.count(s), 2U);
  }
}

TEST(SimulateItems, MeansOfSinglesAreThoseOfTheSources) {
  SimulateItemsOptions options{.items = 20000, .labels = 2, .features = 2, .max_degree = 1};
  const SimulatedItems made = simulate_items(options, Seed{5});
  const LabelSetIndex index = index_label_sets(made.items.sets);
  for (std::size_t s = 0; s < 2; ++s) {
    const std::size_t source = index.sets(s, 0) ? 0 : 1;
    for (std::size_t d = 0; d < 2; ++d) {
      double sum = 0.0;
      for (std::size_t i = index.starts[s]; i < index.starts[s + 1]; ++i)
        sum += made.items.features.row(index.rows[i])[d];
      EXPECT_NEAR(sum / static_cast<double>(index.count(s)), made.truth.location_of(source)[d], 0.05);
    }
  }
}

TEST(SimulateItems, AskedForSomeSetsGivesSoManyWithTheSinglesAmongThem) {
  SimulateItemsOptions options{.items = 5000, .label_sets = 7};
  const LabelSetIndex index = index_label_sets(simulate_items(options, Seed{1}).items.sets);
  EXPECT_EQ(index.size(), 7U);
  EXPECT_EQ(index.sets.count(0) + index.sets.count(1) + index.sets.count(2) + index.sets.count(3), 4U);
  options.label_sets = 1000;
  EXPECT_THROW(simulate_items(options, Seed{1}), Error);
}

TEST(SimulateItems, ABackgroundAllowsItemsWithoutLabels) {
  SimulateItemsOptions options{.background = true};
  const SimulatedItems made = simulate_items(options, Seed{2});
  EXPECT_EQ(made.truth.count, 5U);
  EXPECT_EQ(index_label_sets(made.items.sets).sets.count(0), 0U);
}

TEST(SimulateItems, EveryFamilyGivesValuesItCanGive) {
  for (const auto& [family, combination] :
       std::vector<std::pair<Family, Combination>>{{Family::bernoulli, Combination::logical_or},
                                                   {Family::exponential, Combination::minimum},
                                                   {Family::gamma, Combination::sum},
                                                   {Family::poisson, Combination::sum},
                                                   {Family::lognormal, Combination::product}}) {
    SimulateItemsOptions options{.items = 50, .source = family, .combine = combination};
    for (const double value : simulate_items(options, Seed{4}).items.features.values) {
      EXPECT_GE(value, 0.0);
      if (family == Family::bernoulli) {
        EXPECT_TRUE(value == 0.0 || value == 1.0);
      }
    }
  }
}

}  // namespace
}  // namespace motet::multilabel::simulate_test
