#include "motet/multilabel/search/interval_search.h"

#include <gtest/gtest.h>

#include "multilabel/plan_cases.h"

namespace motet::multilabel::interval_search_test {
namespace {

TEST(IntervalSearch, FindsWhatLookingAtEverySetFinds) {
  std::uint64_t seed = 40;
  for (const ModelKind& kind : searchable_kinds()) {
    const bool is_gaussian_kind = kind.family == Family::gaussian;
    const bool is_own = kind.covariance == Covariance::spherical || kind.covariance == Covariance::diagonal;
    if (kind.family == Family::lognormal || (is_gaussian_kind && !is_own))
      continue;  // lognormal: Gaussian, of logarithms
    SCOPED_TRACE(family_word(kind.family) + " " + combination_words[static_cast<int>(kind.combination)]);
    expect_exact_plan(kind, ++seed, make_interval_plan);
  }
}

TEST(IntervalSearch, IsForCovariancesWithoutAnEntryOffTheDiagonal) {
  Rng rng(Seed{41});
  Sources sources = random_sources({.covariance = Covariance::diagonal, .noise = true}, 3, 2, 1.0, rng);
  EXPECT_TRUE(is_diagonal(sources));
  sources.noise[1] = sources.noise[2] = 0.1;
  EXPECT_FALSE(is_diagonal(sources));
  EXPECT_TRUE(is_diagonal(random_sources({.covariance = Covariance::spherical}, 3, 2, 1.0, rng)));
  EXPECT_FALSE(is_diagonal(random_sources({.covariance = Covariance::full}, 3, 2, 1.0, rng)));
  EXPECT_FALSE(is_diagonal(random_sources({.family = Family::poisson}, 3, 2, 1.0, rng)));
}

TEST(IntervalSearch, AnItemOutsideTheFamilyIsNotSearched) {
  Rng rng(Seed{42});
  const Sources sources = random_sources({.family = Family::poisson}, 3, 1, 1.0, rng);
  const SearchTerms terms{{no_cost_limit, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  BestSets best(1, 100);
  make_interval_plan(sources, terms)->find(std::vector<double>{-1.0}, {}, best);
  EXPECT_TRUE(best.entries().empty());
  EXPECT_EQ(best.nodes(), 0U);
}

}  // namespace
}  // namespace motet::multilabel::interval_search_test
