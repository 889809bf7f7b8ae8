#include "motet/app/roles/grants_sentence.h"

#include <gtest/gtest.h>

namespace motet::roles::grants_sentence_test {
namespace {

TEST(GroupedDigits, AThousandAComma) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(185294), "185,294");
  EXPECT_EQ(grouped_digits(1234567), "1,234,567");
}

TEST(PlainPercent, OfNothingIsNothing) {
  EXPECT_EQ(plain_percent(1, 8), "12.5 %");
  EXPECT_EQ(plain_percent(3, 3), "100.0 %");
  EXPECT_EQ(plain_percent(0, 0), "0 %");
}

TEST(GrantsSentence, SaysWhatRolesCoverGrantAndLeave) {
  EXPECT_EQ(grants_sentence(20, {148235, 12, 37059}),
            "20 roles cover 80.0 % of 185,294 grants, would newly grant 12, 37,059 stay individual");
  EXPECT_EQ(grants_sentence(1, {0, 0, 1}), "1 role covers 0 % of 1 grant, would newly grant 0, 1 stays individual");
}

TEST(GrantsSentence, NothingLeftIsSaidOnlyWhereNothingIs) {
  EXPECT_EQ(grants_sentence(3, {99999, 0, 1}),
            "3 roles cover 99.9 % of 100,000 grants, would newly grant 0, 1 stays individual");
  EXPECT_EQ(grants_sentence(3, {1, 0, 99999}),
            "3 roles cover 0.1 % of 100,000 grants, would newly grant 0, 99,999 stay individual");
  EXPECT_EQ(grants_sentence(3, {10, 0, 0}), "3 roles cover 100 % of 10 grants, would newly grant 0, 0 stay individual");
  EXPECT_EQ(grants_sentence(0, {}), "0 roles cover 0 % of 0 grants, would newly grant 0, 0 stay individual");
}

TEST(WorseThanNone, IsWarnedOf) {
  EXPECT_EQ(worse_than_none({60, 59, 40}), "");
  EXPECT_EQ(worse_than_none({0, 0, 0}), "");
  EXPECT_EQ(worse_than_none({30000, 103501, 15427}),
            "without roles there would be fewer wrong cells: 45,427 grants stay individual, against 15,427 that would "
            "stay so and 103,501 that the roles would newly grant; --over-grant-cost never, or more roles, may help");
  EXPECT_EQ(worse_than_none({60, 60, 40}).substr(0, 57), "without roles there would be no more wrong cells: 100 gra");
}

}  // namespace
}  // namespace motet::roles::grants_sentence_test
