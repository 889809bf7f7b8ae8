#include "motet/io/json.h"

#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "io/support.h"
#include "support/errors.h"

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

}  // namespace
}  // namespace motet::json_test
