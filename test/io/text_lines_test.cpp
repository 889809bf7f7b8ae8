#include "motet/io/text_lines.h"

#include <vector>

#include "io/support.h"
#include "support/errors.h"

namespace motet::text_lines_test {
namespace {

std::vector<std::string> lines_in(std::string_view text, std::size_t buffer) {
  const TemporaryFolder folder;
  TextLines lines(folder.write("x.txt", text), buffer);
  std::vector<std::string> result;
  for (std::string_view line; lines.next(line);) result.emplace_back(line);
  EXPECT_EQ(lines.line(), result.size());
  return result;
}

TEST(TextLines, EndWithLfCrlfOrTheFileWhateverTheBuffer) {
  const std::vector<std::string> expected{"ab", "", "cde f", " ", "last"};
  for (std::size_t buffer = 1; buffer < 24; ++buffer) {
    EXPECT_EQ(lines_in("ab\r\n\ncde f\n \nlast", buffer), expected);
    EXPECT_EQ(lines_in("\xEF\xBB\xBF"
                       "ab\n\r\ncde f\r\n \nlast\n",
                       buffer),
              expected);
  }
  EXPECT_TRUE(lines_in("", 8).empty());
  EXPECT_TRUE(lines_in("\xEF\xBB\xBF", 8).empty());
  EXPECT_EQ(lines_in("\n", 8), std::vector<std::string>{""});
}

TEST(TextLines, BinaryAndOtherEncodingsAreRefusedWithTheLine) {
  const TemporaryFolder folder;
  const auto error = [&](std::string_view text) {
    return folder.error_of([&] {
      TextLines lines(folder.write("x.txt", text));
      for (std::string_view line; lines.next(line);) {
      }
    });
  };
  EXPECT_EQ(error({"a\nb\0c\n", 6}), "x.txt:2: this is a binary file (it holds a NUL byte); a text file is needed");
  EXPECT_EQ(error("a\n\xE4pfel\n"), "x.txt:2: the text is not valid UTF-8; convert the file to UTF-8");
}

}  // namespace
}  // namespace motet::text_lines_test
