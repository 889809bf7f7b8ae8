#include "motet/io/json.h"

#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "io/support.h"

namespace motet::json_test {
namespace {

std::string parse_error(std::string_view text) {
  return TemporaryFolder().error_of([&] { parse_json(text, "m.json"); });
}

TEST(Json, Writes) {
  const Value value = Value::object({{"name", "a \"b\"\n\xC3\xA4"},
                                     {"list", Value::list({1, 2.5, true, Value()})},
                                     {"rows", Value::list({Value::list({1, 2}), Value::list({3.0})})},
                                     {"none", Value::object({})},
                                     {"bad", std::nan("")}});
  EXPECT_EQ(to_json(value, 0),
            "{\"name\":\"a \\\"b\\\"\\n\xC3\xA4\",\"list\":[1,2.5,true,null],\"rows\":[[1,2],[3.0]],\"none\":{},"
            "\"bad\":null}");
  EXPECT_EQ(to_json(value, 1),
            "{\n \"name\": \"a \\\"b\\\"\\n\xC3\xA4\",\n \"list\": [1, 2.5, true, null],\n \"rows\": [\n  [1, 2],\n"
            "  [3.0]\n ],\n \"none\": {},\n \"bad\": null\n}");
  EXPECT_EQ(to_json(Value(std::numeric_limits<double>::infinity()), 1), "null");
  EXPECT_EQ(to_json(Value("\xFF"), 0), "\"\xEF\xBF\xBD\"");
}

TEST(Json, LongListsOfNumbersTakeOneLine) {
  const std::string text = to_json(Value::object({{"x", Value::list_of(std::vector<double>(1000, 0.5))}}), 1);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(Json, ReadsEveryKind) {
  const Value value =
      parse_json("\n{\"a\": [null, true, -3, 2.0, \"\\u00e4\"], \"b\": {}, \"c\": 18446744073709551615}", "x");
  EXPECT_EQ(value, Value::object({{"a", Value::list({Value(), true, -3, 2.0, "\xC3\xA4"})},
                                  {"b", Value(Value::Object{})},
                                  {"c", 18446744073709551615.0}}));
}

TEST(Json, NumbersRoundTripExactly) {
  EXPECT_TRUE(rc::check([] {
    const auto bits = *rc::gen::arbitrary<std::uint64_t>();
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof number);
    RC_PRE(std::isfinite(number));
    const Value back = parse_json(to_json(Value(number), 0), "x");
    RC_ASSERT(!back.is_whole());
    RC_ASSERT(std::signbit(back.as_number()) == std::signbit(number));
    RC_ASSERT(back.as_number() == number);
    const auto whole = static_cast<std::int64_t>(bits);
    RC_ASSERT(parse_json(to_json(Value(whole), 0), "x") == Value(whole));
  }));
}

TEST(Json, ErrorsNameTheLine) {
  EXPECT_EQ(parse_error("{\n\"a\": 1,\n\"b\": x\n}"),
            "m.json:3: not valid JSON: syntax error while parsing value - invalid literal; last read: '\"b\": x'");
  EXPECT_EQ(parse_error("{\"a\": [1,"),
            "m.json:1: not valid JSON: syntax error while parsing value - unexpected end of input; expected '[', '{', "
            "or a literal");
  EXPECT_EQ(parse_error("[1e999]"), "m.json:1: not valid JSON: number overflow parsing '1e999'");
  EXPECT_EQ(parse_error(std::string(300, '[')), "m.json: lists and objects are nested deeper than 200");
}

TEST(Record, RoundTrip) {
  const TemporaryFolder folder;
  const Record record{"judges", 3, Value::object({{"prior", Value::list({0.1, 0.9})}, {"text", "x"}})};
  write_record(folder / "m.json", record);
  EXPECT_EQ(read_record(folder / "m.json"), record);
  EXPECT_EQ(folder.read("m.json"),
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

// Every byte of a file changed in several ways: refused, or what was written.
TEST(Record, AChangedByteIsRefusedOrChangesNothing) {
  const TemporaryFolder folder;
  const Record record = some_record();
  write_record(folder / "m.json", record);
  const std::string whole = folder.read("m.json");
  std::size_t refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char byte :
         {'0', '7', 'e', '-', ' ', static_cast<char>(whole[i] ^ 1), static_cast<char>(whole[i] ^ 64)}) {
      if (byte == whole[i]) continue;
      std::string changed = whole;
      changed[i] = byte;
      folder.write("m.json", changed);
      try {
        EXPECT_EQ(read_record(folder / "m.json"), record) << changed;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_data);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 4 * whole.size());
}

TEST(Record, SaysWhatToDoWithAChangedFile) {
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

TEST(Record, BlanksAndNumbersInOtherWordsAreNoChange) {
  const TemporaryFolder folder;
  const Record record = some_record();
  write_record(folder / "m.json", record);
  std::string text = folder.read("m.json");
  text.replace(text.find("0.1,"), 4, "1e-1 ,\n");
  folder.write("m.json", text);
  EXPECT_EQ(read_record(folder / "m.json"), record);
}

TEST(Record, OtherFilesAreRefused) {
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
}  // namespace motet::json_test
