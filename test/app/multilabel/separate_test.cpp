#include "motet/app/multilabel/separate.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::separate_test {
namespace {

class SeparateVerb : public MultilabelCommand {};

TEST_F(SeparateVerb, EmissionsAddUpToTheItem) {
  for (const bool standardized : {false, true}) {
    std::vector<std::string> more{"--no-calibration"};
    if (standardized) more.push_back("--standardize");
    ASSERT_EQ(train(more).code, 0);
    const Ran ran = run({"separate", "@test.csv", "--model", "@m.json", "--out", "@s.csv"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "120 items, 180 emissions of their sources; label sets as in the data\n");
    const std::vector<std::string> lines = lines_of("s.csv");
    EXPECT_EQ(lines[0], "item,source,x,y");
    EXPECT_EQ(lines[1].substr(0, 5), "i1,a,");
    EXPECT_EQ(lines[4].substr(0, 5), "i4,a,");
    EXPECT_EQ(lines[5].substr(0, 5), "i4,b,");
    const auto x_of = [](const std::string& line) {
      return std::stod(line.substr(line.find(',', line.find(',') + 1) + 1));
    };
    const std::string item = lines_of("test.csv")[4];
    const double x = std::stod(item.substr(item.find(',') + 1));
    if (!standardized) {
      EXPECT_NEAR(x_of(lines[4]) + x_of(lines[5]), x, 1e-9);
    }
    if (standardized) {
      EXPECT_NE(x_of(lines[4]), 0.0);
    }
  }
}

TEST_F(SeparateVerb, EmissionsOfAProjectionAreInItsComponents) {
  ASSERT_EQ(train({"--no-calibration", "--pca", "1"}).code, 0);
  ASSERT_EQ(run({"separate", "@test.csv", "--model", "@m.json", "--out", "@s.csv", "--spread", "--predicted"}).code, 0);
  EXPECT_EQ(lines_of("s.csv")[0], "item,source,pc1,pc1_sd");
}

}  // namespace
}  // namespace motet::multilabel::separate_test
