// What every plan of a search must find, held against looking at every set.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "motet/multilabel/search/search_terms.h"
#include "multilabel/search_cases.h"

namespace motet::multilabel {

// Terms of any kind, some numbers of labels ruled out: more than a prior and options ever make.
inline SearchTerms random_terms(const Sources& sources, Rng& rng) {
  const std::size_t labels = sources.label_count();
  SearchTerms terms;
  for (std::size_t m = 0; m <= labels; ++m) {
    const bool is_out = (m == 0 && !sources.background) || rng.below(4) == 0;
    terms.constant.push_back(is_out && m != 1 ? no_cost_limit : 2.0 * rng.normal());
  }
  for (std::size_t k = 0; k < labels; ++k) terms.weight.push_back(2.0 * rng.normal());
  return terms;
}

// The costs of all sets that may be, least first, by densities that are written out. `allowed` as in SearchPlan::find.
inline std::vector<double> plain_costs(const Sources& sources, const SearchTerms& terms, std::span<const double> x,
                                       std::span<const std::uint8_t> allowed) {
  std::vector<double> costs;
  const BitMatrix sets = enumerate_sets(sources.label_count(), sources.label_count(), true);
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    double cost = terms.constant[sets.count(j)];
    bool may_be = cost < no_cost_limit;
    for_each_bit(sets.row(j), [&](std::size_t k) {
      cost += terms.weight[k];
      may_be = may_be && (allowed.empty() || allowed[k] != 0);
    });
    if (may_be) costs.push_back(cost - plain_log_density(sources, sets.row(j), x));
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

// What the plan finds for random items of random sources of this kind is what looking at every set finds.
template <class MakePlan>
void expect_exact_plan(const ModelKind& kind, std::uint64_t seed, const MakePlan& make_plan) {
  Rng rng(Seed{seed});
  for (std::size_t number = 0; number < 12; ++number) {
    const std::size_t labels = 2 + rng.below(6);
    const std::size_t dimensions = 1 + rng.below(labels + 2);
    const double scale = std::exp(rng.uniform(-2.0, 1.0));
    const MultilabelModel model = random_model(kind, labels, dimensions, 4, scale, rng);
    const SearchTerms terms = random_terms(model.sources, rng);
    const std::vector<double> x = random_item(model, scale, rng);
    std::vector<std::uint8_t> allowed;
    for (std::size_t k = 0; k < labels && number % 3 == 2; ++k) allowed.push_back(k == 0 || rng.below(2) == 0 ? 1 : 0);
    const std::size_t most = 1 + rng.below(4);
    BestSets best(most, 1'000'000);
    const std::unique_ptr<const SearchPlan> plan = make_plan(model.sources, terms);
    plan->find(x, allowed, best);
    std::vector<double> expected = plain_costs(model.sources, terms, x, allowed);
    expected.resize(std::min(most, expected.size()));
    EXPECT_EQ(best.gap(), 0.0);
    ASSERT_EQ(best.entries().size(), expected.size()) << number;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(best.entries()[i].cost, expected[i], 1e-8 * (1.0 + std::abs(expected[i]))) << number << ' ' << i;
      for (std::size_t k = 0; k < labels && !allowed.empty(); ++k) {
        EXPECT_LE(best.entries()[i].has[k], allowed[k]);
      }
    }
  }
}

}  // namespace motet::multilabel
