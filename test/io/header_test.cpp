#include "motet/io/header.h"

#include "io/support.h"

namespace motet {
namespace {

TEST(Header, FindsColumns) {
  const std::vector<std::string> header = {"a", "b"};
  EXPECT_EQ(column_of(header, "b"), 1U);
  EXPECT_EQ(column_of(header, "c"), std::nullopt);
}

TEST(Header, LineIsThatOfTheHeader) {
  const TemporaryFolder folder;
  const CsvReader reader(folder.write("x.csv", "\n\na,b,a\n"));
  EXPECT_EQ(folder.error_of([&] { require_header(reader); }),
            "x.csv:3: column 'a' appears twice; the first line must be the header");
}

}  // namespace
}  // namespace motet
