#include "motet/multilabel/search/matrix_search.h"

#include <gtest/gtest.h>

#include "multilabel/plan_cases.h"

namespace motet::multilabel::matrix_search_test {
namespace {

TEST(MatrixSearch, FindsWhatLookingAtEverySetFinds) {
  std::uint64_t seed = 60;
  for (const ModelKind& kind : searchable_kinds()) {
    if (kind.family != Family::gaussian || kind.covariance != Covariance::full) continue;
    SCOPED_TRACE(std::string(combination_words[static_cast<int>(kind.combination)]) +
                 (kind.background ? " background" : "") + (kind.noise ? " noise" : ""));
    expect_exact_plan(kind, ++seed, make_matrix_plan);
  }
}

// Its bounds hold for any matrices: diagonal ones must give what the search made for them gives.
TEST(MatrixSearch, TakesDiagonalMatricesAsWell) {
  for (const bool noise : {false, true}) {
    expect_exact_plan({.covariance = Covariance::diagonal, .noise = noise}, noise ? 71 : 70, make_matrix_plan);
  }
}

// Every set costs at least the best found less the gap, however early the search ends.
TEST(MatrixSearch, AGapHoldsForWhatWasNotLookedAt) {
  Rng rng(Seed{72});
  std::size_t open = 0;
  for (std::size_t number = 0; number < 20; ++number) {
    const MultilabelModel model = random_model({.covariance = Covariance::full}, 7, 4, 4, 2.0, rng);
    const SearchTerms terms = random_terms(model.sources, rng);
    const std::vector<double> x = random_item(model, 2.0, rng);
    BestSets best(1, 1 + number % 5);
    make_matrix_plan(model.sources, terms)->find(x, {}, best);
    ASSERT_FALSE(best.entries().empty());
    EXPECT_LE(best.nodes(), 1 + number % 5);
    EXPECT_GE(plain_costs(model.sources, terms, x, {}).front(), best.entries()[0].cost - best.gap() - 1e-8);
    open += best.gap() > 0.0 ? 1 : 0;
  }
  EXPECT_GT(open, 0U);
}

}  // namespace
}  // namespace motet::multilabel::matrix_search_test
