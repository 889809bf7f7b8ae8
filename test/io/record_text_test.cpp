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

Record some_record() {
  return {"checkpoint", 1,
          Value::object({{"fingerprint", "0123456789abcdef"},
                         {"iteration", 17},
                         {"parameters", Value::list({0.1, -2.5e-300, 1e15, 3.0, -0.0})},
                         {"names", Value::list({"a\"b", "\u00e9", ""})},
                         {"none", Value()},
                         {"on", true}})};
}

// Every byte of a text changed in several ways: refused, or what was written.
TEST(RecordText, AChangedByteIsRefusedOrChangesNothing) {
  const Record record = some_record();
  const std::string whole = record_text(record);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char byte :
         {'0', '7', 'e', '-', ' ', static_cast<char>(whole[i] ^ 1), static_cast<char>(whole[i] ^ 64)}) {
      if (byte == whole[i]) continue;
      std::string changed = whole;
      changed[i] = byte;
      try {
        EXPECT_EQ(parse_record(changed, "model"), record) << changed;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_data);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 4 * whole.size());
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
