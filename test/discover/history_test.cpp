#include "motet/discover/history.h"

#include <gtest/gtest.h>

namespace motet::discover::history_test {
namespace {

TEST(AnswerHistory, CountsTheLastAnswerToEachRow) {
  const std::vector<AnswerEntry> history = {{1, {3, AnswerKind::of_class, "bird"}, "ada", 0, false},
                                            {2, {4, AnswerKind::of_class, "bird"}, "", 0, true},
                                            {3, {5, AnswerKind::nothing, ""}, "ada", 0, false},
                                            {4, {3, AnswerKind::of_class, "background"}, "", 0, false},
                                            {5, {6, AnswerKind::not_sure, ""}, "ada", 0, false},
                                            {6, {7, AnswerKind::of_class, "bird"}, "ada", 0, false}};
  const AnswerCounts counts = count_answers(history, {"background", "bird"});
  ASSERT_EQ(counts.classes.size(), 2U);
  EXPECT_EQ(counts.classes[0].answers, 2U);
  EXPECT_EQ(counts.classes[0].first, 3);
  EXPECT_EQ(counts.classes[1].answers, 1U);
  EXPECT_EQ(counts.classes[1].first, 6);
  EXPECT_EQ(counts.unsure, 1U);
  EXPECT_EQ(counts.undone, 1U);
  ASSERT_EQ(counts.labelers.size(), 2U);
  EXPECT_EQ(counts.labelers[0].name, "");
  EXPECT_EQ(counts.labelers[0].answers, 1U);
  EXPECT_EQ(counts.labelers[0].undone, 1U);
  EXPECT_EQ(counts.labelers[1].answers, 4U);
}

TEST(AnswerHistory, CountsClassesByTheirPresentNames) {
  std::vector<AnswerEntry> history = {{1, {3, AnswerKind::of_class, "brid"}, "ada", 0, false},
                                      {2, {}, "ada", 0, false, ClassChange{false, "brid", "bird"}},
                                      {3, {4, AnswerKind::of_class, "owl"}, "ada", 0, false},
                                      {4, {}, "bo", 0, false, ClassChange{true, "owl", "bird"}},
                                      {5, {}, "bo", 0, true, ClassChange{false, "bird", "animal"}}};
  const AnswerCounts counts = count_answers(history, {"background", "bird"});
  EXPECT_EQ(counts.classes[0].answers, 0U);
  EXPECT_EQ(counts.classes[1].answers, 2U);
  EXPECT_EQ(counts.classes[1].first, 1);
  EXPECT_EQ(counts.labelers[0].answers, 2U);
  EXPECT_EQ(counts.labelers[1].answers, 0U);
  EXPECT_EQ(counts.labelers[1].undone, 1U);
  EXPECT_EQ(counts.undone, 1U);
}

}  // namespace
}  // namespace motet::discover::history_test
