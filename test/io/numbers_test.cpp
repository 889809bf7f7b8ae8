#include "motet/io/numbers.h"

#include <gtest/gtest.h>

namespace motet::numbers_test {
namespace {

TEST(Numbers, AreFiniteAndStandAlone) {
  EXPECT_EQ(number_in("-1.5"), -1.5);
  EXPECT_EQ(number_in("+2"), 2.0);
  EXPECT_EQ(number_in("3e-7"), 3e-7);
  for (const char* text : {"", "+", "++1", " 1", "1 ", "0x1", "nan", "inf", "+inf", "1e999", "one"}) {
    EXPECT_TRUE(std::isnan(number_in(text))) << text;
  }
}

TEST(Numbers, TextIsNeitherEmptyNorANumber) {
  for (const char* text : {"1", "+1", "inf", "+inf", "-nan", "1e999", ""}) EXPECT_FALSE(is_text(text)) << text;
  for (const char* text : {"one", "1 ", "+", "++1"}) EXPECT_TRUE(is_text(text)) << text;
}

TEST(Numbers, ProblemsOfFeaturesShowTheText) {
  EXPECT_EQ(feature_problem("+inf", "hint"), "is '+inf'; every feature needs a finite number");
  EXPECT_EQ(feature_problem("11one", "leave it out"), "is '11one', which is no number; leave it out");
  EXPECT_EQ(feature_problem("11one", "leave it out", 2), "is '11', which is no number; leave it out");
}

}  // namespace
}  // namespace motet::numbers_test
