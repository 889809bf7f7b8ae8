#include "motet/io/access_spaced.h"

#include "io/holdings.h"
#include "io/support.h"

namespace motet::access_spaced_test {
namespace {

const FileReader spaced_in{"a.txt", [](const std::string& path, bool no_header = false) {
                             AccessFormat format;
                             format.no_header = no_header;
                             return told(read_spaced_pairs(path, format, {}), ":", " ");
                           }};

TEST(SpacedPairs, BlanksStandBetween) {
  EXPECT_EQ(spaced_in("   1      2\n\n3\t2  \r\n 1 4"), "1:2 3:2 1:4 ");
  EXPECT_EQ(spaced_in(""), "");
}

TEST(SpacedPairs, AHeaderSaysWhichIsWhich) {
  EXPECT_EQ(spaced_in("Group  Login\nread ann\n"), "ann:read ");
  EXPECT_EQ(spaced_in("Group  Login\nread ann\n", true), "Group:Login read:ann ");
}

TEST(SpacedPairs, Errors) {
  spaced_in.expect_errors(
      {{"1 2\n1 2 3\n", "a.txt:2: 3 words; a user and a permission are needed, with blanks between them"},
       {"1\n", "a.txt:1: 1 word; a user and a permission are needed, with blanks between them"}});
}

}  // namespace
}  // namespace motet::access_spaced_test
