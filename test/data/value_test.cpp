#include "motet/data/value.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/errors.h"

namespace motet::value_test {
namespace {

std::string refusal(const std::function<void()>& body) { return error_of(body, ErrorKind::bad_data); }

TEST(Value, KnowsWhatItIs) {
  EXPECT_TRUE(Value().is_null());
  EXPECT_TRUE(Value(true).is_bool());
  EXPECT_TRUE(Value("text").is_text());
  EXPECT_TRUE(Value(std::string_view("text")).is_text());
  EXPECT_TRUE(Value(3U).is_whole());
  EXPECT_TRUE(Value(3).is_number());
  EXPECT_FALSE(Value(3.0).is_whole());
  EXPECT_TRUE(Value::list({}).is_list());
  EXPECT_TRUE(Value::object({}).is_object());
  EXPECT_EQ(Value(3).as_number(), 3.0);
  EXPECT_EQ(Value(-3).as_whole(), -3);
  EXPECT_EQ(Value::list_of(std::vector<double>{1.5, 2.5}), Value::list({1.5, 2.5}));
}

TEST(Value, SaysWhatWasExpectedAndWhatWasFound) {
  EXPECT_EQ(refusal([] { (void)Value("x").as_number(); }), "expected a number, found text");
  EXPECT_EQ(refusal([] { (void)Value(1).as_bool(); }), "expected a truth value, found a number");
  EXPECT_EQ(refusal([] { (void)Value(1.5).as_whole(); }), "expected a whole number, found a number");
  EXPECT_EQ(refusal([] { (void)Value(true).as_text(); }), "expected text, found a truth value");
  EXPECT_EQ(refusal([] { (void)Value::object({}).as_list(); }), "expected a list, found an object");
  EXPECT_EQ(refusal([] { (void)Value().as_object(); }), "expected an object, found null");
  EXPECT_EQ(refusal([] { (void)Value::list({}).as_object(); }), "expected an object, found a list");
}

TEST(Value, FieldsKeepTheirOrderAndAreReplacedInPlace) {
  Value value;
  value.set("b", 1);
  value.set("a", 2);
  value.set("b", "new");
  EXPECT_EQ(value, Value::object({{"b", "new"}, {"a", 2}}));
  EXPECT_EQ(value.at("a"), Value(2));
  EXPECT_EQ(value.find("c"), nullptr);
  EXPECT_EQ(Value(1).find("c"), nullptr);
  EXPECT_EQ(refusal([&] { (void)value.at("c"); }), "field 'c' is missing");
  EXPECT_EQ(refusal([] { (void)Value(1).at("c"); }), "field 'c' is missing");
  Value text("x");
  EXPECT_EQ(refusal([&] { text.set("a", 1); }), "expected an object, found text");
}

TEST(Value, ListsGrow) {
  Value value;
  value.push(1);
  value.push("two");
  EXPECT_EQ(value, Value::list({1, "two"}));
  Value number(1);
  EXPECT_EQ(refusal([&] { number.push(1); }), "expected a list, found a number");
}

TEST(Value, ListsOfOneKindNameTheirField) {
  const Value object =
      Value::object({{"x", Value::list({1, 2.5})}, {"names", Value::list({"a", "b"})}, {"flag", true}});
  EXPECT_EQ(numbers_at(object, "x"), (std::vector<double>{1.0, 2.5}));
  EXPECT_EQ(numbers_at(object, "x", 2).size(), 2U);
  EXPECT_EQ(texts_at(object, "names"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(refusal([&] { numbers_at(object, "x", 3); }), "field 'x' has 2 entries; 3 are needed");
  EXPECT_EQ(refusal([&] { texts_at(object, "names", 1); }), "field 'names' has 2 entries; 1 are needed");
  EXPECT_EQ(refusal([&] { numbers_at(object, "names"); }), "field 'names': expected a number, found text");
  EXPECT_EQ(refusal([&] { texts_at(object, "x"); }), "field 'x': expected text, found a number");
  EXPECT_EQ(refusal([&] { numbers_at(object, "flag"); }), "field 'flag': expected a list, found a truth value");
  EXPECT_EQ(refusal([&] { numbers_at(object, "y"); }), "field 'y' is missing");
}

}  // namespace
}  // namespace motet::value_test
