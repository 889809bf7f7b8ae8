#include "motet/app/multilabel/simulate.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::simulate_test {
namespace {

class MultilabelSimulateVerb : public MultilabelCommand {};

TEST_F(MultilabelSimulateVerb, SimulatedItemsCanBeTrainedOn) {
  ASSERT_EQ(
      run({"simulate", "--items", "200", "--labels", "3", "--features", "4", "--out", "@s.csv", "--truth", "@t.csv"})
          .code,
      0);
  EXPECT_EQ(lines_of("s.csv").size(), 201U);
  EXPECT_EQ(lines_of("s.csv")[0], "x1,x2,x3,x4,label1,label2,label3");
  EXPECT_EQ(lines_of("t.csv").size(), 7U);  // locations and variances
  ASSERT_EQ(run({"train", "@s.csv", "--label-count", "3", "--model", "@m.json", "--no-calibration"}).code, 0);
  const Ran ran = run({"simulate", "--model", "@m.json", "--items", "50"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out.substr(0, 33), "x1,x2,x3,x4,label1,label2,label3\n");
  EXPECT_EQ(run({"simulate", "--items", "20"}).out, run({"simulate", "--items", "20"}).out);
  EXPECT_NE(run({"simulate", "--items", "20", "--seed", "2"}).out, run({"simulate", "--items", "20"}).out);
}

TEST_F(MultilabelSimulateVerb, AModelHasItsSources) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  expect_refused({"simulate", "--model", "@m.json", "--labels", "3"}, 2,
                 "--labels: does not go with --model, which has its sources");
}

}  // namespace
}  // namespace motet::multilabel::simulate_test
