#include "motet/multilabel/search/sphere_plan.h"

#include <gtest/gtest.h>

#include "multilabel/plan_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::sphere_plan_test {
namespace {

TEST(SpherePlan, FindsWhatLookingAtEverySetFinds) {
  std::uint64_t seed = 80;
  for (const ModelKind& kind : searchable_kinds()) {
    const bool is_one = kind.covariance == Covariance::shared || kind.covariance == Covariance::point;
    if (kind.family != Family::gaussian || !is_one) continue;
    SCOPED_TRACE(std::string(combination_words[static_cast<int>(kind.combination)]) + " " +
                 covariance_words[static_cast<int>(kind.covariance)] + (kind.background ? " background" : "") +
                 (kind.noise ? " noise" : ""));
    expect_exact_plan(kind, ++seed, make_sphere_plan);
  }
}

TEST(SpherePlan, IsForSourcesThatAllHaveTheSameCovariance) {
  Rng rng(Seed{81});
  EXPECT_TRUE(has_one_covariance(random_sources({.covariance = Covariance::shared}, 3, 2, 1.0, rng)));
  EXPECT_TRUE(has_one_covariance(random_sources({.covariance = Covariance::point, .noise = true}, 3, 2, 1.0, rng)));
  for (const Covariance covariance : {Covariance::spherical, Covariance::diagonal, Covariance::full}) {
    Sources sources = random_sources({.covariance = covariance}, 3, 2, 1.0, rng);
    EXPECT_FALSE(has_one_covariance(sources));
    const std::size_t each = sources.spread.size() / 3;
    for (std::size_t i = each; i < sources.spread.size(); ++i) sources.spread[i] = sources.spread[i % each];
    EXPECT_TRUE(has_one_covariance(sources));
    sources.spread.back() += 1e-12;
    EXPECT_FALSE(has_one_covariance(sources));
  }
}

TEST(SpherePlan, RefusesACovarianceThatIsNone) {
  Rng rng(Seed{82});
  Sources sources = random_sources({.covariance = Covariance::shared}, 2, 2, 1.0, rng);
  sources.spread = {1.0, 2.0, 2.0, 1.0};
  const SearchTerms terms{{no_cost_limit, 0.0, 0.0}, {0.0, 0.0}};
  expect_error(ErrorKind::bad_data, "the covariance of the sources is not positive definite",
               [&] { make_sphere_plan(sources, terms); });
}

}  // namespace
}  // namespace motet::multilabel::sphere_plan_test
