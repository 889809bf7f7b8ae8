#include "motet/io/record_file.h"

#include "io/support.h"
#include "motet/io/record_text.h"

namespace motet::record_file_test {
namespace {

TEST(RecordFile, HoldsTheTextOfTheRecord) {
  const TemporaryFolder folder;
  const Record record{"judges", 2, Value::object({{"a", 0.5}})};
  write_record(folder / "m.json", record);
  EXPECT_EQ(folder.read("m.json"), record_text(record));
  EXPECT_EQ(read_record(folder / "m.json"), record);
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

TEST(RecordFile, SaysWhatToDoWithAChangedFile) {
  const TemporaryFolder folder;
  write_record(folder / "m.json", some_record());
  std::string text = folder.read("m.json");
  text.replace(text.find("17"), 2, "18");
  folder.write("m.json", text);
  EXPECT_EQ(
      folder.error_of([&] { read_record(folder / "m.json"); }),
      "m.json: its checksum does not fit, so the file was changed or damaged; make it again, or, if you edited it "
      "yourself, remove the line \"checksum\"");
  const std::size_t line = text.find(" \"checksum\"");
  text.erase(line, text.find('\n', line) + 1 - line);
  folder.write("m.json", text);
  EXPECT_EQ(read_record(folder / "m.json").fields.at("iteration"), Value(18));
  folder.write("m.json", R"({"format": "motet-model", "kind": "x", "version": 1, "chexsum": "0", "fields": {}})");
  EXPECT_EQ(folder.error_of([&] { read_record(folder / "m.json"); }),
            "m.json: field 'chexsum' does not belong to a model file; the file was changed or damaged, make it again");
}

TEST(RecordFile, BlanksAndNumbersInOtherWordsAreNoChange) {
  const TemporaryFolder folder;
  const Record record = some_record();
  write_record(folder / "m.json", record);
  std::string text = folder.read("m.json");
  text.replace(text.find("0.1,"), 4, "1e-1 ,\n");
  folder.write("m.json", text);
  EXPECT_EQ(read_record(folder / "m.json"), record);
}

TEST(RecordFile, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  for (const char* text : {"", "item,judge,label\n", "[1, 2]", "{}", "{\"format\": \"other\"}",
                           "{\"format\": \"motet-model\", \"kind\": 1, \"version\": 1, \"fields\": {}}",
                           "{\"format\": \"motet-model\", \"kind\": \"x\", \"version\": 1.5, \"fields\": {}}",
                           "{\"format\": \"motet-model\", \"kind\": \"x\", \"version\": 1, \"fields\": []}"}) {
    folder.write("m.json", text);
    EXPECT_EQ(folder.error_of([&] { read_record(folder / "m.json"); }), "m.json: not a motet model file") << text;
  }
  folder.write("m.json", "{\"format\": \"motet-model\",\n");
  EXPECT_EQ(folder.error_of([&] { read_record(folder / "m.json"); }),
            "m.json:2: not valid JSON: syntax error while parsing object key - unexpected end of input; expected "
            "string literal");
}

}  // namespace
}  // namespace motet::record_file_test
