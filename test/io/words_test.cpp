#include "motet/io/words.h"
#include "support/words.h"

#include <gtest/gtest.h>

#include "io/support.h"

namespace motet::words_test {
namespace {

TEST(Words, TrimmingTakesSpacesAndTabsFromBothEnds) {
  expect_each(trimmed, {{"  \ta b\t ", "a b"},
                        {"ab", "ab"},
                        {" \t ", ""},
                        {"", ""},
                        {"\n a\r", "\n a\r"}});  // line ends are not its business
}

TEST(Words, LowerCaseIsThatOfLatinLettersAlone) {
  EXPECT_EQ(lower("@DATA 'Äz' 7Z"), "@data 'Äz' 7z");
  EXPECT_EQ(lower(""), "");
}

}  // namespace
}  // namespace motet::words_test
