#include "io/support.h"
#include "motet/io/json.h"

namespace motet::record_file_test {
namespace {

TEST(RecordFile, HoldsTheTextOfTheRecord) {
  const TemporaryFolder folder;
  const Record record{"judges", 2, Value::object({{"a", 0.5}})};
  write_record(folder / "m.json", record);
  EXPECT_EQ(folder.read("m.json"), record_text(record));
  EXPECT_EQ(read_record(folder / "m.json"), record);
  EXPECT_EQ(parse_record(record_text(record), "x"), record);
}

TEST(RecordFile, ErrorsNameTheFileOrTheSource) {
  const TemporaryFolder folder;
  folder.write("m.json", "no");
  EXPECT_EQ(folder.error_of([&] { read_record(folder / "m.json"); }), "m.json: not a motet model file");
  EXPECT_EQ(folder.error_of([&] { parse_record("no", "model"); }), "model: not a motet model file");
}

}  // namespace
}  // namespace motet::record_file_test
