#include "motet/multilabel/baselines/nearest_neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "multilabel/baseline_cases.h"
#include "multilabel/set_cases.h"
#include "support/threads.h"

namespace motet::multilabel::nearest_neighbours_test {
namespace {

BaselineData random_items(std::size_t rows, std::size_t labels, Rng rng) {
  BaselineData data;
  data.dimensions = 2;
  data.sets = BitMatrix(rows, labels);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < labels; ++k) data.sets.set(n, k, rng.below(2) == 0);
    // The first two labels move an item, the others say nothing.
    data.train.push_back(rng.normal() + (data.sets(n, 0) ? 2.0 : 0.0));
    data.train.push_back(rng.normal() + (labels > 1 && data.sets(n, 1) ? 1.5 : 0.0));
  }
  for (int n = 0; n < 60; ++n) {
    data.test.push_back(rng.uniform(-2.0, 4.0));
    data.test.push_back(rng.uniform(-2.0, 3.0));
  }
  data.index = index_label_sets(data.sets);
  return data;
}

// How many of the nearest training items, `own` not among them, have the label.
std::size_t neighbours_with(const BaselineData& data, const double* x, std::size_t own, std::size_t label) {
  std::vector<std::size_t> order(data.train_rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (own < order.size()) order.erase(order.begin() + static_cast<std::ptrdiff_t>(own));
  const auto distance = [&](std::size_t n) {
    double sum = 0.0;
    for (std::size_t d = 0; d < 2; ++d) sum += (x[d] - data.train[2 * n + d]) * (x[d] - data.train[2 * n + d]);
    return sum;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  std::size_t with = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(10, order.size()); ++i) with += data.sets(order[i], label) ? 1 : 0;
  return with;
}

// Bayes' rule with counts smoothed by 1, as Zhang and Zhou write it: which test items have the label.
std::vector<bool> items_with(const BaselineData& data, std::size_t label) {
  const std::size_t rows = data.train_rows();
  double with = 0.0;
  double seen[2][11] = {};
  for (std::size_t n = 0; n < rows; ++n) {
    const bool has = data.sets(n, label);
    with += has ? 1.0 : 0.0;
    seen[has ? 1 : 0][neighbours_with(data, &data.train[2 * n], n, label)] += 1.0;
  }
  const double all = static_cast<double>(rows);
  std::vector<bool> result;
  for (std::size_t n = 0; n < data.test_rows(); ++n) {
    const std::size_t j = neighbours_with(data, &data.test[2 * n], no_set, label);
    const double yes = (1.0 + with) / (2.0 + all) * (1.0 + seen[1][j]) / (11.0 + with);
    const double no = (1.0 + all - with) / (2.0 + all) * (1.0 + seen[0][j]) / (11.0 + all - with);
    result.push_back(yes > no);
  }
  return result;
}

TEST(NearestNeighbours, DecideByBayesRuleOnTheirCounts) {
  for (const std::size_t rows : {std::size_t{7}, std::size_t{40}, std::size_t{150}}) {  // 7: six others at most
    const BaselineData data = random_items(rows, 3, Rng(Seed{7}));
    const BitMatrix found = nearest_neighbours(data, {});
    ASSERT_EQ(found.rows(), 60U);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::vector<bool> expected = items_with(data, k);
      for (std::size_t n = 0; n < 60; ++n) EXPECT_EQ(found(n, k), expected[n]) << rows << ' ' << n << ' ' << k;
    }
  }
}

TEST(NearestNeighbours, GiveTheSameLabelsOnAnyNumberOfThreads) {
  const BaselineData data = random_items(500, 3, Rng(Seed{8}));
  RunContext one;
  one.threads.count = 1;
  RunContext four;
  StartedThreads started(4);
  four.threads = started;
  EXPECT_EQ(nearest_neighbours(data, one), nearest_neighbours(data, four));
}

}  // namespace
}  // namespace motet::multilabel::nearest_neighbours_test
