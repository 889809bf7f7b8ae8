#include "motet/multilabel/search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "motet/base/parallel.h"
#include "multilabel/search_cases.h"
#include "support/errors.h"

namespace motet::multilabel::search_test {
namespace {

constexpr std::size_t cases = 400;

TEST(SetSearchSlow, FindsWhatEnumerationFinds) {
  for (std::size_t number = 0; number < cases; ++number) {
    const SearchCase problem = random_search_case(number, 11, Rng(Seed{11}).child(number));
    EXPECT_EQ(compare_with_enumeration(problem, SetSearch(problem.model, problem.options).find(problem.x)), "");
  }
}

// So many that a bound that is wrong once in thousands of items shows.
TEST(SetSearchSlow, FindsWhatEnumerationFindsInThousandsOfCases) {
  const char* const asked = std::getenv("MOTET_SEARCH_INSTANCES");
  const std::size_t count = asked != nullptr ? std::stoul(asked) : 5'000;  // 20,000 take a minute
  std::vector<std::string> wrong(count);
  for_each_task(count, {}, [&](std::size_t number) {
    const bool many = number % 64 == 63;  // up to 65,536 sets take a thousand times as long as 64
    const SearchCase problem = random_search_case(number, many ? 16 : 12, Rng(Seed{19}).child(number), many ? 13 : 4);
    const FoundSets found = SetSearch(problem.model, problem.options).find(problem.x);
    wrong[number] = compare_with_enumeration(problem, found, Enumeration::library);
  });
  for (const std::string& text : wrong) EXPECT_EQ(text, "");
}

// The setting of the thesis: 40 sources in 40 dimensions, means uniform in [-2, 2], one variance 0.5, up to four
// sources per item, every number of them and every set of a number as likely. There are 102,090 such sets.
TEST(SetSearchSlow, FortyLabelsTakeLessThanAThousandNodes) {
  constexpr std::size_t labels = 40;
  constexpr std::size_t items = 201;
  Rng rng(Seed{20});
  MultilabelModel model;
  model.sources.covariance = Covariance::shared;
  model.sources.dimensions = labels;
  model.sources.count = labels;
  for (std::size_t i = 0; i < labels * labels; ++i) {
    model.sources.location.push_back(rng.uniform(-2.0, 2.0));
    model.sources.spread.push_back(i % (labels + 1) == 0 ? 0.5 : 0.0);
  }
  model.prior.sets = BitMatrix(0, labels);
  model.prior.log_odds.assign(labels, 0.0);
  model.prior.log_degree.assign(labels + 1, -std::log(4.0));
  model.prior.log_degree[0] = -std::numeric_limits<double>::infinity();
  SearchOptions options{.max_degree = 4};
  const SetSearch search(model, options);
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < items; ++n) {
    BitMatrix truth(1, labels);
    const std::size_t degree = 1 + rng.below(4);
    while (truth.count(0) < degree) truth.set(0, rng.below(labels));
    std::vector<double> x(labels, 0.0);
    for_each_bit(truth.row(0), [&](std::size_t k) {
      for (std::size_t d = 0; d < labels; ++d) {
        x[d] += model.sources.location[k * labels + d] + std::sqrt(0.5) * rng.normal();
      }
    });
    const FoundSets found = search.find(x);
    EXPECT_EQ(found.gap, 0.0);
    nodes.push_back(found.nodes);
  }
  std::nth_element(nodes.begin(), nodes.begin() + items / 2, nodes.end());
  EXPECT_LT(nodes[items / 2], 1000U);
  RecordProperty("median_nodes", static_cast<int>(nodes[items / 2]));
}

// Every set, of any kind of model, scores at most the best found plus the gap.
TEST(SetSearchSlow, GapOfALimitHolds) {
  std::size_t unproved = 0;
  for (std::size_t number = 0; number < searchable_kinds().size(); ++number) {
    SearchCase problem = random_search_case(number, 9, Rng(Seed{12}).child(number));
    problem.options.node_limit = 3;
    const FoundSets found = SetSearch(problem.model, problem.options).find(problem.x);
    const std::size_t labels = problem.model.labels.size();
    const std::size_t degree = problem.options.max_degree == 0 ? labels : problem.options.max_degree;
    const BitMatrix sets = enumerate_sets(labels, degree, problem.model.sources.background);
    const std::vector<double> scores = all_scores(problem, sets);
    const double best = *std::max_element(scores.begin(), scores.end());
    EXPECT_LE(found.nodes, 3U);
    if (found.score.empty()) {
      EXPECT_TRUE(std::isinf(found.gap)) << problem.name;
    } else {
      EXPECT_LE(best, found.score[0] + found.gap + 1e-7) << problem.name;
    }
    unproved += found.gap > 0.0 ? 1 : 0;
  }
  EXPECT_GT(unproved, 5U);
}

TEST(SetSearch, LooksOnlyAtLabelsThatAreAllowed) {
  for (const ModelKind& kind : searchable_kinds()) {
    Rng rng(Seed{13});
    SearchCase problem;
    problem.model = random_model(kind, 7, 5, 3, 0.5, rng);
    problem.x = random_item(problem.model, 0.5, rng);
    const std::vector<std::uint64_t> allowed{0b1011001};
    const FoundSets found = SetSearch(problem.model, problem.options).find(problem.x, allowed);
    const BitMatrix sets = enumerate_sets(7, 7, kind.background);
    const std::vector<double> scores = all_scores(problem, sets);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      if ((sets.row(j)[0] & ~allowed[0]) == 0) best = std::max(best, scores[j]);
    }
    ASSERT_EQ(found.sets.rows(), 1U);
    EXPECT_EQ(found.sets.row(0)[0] & ~allowed[0], 0U);
    EXPECT_NEAR(found.score[0], best, 1e-8 * (1.0 + std::abs(best)));
  }
}

TEST(SetSearch, SourcesOfOneCovarianceAreSearchedAlikeWhateverItIsCalled) {
  Rng rng(Seed{14});
  MultilabelModel model = random_model({}, 10, 10, 3, 0.5, rng);
  model.sources.spread.assign(100, 0.0);
  for (std::size_t d = 0; d < 10; ++d) model.sources.spread[d * 11] = 0.5;
  MultilabelModel spherical = model;
  spherical.sources.covariance = Covariance::spherical;
  spherical.sources.spread.assign(10, 0.5);
  const std::vector<double> x = random_item(model, 0.5, rng);
  const FoundSets first = SetSearch(model, {}).find(x);
  const FoundSets second = SetSearch(spherical, {}).find(x);
  EXPECT_EQ(first.sets, second.sets);
  EXPECT_EQ(first.nodes, second.nodes);
}

TEST(SetSearch, RenamingLabelsRenamesTheAnswer) {
  Rng rng(Seed{15});
  const MultilabelModel model = random_model({.covariance = Covariance::diagonal}, 9, 7, 3, 0.5, rng);
  MultilabelModel turned = model;  // label k is called 8 - k
  for (std::size_t k = 0; k < 9; ++k) {
    turned.prior.log_odds[k] = model.prior.log_odds[8 - k];
    for (std::size_t d = 0; d < 7; ++d) {
      turned.sources.location[k * 7 + d] = model.sources.location[(8 - k) * 7 + d];
      turned.sources.spread[k * 7 + d] = model.sources.spread[(8 - k) * 7 + d];
    }
  }
  for (std::size_t n = 0; n < 20; ++n) {
    const std::vector<double> x = random_item(model, 0.5, rng);
    const FoundSets first = SetSearch(model, {}).find(x);
    const FoundSets second = SetSearch(turned, {}).find(x);
    EXPECT_NEAR(first.score[0], second.score[0], 1e-9);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(first.sets(0, k), second.sets(0, 8 - k));
  }
}

TEST(SetSearch, AnItemOutsideTheFamilyHasNoSet) {
  Rng rng(Seed{16});
  const auto found = [&](Family family, Combination combination, double value) {
    const MultilabelModel model = random_model({.family = family, .combination = combination}, 4, 2, 2, 1.0, rng);
    return SetSearch(model, {}).find(std::vector<double>{1.0, value}).sets.rows();
  };
  EXPECT_EQ(found(Family::lognormal, Combination::product, -1.0), 0U);
  EXPECT_EQ(found(Family::poisson, Combination::sum, 1.5), 0U);
  EXPECT_EQ(found(Family::exponential, Combination::minimum, -1.0), 0U);
  EXPECT_EQ(found(Family::gamma, Combination::sum, 0.0), 0U);
  EXPECT_EQ(found(Family::bernoulli, Combination::logical_or, 0.5), 0U);
  EXPECT_EQ(found(Family::bernoulli, Combination::logical_or, 1.0), 1U);
}

TEST(SetSearch, ProbabilitiesOfNoughtAndOneAreNoObstacle) {
  for (const Combination combination : {Combination::logical_or, Combination::logical_and}) {
    Rng rng(Seed{17});
    SearchCase problem;
    problem.model = random_model({.family = Family::bernoulli, .combination = combination}, 6, 5, 3, 1.0, rng);
    problem.options.best = 3;
    for (std::size_t i = 0; i < problem.model.sources.location.size(); ++i) {
      if (i % 3 != 2) problem.model.sources.location[i] = i % 3 == 0 ? 0.0 : 1.0;
    }
    for (std::size_t n = 0; n < 32; ++n) {
      problem.x.assign(5, 0.0);
      for (std::size_t d = 0; d < 5; ++d) problem.x[d] = (n >> d & 1U) != 0 ? 1.0 : 0.0;
      problem.name = "item " + std::to_string(n);
      EXPECT_EQ(compare_with_enumeration(problem, SetSearch(problem.model, problem.options).find(problem.x)), "");
    }
  }
}

TEST(SetSearch, ModelsThatAreNoCombinationOfSourcesAreRefused) {
  Rng rng(Seed{18});
  MultilabelModel model = random_model({.covariance = Covariance::diagonal}, 4, 2, 2, 1.0, rng);
  EXPECT_TRUE(can_search(model));
  model.sources.combination = Combination::one_of;
  EXPECT_FALSE(can_search(model));
  model.sources.combination = Combination::sum;
  model.options.method = Training::fresh;
  EXPECT_FALSE(can_search(model));
  EXPECT_EQ(error_of([&] { SetSearch(model, {}); }, ErrorKind::usage),
            "label sets of this model cannot be searched; only enumerated");
}

}  // namespace
}  // namespace motet::multilabel::search_test
