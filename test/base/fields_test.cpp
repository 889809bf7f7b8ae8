#include "motet/base/fields.h"

#include <gtest/gtest.h>

#include "base/field_cases.h"
#include "support/errors.h"

namespace motet::fields_test {
namespace {

struct Options : SomeOptions {
  std::string file = "a.csv";
};

template <class V>
void visit_fields(V& v, Options& o) {
  visit_fields(v, static_cast<SomeOptions&>(o));
  v("file", o.file, Text{"FILE"}, "a text");
}

const Field& field(const std::vector<Field>& fields, std::string_view name) {
  for (const Field& candidate : fields) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range("no such field");
}

std::string refusal(const Field& target, std::string_view text) {
  return error_of([&] { target.set(text); }, ErrorKind::usage);
}

TEST(Fields, DescribeTheirDefaultsAndRanges) {
  Options options;
  const std::vector<Field> fields = fields_of(options);
  ASSERT_EQ(fields.size(), 6U);
  EXPECT_EQ(field(fields, "share").range, "0 to 1");
  EXPECT_EQ(field(fields, "share").default_text, "0.5");
  EXPECT_EQ(field(fields, "colour").shape, "red|green");
  EXPECT_EQ(field(fields, "colour").default_text, "green");
  EXPECT_EQ(field(fields, "weight").default_text, "auto");
  EXPECT_TRUE(field(fields, "loud").is_flag);
}

TEST(Fields, SetWhatTheyAreGiven) {
  Options options;
  const std::vector<Field> fields = fields_of(options);
  field(fields, "share").set("+2.5e-1");
  field(fields, "count").set("10");
  field(fields, "loud").set("true");
  field(fields, "colour").set("red");
  field(fields, "weight").set("2");
  field(fields, "file").set("b.csv");
  EXPECT_EQ(options.share, 0.25);
  EXPECT_EQ(options.count, 10U);
  EXPECT_TRUE(options.loud);
  EXPECT_EQ(options.colour, Colour::red);
  EXPECT_EQ(options.weight, 2.0);
  EXPECT_EQ(options.file, "b.csv");
  field(fields, "weight").set("auto");
  EXPECT_FALSE(options.weight.has_value());
}

TEST(Fields, RefuseWithTheirName) {
  Options options;
  const std::vector<Field> fields = fields_of(options);
  EXPECT_EQ(refusal(field(fields, "share"), "lots"), "--share: 'lots' is not a number");
  EXPECT_EQ(refusal(field(fields, "share"), "nan"), "--share: 'nan' is not a finite number");
  EXPECT_EQ(refusal(field(fields, "share"), "1.5"), "--share 1.5 is outside [0, 1]");
  EXPECT_EQ(refusal(field(fields, "share"), "1.5x"), "--share: '1.5x' is not a number");
  EXPECT_EQ(refusal(field(fields, "count"), "-1"), "--count: '-1' is not a whole number");
  EXPECT_EQ(refusal(field(fields, "count"), "0"), "--count 0 is outside [1, 10]");
  EXPECT_EQ(refusal(field(fields, "loud"), "yes"), "--loud: 'yes' is not true or false");
  EXPECT_EQ(refusal(field(fields, "colour"), "blue"), "--colour: 'blue' is not one of {red, green}");
  EXPECT_EQ(refusal(field(fields, "weight"), "10"), "--weight 10 is outside [0, 9]");
}

TEST(Fields, ValuesSetInCodeAreCheckedToo) {
  Options options;
  EXPECT_NO_THROW(check_ranges(options));
  options.weight = -1.0;
  EXPECT_THROW(check_ranges(options), Error);
  options = {};
  options.count = 11;
  EXPECT_THROW(check_ranges(options), Error);
  options = {};
  options.share = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(check_ranges(options), Error);
}

struct Offset {
  int value = -1;
};

template <class V>
void visit_fields(V& v, Offset& o) {
  v("first_value", o.value, Range<int>{-1, 5}, "a whole number of either sign");
}

TEST(Fields, KnowWholeNumbersOfEitherSign) {
  Offset offset;
  const std::vector<Field> fields = fields_of(offset);
  EXPECT_EQ(fields[0].default_text, "-1");
  fields[0].set("4");
  EXPECT_EQ(offset.value, 4);
  EXPECT_EQ(refusal(fields[0], "-2"), "--first-value -2 is outside [-1, 5]");
  EXPECT_EQ(refusal(fields[0], "x"), "--first-value: 'x' is not a whole number");
  EXPECT_EQ(error_of([] { check_ranges(Offset{7}); }, ErrorKind::usage), "--first-value 7 is outside [-1, 5]");
  EXPECT_EQ(error_of([] { check_ranges(Offset{7}, {.is_file = true}); }, ErrorKind::usage),
            "first_value = 7 is outside [-1, 5]");
}

}  // namespace
}  // namespace motet::fields_test
