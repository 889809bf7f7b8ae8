#include "experiments/judges/labels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace motet::judges::labels_test {
namespace {

TEST(Labels, AccuracyCountsKnownItemsOnly) {
  const std::vector<std::int32_t> truth = {0, 1, -1, 1};
  EXPECT_EQ(label_accuracy(truth, std::vector<std::int32_t>{0, 0, 0, 1}), 2.0 / 3.0);
  EXPECT_TRUE(std::isnan(label_accuracy(std::vector<std::int32_t>{-1}, std::vector<std::int32_t>{0})));
}

TEST(Labels, MeanAbsoluteErrorSkipsWhatIsMissing) {
  const std::vector<double> a = {0.5, NAN, 1.0};
  EXPECT_EQ(mean_absolute_error(a, std::vector<double>{0.25, 1.0, 0.5}), 0.375);
}

}  // namespace
}  // namespace motet::judges::labels_test
