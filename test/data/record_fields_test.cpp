#include "motet/data/record_fields.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/field_cases.h"
#include "support/errors.h"

namespace motet::record_fields_test {
namespace {

const double infinity = std::numeric_limits<double>::infinity();

Value some_fields() {
  return Value::object({{"good", Value::list({0.25, 0.75})},
                        {"bad", Value::list({0.25, infinity})},
                        {"one", -2.5},
                        {"none", infinity},
                        {"count", 7},
                        {"less", -7}});
}

TEST(RecordFields, NumbersAreToBeFinite) {
  const Value value = some_fields();
  EXPECT_EQ(finite_numbers(value, "good", 2), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(finite_at(value, "one"), -2.5);
  EXPECT_EQ(refusal([&] { finite_numbers(value, "bad", 2); }), "field 'bad' is not finite");
  EXPECT_EQ(refusal([&] { finite_at(value, "none"); }), "field 'none' is not a finite number");
}

TEST(RecordFields, OfAModelOfItsKind) {
  const Record record{"judges", 2, Value::object({{"count", 7}})};
  EXPECT_EQ(&model_fields(record, "judges", 2), &record.fields);
  EXPECT_NE(refusal([&] { model_fields(record, "roles", 2); }), "accepted");
  EXPECT_NE(refusal([&] { model_fields(record, "judges", 1); }), "accepted");
}

TEST(RecordFields, CountsAreFromZeroOn) {
  EXPECT_EQ(count_at(some_fields(), "count"), 7U);
  EXPECT_EQ(refusal([] { count_at(some_fields(), "less"); }), "field 'less' = -7 is negative");
}

TEST(RecordFields, NumbersLieWithinBothEnds) {
  const Value value = some_fields();
  EXPECT_EQ(numbers_within(value, "good", 2, 0.25, 0.75), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(number_within(value, "one", -2.5, 0.0), -2.5);
  EXPECT_EQ(refusal([&] { numbers_within(value, "good", 2, 0.3, 1.0); }), "field 'good' = 0.25 is outside [0.3, 1]");
  EXPECT_EQ(refusal([&] { number_within(value, "one", 0.0, 1.0); }), "field 'one' = -2.5 is outside [0, 1]");
  EXPECT_EQ(refusal([] {
              number_within(Value::object({{"x", std::nan("")}}), "x", 0.0, 1.0);
            }),
            "field 'x' = nan is outside [0, 1]");
}

TEST(RecordFields, SharesOfEveryOtherNumberSumToOne) {
  const std::vector<double> numbers{0.5, 9.0, 0.25, 9.0, 0.25, 9.0};
  EXPECT_EQ(refusal([&] { require_shares(numbers, 3, 2, "prior"); }), "accepted");
  EXPECT_EQ(refusal([&] { require_shares(numbers, 2, 2, "prior"); }),
            "field 'prior' has shares that sum to 0.75, not 1");
  const std::vector<double> typed{0.3333333, 0.3333333, 0.3333333};
  EXPECT_EQ(refusal([&] { require_shares(typed, 3, 1, "prior"); }), "accepted");
}

TEST(OptionsInRecords, ComeBackAsTheyWere) {
  const SomeOptions options{0.125, 9, true, Colour::red, 4.5};
  const Value value = options_value(options);
  EXPECT_EQ(value, Value::object({{"share", 0.125}, {"count", 9}, {"loud", true}, {"colour", "red"}, {"weight", 4.5}}));
  const SomeOptions back = options_from<SomeOptions>(value);
  EXPECT_EQ(back.share, options.share);
  EXPECT_EQ(back.count, options.count);
  EXPECT_EQ(back.loud, options.loud);
  EXPECT_EQ(back.colour, options.colour);
  EXPECT_EQ(back.weight, options.weight);
  EXPECT_TRUE(options_value(SomeOptions{}).at("weight").is_null());
  EXPECT_FALSE(options_from<SomeOptions>(options_value(SomeOptions{})).weight.has_value());
}

// In a file they are bad data, not wrong usage.
TEST(OptionsInRecords, WhatCannotBeIsBadData) {
  const auto told = [](std::string_view name, Value changed) {
    Value value = options_value(SomeOptions{});
    value.set(std::string(name), std::move(changed));
    return refusal([&] { options_from<SomeOptions>(value); });
  };
  EXPECT_EQ(told("share", 1.5), "share = 1.5 is outside [0, 1]");
  EXPECT_EQ(told("count", 11), "count = 11 is outside [1, 10]");
  EXPECT_EQ(told("count", -1), "field 'count' = -1 is negative");
  EXPECT_EQ(told("colour", "blue"), "colour: 'blue' is not one of {red, green}");
  EXPECT_EQ(told("weight", -1.0), "weight = -1 is outside [0, 9]");
}

}  // namespace
}  // namespace motet::record_fields_test
