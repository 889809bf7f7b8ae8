#include "motet/io/words.h"

#include <gtest/gtest.h>

namespace motet::words_test {
namespace {

TEST(Words, TrimmingTakesSpacesAndTabsFromBothEnds) {
  EXPECT_EQ(trimmed("  \ta b\t "), "a b");
  EXPECT_EQ(trimmed("ab"), "ab");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\n a\r"), "\n a\r");  // line ends are not its business
}

TEST(Words, LowerCaseIsThatOfLatinLettersAlone) {
  EXPECT_EQ(lower("@DATA 'Äz' 7Z"), "@data 'Äz' 7z");
  EXPECT_EQ(lower(""), "");
}

}  // namespace
}  // namespace motet::words_test
