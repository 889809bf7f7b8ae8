#include "motet/io/record_text.h"

#include "io/support.h"

namespace motet::record_text_test {
namespace {

TEST(RecordText, IsAnObjectWithAChecksumThatComesBack) {
  const Record record{"judges", 3, Value::object({{"prior", Value::list({0.1, 0.9})}, {"text", "x"}})};
  EXPECT_EQ(record_text(record),
            "{\n \"format\": \"motet-model\",\n \"kind\": \"judges\",\n \"version\": 3,\n"
            " \"checksum\": \"8cadf3958aafd48a\",\n \"fields\": {\n"
            "  \"prior\": [0.1, 0.9],\n  \"text\": \"x\"\n }\n}\n");
  EXPECT_EQ(parse_record(record_text(record), "model"), record);
}

TEST(RecordText, ErrorsNameTheSource) {
  const TemporaryFolder folder;
  EXPECT_EQ(folder.error_of([&] { parse_record("no", "model"); }), "model: not a motet model file");
  std::string text = record_text({"judges", 3, Value::object({{"prior", 0.25}})});
  text.replace(text.find("0.25"), 4, "0.75");
  EXPECT_EQ(folder.error_of([&] { parse_record(text, "model"); }),
            "model: its checksum does not fit, so the file was changed or damaged; make it again, or, if you edited it "
            "yourself, remove the line \"checksum\"");
}

}  // namespace
}  // namespace motet::record_text_test
