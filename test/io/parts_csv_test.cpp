#include "motet/io/parts_csv.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::parts_csv_test {
namespace {

using Parts = std::vector<std::uint32_t>;

Parts parts_in(std::string_view text, std::size_t items) {
  const TemporaryFolder folder;
  return read_parts(folder.write("x.csv", text), items);
}

std::string error_in(std::string_view text, std::size_t items) {
  const TemporaryFolder folder;
  folder.write("x.csv", text);
  return folder.error_of([&] { read_parts(folder / "x.csv", items); });
}

TEST(ReadParts, PartsAreNumberedInTheOrderInWhichTheyCome) {
  EXPECT_EQ(parts_in("item,part\np,odd\nq,even\nr,odd\ns,\"last, too\"\n", 4), (Parts{0, 1, 0, 2}));
  EXPECT_EQ(parts_in("part\n3\n1\n", 2), (Parts{0, 1}));
}

TEST(ReadParts, EveryItemNeedsOne) {
  EXPECT_EQ(error_in("part\n1\n2\n", 3), "x.csv: 2 rows for 3 items; one each is needed, in the order of the items");
  EXPECT_EQ(error_in("part\n1\n2\n1\n", 2), "x.csv: 3 rows for 2 items; one each is needed, in the order of the items");
  EXPECT_EQ(error_in("part\n1\n1\n", 2), "x.csv: only one part; at least two are needed");
  EXPECT_EQ(error_in("part,x\n1,\n,2\n", 2), "x.csv:3: the part is empty");
  EXPECT_EQ(error_in("fold\n1\n2\n", 2), "x.csv:1: a column 'part' is needed; found 'fold'");
}

}  // namespace
}  // namespace motet::parts_csv_test
