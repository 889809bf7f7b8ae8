#include "motet/multilabel/linear/linear_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "multilabel/set_cases.h"

namespace motet::multilabel::linear_weights_test {
namespace {

double log_s(double z) { return -std::log1p(std::exp(-z)); }

// One feature, two labels: z = (0.5 x - 1, -2 x + 0.25).
const LinearWeights two{2, 1, {0.5, -2.0, -1.0, 0.25}, {}};
const std::vector<double> x{2.0, -1.0};

std::vector<double> scores(LinearWeights weights, Training method) {
  return set_scores(weights, method, sets_of({"10", "11"}), sets_of({"00", "10", "01", "11"}), x, {1});
}

TEST(SetScores, AreWhatTheHeaderSays) {
  const double z[2][2] = {{0.0, -3.75}, {-1.5, 2.25}};
  const std::vector<double> joint = scores(two, Training::log_linear);
  const std::vector<double> own = scores(two, Training::logistic);
  LinearWeights linked = two;
  linked.links = {0.0, 0.0, 3.0, 0.0};  // label 1 knows label 0
  const std::vector<double> chain = scores(linked, Training::chain);
  const std::vector<double> powerset = scores(two, Training::powerset);
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t j = 0; j < 4; ++j) {
      const bool a = (j & 1U) != 0;
      const bool b = (j & 2U) != 0;
      EXPECT_NEAR(joint[4 * n + j], (a ? z[n][0] : 0.0) + (b ? z[n][1] : 0.0), 1e-12);
      EXPECT_NEAR(own[4 * n + j], log_s(a ? z[n][0] : -z[n][0]) + log_s(b ? z[n][1] : -z[n][1]), 1e-12);
      const double later = z[n][1] + (a ? 3.0 : 0.0);
      EXPECT_NEAR(chain[4 * n + j], log_s(a ? z[n][0] : -z[n][0]) + log_s(b ? later : -later), 1e-12);
    }
    EXPECT_EQ(powerset[4 * n], -std::numeric_limits<double>::infinity());
    EXPECT_NEAR(powerset[4 * n + 1], z[n][0], 1e-12);
    EXPECT_NEAR(powerset[4 * n + 3], z[n][1], 1e-12);
  }
  EXPECT_EQ(scores(two, Training::svm), own);
}

TEST(SetScores, OfAChainSumToOneOverAllSets) {
  LinearWeights linked = two;
  linked.links = {0.0, 0.0, -1.25, 0.0};
  const std::vector<double> found = scores(linked, Training::chain);
  for (std::size_t n = 0; n < 2; ++n) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j) sum += std::exp(found[4 * n + j]);
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

TEST(LinearWeightsValue, ComesBackTheSame) {
  LinearWeights linked = two;
  EXPECT_EQ(linear_weights_from(to_value(linked)), linked);
  linked.links = {0.0, 0.0, 3.0, 0.0};
  EXPECT_EQ(linear_weights_from(to_value(linked)), linked);
}

}  // namespace
}  // namespace motet::multilabel::linear_weights_test
