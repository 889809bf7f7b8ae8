#include "motet/superset/ambiguity.h"

#include <gtest/gtest.h>

namespace motet::superset::ambiguity_test {
namespace {

TEST(Ambiguity, CountsWhatTheCandidatesSay) {
  CandidateItems items;
  items.features.columns = {"x"};
  items.features.values = {0, 1, 2};
  items.classes = {"cat", "dog", "eel"};
  items.starts = {0, 2, 3, 6};
  items.label = {0, 1, 1, 0, 1, 2};
  const std::vector<double> probability = {0.75, 0.25, 0.0, 0.0, 1.0, 0.0, 0.2, 0.2, 0.6};
  const Ambiguity found = ambiguity_of(items, probability);
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

}  // namespace
}  // namespace motet::superset::ambiguity_test
