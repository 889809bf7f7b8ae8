#include "motet/temporal/mixture/fit_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "temporal/row_cases.h"

namespace motet::temporal::fit_start_test {
namespace {

struct Start {
  Mixture mixture;
  std::vector<std::uint8_t> states;
};

Start started(const Features& features, std::size_t components, const RowLabels& labels = {},
              const TemporalOptions& options = {}) {
  Start start;
  start.mixture.columns = features.columns;
  start.mixture.emission = options.emission;
  start.mixture.covariance = options.covariance;
  if (!labels.empty()) start.mixture.classes = {"a", "b"};
  const GlobalShape global = global_shape(features, options.floor, {1});
  start.states = start_fit(features, components, labels, options, global, {}, start.mixture);
  return start;
}

std::vector<double> first_means(const Mixture& mixture) {
  std::vector<double> means;
  for (const Component& component : mixture.components) means.push_back(component.mean[0]);
  std::sort(means.begin(), means.end());
  return means;
}

TEST(FitStart, ComponentsAreTheClustersOfKmeans) {
  const Features features = clustered_rows(90, 2, 3, 20.0, 1, 30);
  const Start start = started(features, 3);
  ASSERT_EQ(start.states.size(), 90U);
  ASSERT_EQ(start.mixture.components.size(), 3U);
  for (std::size_t cluster = 0; cluster < 3; ++cluster) {  // runs of thirty rows
    const std::uint8_t state = start.states[30 * cluster];
    const Component& component = start.mixture.components[state];
    std::vector<double> mean(2, 0.0);
    std::vector<double> square(2, 0.0);
    for (std::size_t n = 30 * cluster; n < 30 * cluster + 30; ++n) {
      EXPECT_EQ(start.states[n], state);
      for (std::size_t d = 0; d < 2; ++d) mean[d] += features.row(n)[d] / 30.0;
    }
    for (std::size_t n = 30 * cluster; n < 30 * cluster + 30; ++n) {
      for (std::size_t d = 0; d < 2; ++d) square[d] += std::pow(features.row(n)[d] - mean[d], 2) / 30.0;
    }
    constexpr double floor = 1e-4;  // of a variance of about 300, times 1e-6, over 30 rows
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(component.mean[d], mean[d], 1e-12);
      EXPECT_NEAR(component.covariance[3 * d], square[d], floor);
    }
    EXPECT_NEAR(component.share, 1.0 / 3.0, 1e-12);
    EXPECT_EQ(component.of_class, -1);
    EXPECT_EQ(component.degrees, 0.0);
  }
}

TEST(FitStart, LabelsSayWhoseAComponentIs) {
  const Features features = clustered_rows(60, 2, 2, 20.0, 2, 30);
  RowLabels labels(60, -1);
  labels[3] = 1;
  labels[45] = 0;
  const Start start = started(features, 2, labels);
  EXPECT_EQ(start.mixture.components[start.states[3]].of_class, 1);
  EXPECT_EQ(start.mixture.components[start.states[45]].of_class, 0);
  EXPECT_FALSE(start.mixture.has_soft_classes());
}

TEST(FitStart, SoftClassesAreSharesOfEachComponent) {
  const Features features = clustered_rows(60, 2, 2, 20.0, 3, 30);
  RowLabels labels(60, -1);
  for (std::size_t n = 0; n < 20; ++n) labels[n] = n < 5 ? 1 : 0;
  TemporalOptions options;
  options.class_assignment = ClassAssignment::soft;
  const Start start = started(features, 2, labels, options);
  ASSERT_TRUE(start.mixture.has_soft_classes());
  // One row of labels in their shares, 3/4 and 1/4, beside those of the component: 15 and 5, or none.
  const Component& labelled = start.mixture.components[start.states[0]];
  const Component& other = start.mixture.components[start.states[59]];
  for (const Component* component : {&labelled, &other}) {
    EXPECT_NEAR(component->class_shares[0], 0.75, 1e-12);
    EXPECT_NEAR(component->class_shares[1], 0.25, 1e-12);
  }
}

TEST(FitStart, FarRowsDoNotDecideWhereStudentsComponentsBegin) {
  const Features features = rows_with_far_ones();
  TemporalOptions options;
  options.emission = ComponentLaw::student_t;
  const Start student = started(features, 3, {}, options);
  const std::vector<double> means = first_means(student.mixture);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(means[k], 10.0 * static_cast<double>(k), 1.0);
  for (const Component& component : student.mixture.components) {
    EXPECT_EQ(component.degrees, 4.0);  // heavy tails
    EXPECT_LT(component.covariance[0], 4.0);
  }
  EXPECT_EQ(student.states.size(), 180U);
  options.degrees = 7.5;
  for (const Component& component : started(features, 3, {}, options).mixture.components) {
    EXPECT_EQ(component.degrees, 7.5);
  }
  // Gaussians take all rows, and k-means puts centres among the far ones.
  const std::vector<double> gaussian = first_means(started(features, 3).mixture);
  EXPECT_GT(std::max(std::abs(gaussian[0]), std::abs(gaussian[2])), 100.0);
}

TEST(FitStart, ALabelledRowStaysHoweverFar) {
  Features features = clustered_rows(100, 2, 1, 0.0, 4);
  features.values[0] = features.values[1] = 1000.0;
  TemporalOptions options;
  options.emission = ComponentLaw::student_t;
  options.label_weight = 0.0;
  EXPECT_LT(started(features, 1, {}, options).mixture.components[0].mean[0], 1.0);
  RowLabels labels(100, -1);
  labels[0] = 0;
  EXPECT_GT(started(features, 1, labels, options).mixture.components[0].mean[0], 5.0);  // about 1000 / 91
}

}  // namespace
}  // namespace motet::temporal::fit_start_test
