#include "motet/io/record_file.h"

#include "io/support.h"
#include "motet/io/record_text.h"
#include "support/errors.h"

namespace motet::record_file_test {
namespace {

TEST(RecordFile, HoldsTheTextOfTheRecord) {
  const TemporaryFolder folder;
  const Record record{"judges", 2, Value::object({{"a", 0.5}})};
  write_record(folder / "m.json", record);
  EXPECT_EQ(folder.read("m.json"), record_text(record));
  EXPECT_EQ(read_record(folder / "m.json"), record);
}

TEST(RecordFile, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  folder.write("m.json", "no");
  EXPECT_EQ(folder.error_of([&] { read_record(folder / "m.json"); }), "m.json: not a motet model file");
  EXPECT_EQ(folder.error_of([&] { read_record(folder / "none"); }),
            "none: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace motet::record_file_test
