#include "motet/audio/scenes/examples.h"

#include <gtest/gtest.h>

namespace motet::audio::examples_test {
namespace {

TEST(SceneExamples, StandardisedByTheRowsTheyWereLearnedFrom) {
  const Rows2d rows{2, {1, 7, 3, 7}};
  const Standard standard = standard_of(rows);
  EXPECT_EQ(standard.of(rows).values, (std::vector<double>{-1, 0, 1, 0}));
  EXPECT_EQ(standard.of({2, {5, 100}}).values, (std::vector<double>{3, 0}));  // a column that did not vary says nothing
}

TEST(SceneExamples, ErrorsOfClassesCountEachClassOnce) {
  const std::vector<double> truth = {0, 0, 0, 1};
  EXPECT_EQ(balanced_error(truth, std::vector<double>{0, 0, 0, 0}, 2), 0.5);
  EXPECT_EQ(balanced_error(truth, std::vector<double>{0, 0, 1, 1}, 3), 1.0 / 6.0);  // the third does not occur
  EXPECT_EQ(balanced_error({}, {}, 2), 0.0);
  EXPECT_EQ(mean_residual(std::vector<double>{1, 2}, std::vector<double>{2, 0}), 1.5);
}

TEST(SceneExamples, SomeRowsKeepTheirOrder) {
  const std::vector<std::uint32_t> some = {2, 0};
  EXPECT_EQ(some_rows({1, {4, 5, 6}}, some).values, (std::vector<double>{6, 4}));
  EXPECT_EQ(some_targets({{"a"}, {0, 1, 2}}, some).values, (std::vector<double>{2, 0}));
}

}  // namespace
}  // namespace motet::audio::examples_test
