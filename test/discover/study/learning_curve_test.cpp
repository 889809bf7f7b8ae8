#include "motet/discover/study/learning_curve.h"

#include <gtest/gtest.h>

#include "motet/discover/certificate.h"
#include "motet/discover/questions/propagate.h"

namespace motet::discover::learning_curve_test {
namespace {

// Ten rows of one sequence; the model gives two of them to class 1.
struct Search {
  Features features;
  Discovery discovery;
  Propagation rows;

  Search() {
    features.columns = {"x"};
    features.values.assign(10, 0.0);
    features.starts = {0, 10};
    features.sequences = {"a"};
    discovery.options.exclusion = 1;
    discovery.mixture.classes = {"background", "bird"};
    rows.of_class.assign(10, 0);
    rows.of_class[4] = rows.of_class[5] = 1;
    rows.probability.assign(10, 1.0);
  }
};

TEST(LearningCurve, CountsClassesAndCoveredRowsAnswerByAnswer) {
  Search search;
  search.discovery.answers = {
      {0, AnswerKind::nothing, ""}, {5, AnswerKind::of_class, "bird"}, {6, AnswerKind::not_sure, ""}};
  const LearningCurve curve = learning_curve(search.features, search.discovery, search.rows);
  EXPECT_EQ(curve.classes, (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(curve.covered, (std::vector<double>{0.2, 0.5, 0.5}));
}

TEST(LearningCurve, CountsOnlyAnswersThatHold) {
  Search search;
  search.discovery.answers = {{5, AnswerKind::of_class, "brid"},
                              {5, AnswerKind::of_class, "bird"},
                              {4, AnswerKind::of_class, "bird"},
                              {5, AnswerKind::nothing, ""},
                              {4, AnswerKind::not_sure, ""}};
  EXPECT_EQ(learning_curve(search.features, search.discovery, search.rows).classes,
            (std::vector<double>{1, 1, 1, 1, 0}));
}

TEST(LearningCurve, RandomQuestionsFindAClassByItsShareOfTheRows) {
  Search search;
  search.discovery.answers.assign(10, {0, AnswerKind::nothing, ""});
  const LearningCurve curve = learning_curve(search.features, search.discovery, search.rows);
  // 1 - C(8, r) / C(10, r)
  EXPECT_NEAR(curve.at_random[0], 0.2, 1e-12);
  EXPECT_NEAR(curve.at_random[1], 1.0 - 28.0 / 45.0, 1e-12);
  EXPECT_NEAR(curve.at_random[7], 1.0 - 1.0 / 45.0, 1e-12);
  EXPECT_DOUBLE_EQ(curve.at_random[8], 1.0);
  EXPECT_DOUBLE_EQ(curve.at_random[9], 1.0);
}

TEST(PromisedCover, EachQuestionAddsOneMoreThanTheExclusion) {
  SearchCertificate certificate{.exclusion = 3};
  EXPECT_EQ(promised_cover(certificate, 8, 3), (std::vector<double>{0.5, 1.0, 1.0}));
}

}  // namespace
}  // namespace motet::discover::learning_curve_test
