#include "motet/multilabel/linear/weight_summary.h"

#include <gtest/gtest.h>

#include "multilabel/set_cases.h"

namespace motet::multilabel::weight_summary_test {
namespace {

TEST(WeightRows, NameLabelsOrSetsAndTheirStrongestFeatures) {
  MultilabelModel model;
  model.labels = {"a", "b"};
  model.options.method = Training::log_linear;
  model.prior.sets = sets_of({"10", "11"});
  model.prior.counts = {7.0, 4.0};
  model.linear = LinearWeights{2, 3, {1, 0, -3, 2, 2, 2, 9, 8}, {}};
  const std::vector<WeightRow> rows = weight_rows(model, 2);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "a");
  EXPECT_EQ(rows[0].items, 11.0);
  EXPECT_EQ(rows[1].items, 4.0);
  EXPECT_EQ(rows[0].weights, (std::vector<double>{1, -3, 2}));
  EXPECT_EQ(rows[0].intercept, 9.0);
  EXPECT_EQ(rows[0].strongest, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(rows[1].strongest, (std::vector<std::size_t>{1, 2}));  // of equal weights the first
  model.options.method = Training::powerset;
  const std::vector<WeightRow> sets = weight_rows(model, 9);
  EXPECT_EQ(sets[1].name, "a|b");
  EXPECT_EQ(sets[1].items, 4.0);
  EXPECT_EQ(sets[1].strongest.size(), 3U);
}

}  // namespace
}  // namespace motet::multilabel::weight_summary_test
