#include "motet/app/multilabel/learning.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::learning_test {
namespace {

class MultilabelLearningCurve : public MultilabelCommand {};

TEST_F(MultilabelLearningCurve, LearningCurvesOfTrainings) {
  const Ran ran = run({"evaluate", "@test.csv", "--label-count", "3", "--train", "@train.csv", "--compare",
                       "new,deconvolution", "--learning-curve", "--repeats", "1", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  const Value::List& points = json.at("learning_curve").as_list();
  ASSERT_GE(points.size(), 4U);
  EXPECT_EQ(points.back().at("method").as_text(), "deconvolution");
  // All items, as in the comparison.
  EXPECT_EQ(points.back().at("error_rate").as_number(),
            json.at("comparison").as_list().at(1).at("error_rate").as_number());
}

}  // namespace
}  // namespace motet::multilabel::learning_test
