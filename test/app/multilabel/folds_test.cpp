#include "motet/app/multilabel/folds.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::folds_test {
namespace {

class EvaluateFolds : public MultilabelCommand {};

TEST_F(EvaluateFolds, ALabelThatAFoldLacksIsNeverGivenThere) {
  std::string text = small_items(60, 3);
  text.replace(0, text.find('\n'), "item,x,y,a,b,c,d");
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 3)) {
    const std::size_t end = text.find('\n', at + 1);
    text.insert(end, end == text.size() - 1 ? ",1" : ",0");
  }
  folder.write("d.csv", text);
  const Ran ran = run({"evaluate", "@d.csv", "--label-count", "4", "--cross-validate", "2", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("label 'd' is in no training item of fold"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace motet::multilabel::folds_test
