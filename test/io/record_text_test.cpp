#include "motet/io/record_text.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace motet::record_text_test {
namespace {

std::string told(std::string_view text) {
  return refusal([&] { parse_record(text, "m.json"); });
}

TEST(RecordText, RoundTrip) {
  const Record record{"judges", 3, Value::object({{"prior", Value::list({0.1, 0.9})}, {"text", "x"}})};
  const std::string text = record_text(record);
  EXPECT_EQ(parse_record(text, "m.json"), record);
  EXPECT_EQ(text,
            "{\n \"format\": \"motet-model\",\n \"kind\": \"judges\",\n \"version\": 3,\n"
            " \"checksum\": \"8cadf3958aafd48a\",\n \"fields\": {\n"
            "  \"prior\": [0.1, 0.9],\n  \"text\": \"x\"\n }\n}\n");
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
      if (told(changed) != "accepted") {
        ++refused;
      } else {
        EXPECT_EQ(parse_record(changed, "m.json"), record) << changed;
      }
    }
  }
  EXPECT_GT(refused, 4 * whole.size());
}

TEST(RecordText, SaysWhatToDoWithAChangedFile) {
  std::string text = record_text(some_record());
  text.replace(text.find("17"), 2, "18");
  EXPECT_EQ(told(text),
            "m.json: its checksum does not fit, so the file was changed or damaged; make it again, or, if you edited "
            "it yourself, remove the line \"checksum\"");
  const std::size_t line = text.find(" \"checksum\"");
  text.erase(line, text.find('\n', line) + 1 - line);
  EXPECT_EQ(parse_record(text, "m.json").fields.at("iteration"), Value(18));
  EXPECT_EQ(told(R"({"format": "motet-model", "kind": "x", "version": 1, "chexsum": "0", "fields": {}})"),
            "m.json: field 'chexsum' does not belong to a model file; the file was changed or damaged, make it again");
}

TEST(RecordText, BlanksAndNumbersInOtherWordsAreNoChange) {
  std::string text = record_text(some_record());
  text.replace(text.find("0.1,"), 4, "1e-1 ,\n");
  EXPECT_EQ(parse_record(text, "m.json"), some_record());
}

TEST(RecordText, OtherTextsAreRefused) {
  for (const char* text : {"", "item,judge,label\n", "[1, 2]", "{}", "{\"format\": \"other\"}",
                           "{\"format\": \"other\", \"kind\": \"x\", \"version\": 1, \"fields\": {}}",
                           "{\"format\": \"motet-model\", \"kind\": 1, \"version\": 1, \"fields\": {}}",
                           "{\"format\": \"motet-model\", \"kind\": \"x\", \"version\": 1.5, \"fields\": {}}",
                           "{\"format\": \"motet-model\", \"kind\": \"x\", \"version\": 1, \"fields\": []}"}) {
    EXPECT_EQ(told(text), "m.json: not a motet model file") << text;
  }
  EXPECT_EQ(told("{\"format\": \"motet-model\",\n"),
            "m.json:2: not valid JSON: syntax error while parsing object key - unexpected end of input; expected "
            "string literal");
}

// A version that no int can hold is one of a future beyond all others, or damage.
TEST(RecordText, VersionsBeyondAnIntAreTheNewestOrNone) {
  const auto version = [](std::string_view number) {
    return parse_record("{\"format\": \"motet-model\", \"kind\": \"x\", \"version\": " + std::string(number) +
                            ", \"fields\": {}}",
                        "m.json")
        .version;
  };
  EXPECT_EQ(version("7"), 7);
  EXPECT_EQ(version("9999999999"), 2147483647);
  EXPECT_EQ(version("-3"), 0);
}

}  // namespace
}  // namespace motet::record_text_test
