#include "motet/multilabel/sources/value_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/base/rng.h"

namespace motet::multilabel::value_nodes_test {
namespace {

TEST(ValueNodes, GiveTheSameSumOfASmoothFunction) {
  Rng rng(Seed{3});
  std::vector<double> values(20, 0.0);
  for (int n = 0; n < 20'000; ++n) values.push_back((n % 3 == 0 ? -1.0 : 1.0) * std::exp(0.8 * rng.normal()));
  const std::vector<WeightedValue> all = counted(values);
  const std::vector<WeightedValue> few = condensed(all, 0.5);
  EXPECT_LT(few.size(), 1000U);
  const auto sum = [](const std::vector<WeightedValue>& nodes, auto&& function) {
    double total = 0.0;
    for (const WeightedValue& node : nodes) total += node.weight * function(node.value);
    return total;
  };
  const auto one = [](double) { return 1.0; };
  const auto smooth = [](double x) { return -0.5 * std::abs(x) + 0.3 * std::log1p(x * x); };
  EXPECT_NEAR(sum(few, one), 20'020.0, 1e-7);
  EXPECT_NEAR(sum(few, smooth), sum(all, smooth), 1e-7);
}

TEST(ValueNodes, FewValuesAreLeftAlone) {
  const std::vector<WeightedValue> all = counted({2.0, 1.0, 2.0, 5.0});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].weight, 2.0);
  const std::vector<WeightedValue> same = condensed(all, 0.5);
  ASSERT_EQ(same.size(), 3U);
  EXPECT_EQ(same[2].value, 5.0);
}

TEST(ValueNodes, KeepSignsAndNoughts) {
  Rng rng(Seed{4});
  std::vector<double> values(7, 0.0);
  for (int n = 0; n < 500; ++n) values.push_back(-std::exp(rng.normal()));
  values.insert(values.end(), {1.0, 2.0, 3.0});  // few of this sign
  const std::vector<WeightedValue> few = condensed(counted(values), 0.5);
  EXPECT_LT(few.size(), 200U);
  double weights[3] = {0.0, 0.0, 0.0};  // below, at and above nought
  for (const WeightedValue& one : few) weights[one.value < 0.0 ? 0 : one.value == 0.0 ? 1 : 2] += one.weight;
  EXPECT_NEAR(weights[0], 500.0, 1e-8);
  EXPECT_EQ(weights[1], 7.0);
  EXPECT_EQ(weights[2], 3.0);
}

}  // namespace
}  // namespace motet::multilabel::value_nodes_test
