#include "motet/temporal/mixture/class_components.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "temporal/row_cases.h"

namespace motet::temporal::class_components_test {
namespace {

TEST(ClassComponents, OneEachAndTheRestBySize) {
  RowLabels labels(10, -1);
  for (std::size_t n = 0; n < 6; ++n) labels[n] = 2;
  labels[6] = labels[7] = labels[8] = 0;
  EXPECT_EQ(components_a_class(labels, 3, 2), (std::vector<std::size_t>{1, 0, 1}));
  EXPECT_EQ(components_a_class(labels, 3, 3), (std::vector<std::size_t>{1, 0, 2}));
  EXPECT_EQ(components_a_class(labels, 3, 6), (std::vector<std::size_t>{2, 0, 4}));
}

TEST(ClassComponents, TooFewComponentsAreRefused) {
  const RowLabels labels{0, 1, 2, -1};
  EXPECT_EQ(error_of([&] { components_a_class(labels, 3, 2); }, ErrorKind::usage),
            "--components 2 is too few; the labels name 3 classes");
}

TEST(ClassComponents, LabelledRowsDecideWhichClusterIsWhose) {
  const Features features = features_of(1, {0, 1, 10, 11, 20, 21});
  const GlobalShape global = global_shape(features, 1e-6, {1});
  Clusters clusters{{0.5, 10.5, 20.5}, {0, 0, 1, 1, 2, 2}, 0.0};
  const RowLabels labels{1, -1, -1, 0, 1, -1};
  EXPECT_EQ(share_out_clusters(features, labels, 2, global, clusters), (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(clusters.states, (std::vector<std::uint8_t>{0, 0, 1, 1, 2, 2}));
}

TEST(ClassComponents, LabelledRowsMoveToAClusterOfTheirClass) {
  const Features features = features_of(1, {0, 1, 2, 10, 11, 12});
  const GlobalShape global = global_shape(features, 1e-6, {1});
  Clusters clusters{{1.0, 11.0}, {0, 0, 0, 1, 1, 1}, 0.0};
  const RowLabels labels{0, 0, 1, 1, 1, -1};  // the row at 2 is of class 1
  EXPECT_EQ(share_out_clusters(features, labels, 2, global, clusters), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(clusters.states, (std::vector<std::uint8_t>{0, 0, 1, 1, 1, 1}));
}

TEST(ClassComponents, AClassInsideTheClusterOfAnotherTakesItsRowsOut) {
  const Features features = features_of(1, {0, 1, 2, 3, 10, 11});
  const GlobalShape global = global_shape(features, 1e-6, {1});
  Clusters clusters{{1.5, 10.5}, {0, 0, 0, 0, 1, 1}, 0.0};
  const RowLabels labels{0, 0, 1, -1, -1, -1};  // nobody says what lies at 10
  EXPECT_EQ(share_out_clusters(features, labels, 2, global, clusters), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(clusters.states, (std::vector<std::uint8_t>{0, 0, 1, 0, 0, 0}));
}

}  // namespace
}  // namespace motet::temporal::class_components_test
