#include "motet/temporal/mixture/mixture_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "temporal/row_cases.h"

namespace motet::temporal::mixture_step_test {
namespace {

TEST(LabelWeights, GiveLabelsTheirShare) {
  const std::vector<double> unlabelled{900.0, 0.5, 40.0};
  const std::vector<double> labelled{10.0, 3.0, 0.0};
  const std::vector<double> lambda = label_weights(unlabelled, labelled, 0.1);
  EXPECT_DOUBLE_EQ(lambda[0], 10.0);                                     // (0.1 / 0.9) 900 / 10
  EXPECT_DOUBLE_EQ(lambda[0] * 10.0 / (lambda[0] * 10.0 + 900.0), 0.1);  // what alpha means
  EXPECT_EQ(lambda[1], 1.0);                                             // never less than an unlabelled row
  EXPECT_EQ(lambda[2], 1.0);                                             // no label
  EXPECT_EQ(label_weights(unlabelled, labelled, 0.0), (std::vector<double>{1.0, 1.0, 1.0}));
}

struct Step {
  Features features = clustered_rows(300, 3, 2, 2.0, 1);
  GlobalShape global = global_shape(features, 1e-6, {1});
  Mixture mixture;
  RowLabels labels = RowLabels(300, -1);

  Step() {
    mixture.columns = features.columns;
    mixture.components = some_components(3, 3, 2);
    mixture.classes = {"a", "b"};
    mixture.components[0].of_class = 0;
    mixture.components[1].of_class = 0;
    mixture.components[2].of_class = 1;
    labels[4] = 0;
    labels[77] = 1;
    labels[78] = 1;
  }
};

TEST(MixtureStep, FromStatisticsAndFromResponsibilitiesIsTheSame) {
  for (const MixtureCovariance kind : {MixtureCovariance::full, MixtureCovariance::diagonal, MixtureCovariance::tied}) {
    for (const double alpha : {0.0, 0.3}) {
      Step step;
      step.mixture.covariance = kind;
      const DensityFactors factors(step.mixture.components, 3);
      std::vector<double> responsibilities(3 * 300);
      const std::vector<double> log_shares = log_shares_of(step.mixture.components);
      const std::vector<std::int32_t> of_class = classes_of(step.mixture.components);
      const std::vector<double> statistics =
          mixture_statistics({factors, step.features, log_shares, step.labels, of_class, {}, responsibilities}, {1});
      Mixture one = step.mixture;
      maximise_mixture(statistics, true, alpha, step.global, one);
      Mixture other = step.mixture;
      const std::vector<double> before = responsibilities;
      maximise_mixture(factors, step.features, step.labels, alpha, step.global, {1}, responsibilities, other);
      for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(responsibilities[i], before[i], 1e-15);
      double shares = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        shares += one.components[k].share;
        EXPECT_NEAR(one.components[k].share, other.components[k].share, 1e-13);
        for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(one.components[k].mean[d], other.components[k].mean[d], 1e-12);
        for (std::size_t i = 0; i < 9; ++i) {
          EXPECT_NEAR(one.components[k].covariance[i], other.components[k].covariance[i], 1e-11);
        }
      }
      EXPECT_NEAR(shares, 1.0, 1e-14);
    }
  }
}

TEST(MixtureStep, FromStatesIsMeanAndCovarianceOfEachCluster) {
  Step step;
  std::vector<std::uint8_t> states(300, 1);
  states[10] = 0;
  states[20] = 0;
  maximise_from_states(step.features, states, {}, 0.1, step.global, {1}, step.mixture);
  for (std::size_t d = 0; d < 3; ++d) {
    const double a = step.features.row(10)[d];
    const double b = step.features.row(20)[d];
    EXPECT_NEAR(step.mixture.components[0].mean[d], 0.5 * (a + b), 1e-12);
    EXPECT_NEAR(step.mixture.components[0].covariance[d * 4], 0.25 * (a - b) * (a - b) + 0.5 * step.global.floor[d],
                1e-12);
  }
  EXPECT_NEAR(step.mixture.components[0].share, 2.0 / 300.0, 1e-15);
  EXPECT_EQ(step.mixture.components[2].share, 0.0);
  EXPECT_EQ(step.mixture.components[2].mean, step.global.mean);  // nothing is known of it
}

}  // namespace
}  // namespace motet::temporal::mixture_step_test
