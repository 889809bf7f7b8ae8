#include "motet/superset/ambiguity.h"

#include <gtest/gtest.h>

#include "superset/candidate_cases.h"

namespace motet::superset::ambiguity_test {
namespace {

TEST(Ambiguity, CountsWhatTheCandidatesSay) {
  const std::vector<double> probability = {0.75, 0.25, 0.0, 0.0, 1.0, 0.0, 0.2, 0.2, 0.6};
  const Ambiguity found = ambiguity_of(three_items(), probability);
  EXPECT_EQ(found.by_size, (std::vector<std::size_t>{0, 1, 1, 1}));
  EXPECT_EQ(found.as_any, (std::vector<std::size_t>{2, 3, 1}));
  EXPECT_EQ(found.as_only, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(found.together, (std::vector<double>{1, 1, 0, 1, 2, 0, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(found.expected[1], 1.45);
  EXPECT_EQ(found.confident[7], 1U);
  EXPECT_EQ(found.confident[9], 1U);  // a probability of 1 is in the last
  EXPECT_EQ(found.mean_size, 2.0);
  EXPECT_EQ(found.unlabelled, 1U);
}

TEST(Ambiguity, ConfidenceIsThatOfTheLikeliest) {
  EXPECT_DOUBLE_EQ(mean_confidence(std::vector{0.75, 0.25, 0.0, 0.2, 0.2, 0.6}, 3), 0.675);
  EXPECT_EQ(mean_confidence({}, 3), 0.0);
}

}  // namespace
}  // namespace motet::superset::ambiguity_test
