#include "motet/judges/tied/error_inference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "judges/tied_votes.h"
#include "motet/base/numeric.h"

namespace motet::judges::error_inference_test {
namespace {

constexpr double rounding = 1e-12;

TEST(ErrorInference, IsBayesRuleOverAllPatternsOfErrors) {
  for (const std::vector<double>& prior : {std::vector<double>{0.6, 0.4}, three_classes}) {
    const std::size_t classes = prior.size();
    const auto labels = linked_labels(prior, Seed{21});
    const Votes votes = votes_from(labels, classes);
    const ErrorInference inference(linked_dependence(), classes);
    std::vector<double> posterior(classes);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      std::vector<double> joint;
      for (std::size_t y = 0; y < classes; ++y) {
        joint.push_back(brute_force_log_joint(linked_dependence(), prior, labels[i], y));
      }
      const double total = log_sum_exp(joint);
      EXPECT_NEAR(inference.infer(prior, votes.of_item(i), Votes::unknown, posterior), total, rounding);
      for (std::size_t y = 0; y < classes; ++y) EXPECT_NEAR(posterior[y], std::exp(joint[y] - total), rounding);
      EXPECT_NEAR(inference.infer(prior, votes.of_item(i), 1, posterior), joint[1], rounding);
      for (std::size_t y = 0; y < classes; ++y) EXPECT_EQ(posterior[y], y == 1 ? 1.0 : 0.0);
    }
  }
}

TEST(ErrorInference, WithoutVotesThePriorIsAllThereIs) {
  const ErrorInference inference(linked_dependence(), 3);
  std::vector<double> posterior(3);
  EXPECT_NEAR(inference.infer(three_classes, {}, Votes::unknown, posterior), 0.0, rounding);
  for (std::size_t y = 0; y < 3; ++y) EXPECT_NEAR(posterior[y], three_classes[y], rounding);
}

TEST(ErrorInference, APairMayBeNamedEitherWayRound) {
  ErrorDependence turned = linked_dependence();
  for (ErrorDependence::Pair& pair : turned.pairs) std::swap(pair.first, pair.second);
  const ErrorInference one(linked_dependence(), 3);
  ErrorInference moved(turned, 3);
  const ErrorInference two = std::move(moved);
  const Votes votes = linked_votes(3, Seed{22});
  std::vector<double> first(3);
  std::vector<double> second(3);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    EXPECT_EQ(one.infer(three_classes, votes.of_item(i), Votes::unknown, first),
              two.infer(three_classes, votes.of_item(i), Votes::unknown, second));
    EXPECT_EQ(first, second);
  }
}

}  // namespace
}  // namespace motet::judges::error_inference_test
