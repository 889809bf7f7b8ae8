#include "motet/base/fields.h"

#include <gtest/gtest.h>

#include <optional>

namespace motet::fields_test {
namespace {

enum class Colour { red, green };

struct Options {
  double share = 0.5;
  std::size_t count = 3;
  bool loud = false;
  Colour colour = Colour::green;
  std::optional<double> weight;
  std::string file = "a.csv";
};

template <class V>
void visit_fields(V& v, Options& o) {
  v("share", o.share, Range<double>{0.0, 1.0}, "a share");
  v("count", o.count, Range<std::size_t>{1, 10}, "a count");
  v("loud", o.loud, "a flag");
  v("colour", o.colour, Choices{{"red", "green"}}, "a choice");
  v("weight", o.weight, Range<double>{0.0, 9.0}, "a number or auto");
  v("file", o.file, Text{"FILE"}, "a text");
}

const Field& field(const std::vector<Field>& fields, std::string_view name) {
  for (const Field& candidate : fields) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range("no such field");
}

std::string refusal(const Field& target, std::string_view text) {
  try {
    target.set(text);
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
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
  EXPECT_EQ(refusal(field(fields, "share"), "lots"), "share: 'lots' is not a number");
  EXPECT_EQ(refusal(field(fields, "share"), "nan"), "share: 'nan' is not a finite number");
  EXPECT_EQ(refusal(field(fields, "share"), "1.5"), "share = 1.5 is outside [0, 1]");
  EXPECT_EQ(refusal(field(fields, "share"), "1.5x"), "share: '1.5x' is not a number");
  EXPECT_EQ(refusal(field(fields, "count"), "-1"), "count: '-1' is not a whole number");
  EXPECT_EQ(refusal(field(fields, "count"), "0"), "count = 0 is outside [1, 10]");
  EXPECT_EQ(refusal(field(fields, "loud"), "yes"), "loud: 'yes' is not true or false");
  EXPECT_EQ(refusal(field(fields, "colour"), "blue"), "colour: 'blue' is not one of {red, green}");
  EXPECT_EQ(refusal(field(fields, "weight"), "10"), "weight = 10 is outside [0, 9]");
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
  v("value", o.value, Range<int>{-1, 5}, "a whole number of either sign");
}

TEST(Fields, KnowWholeNumbersOfEitherSign) {
  Offset offset;
  const std::vector<Field> fields = fields_of(offset);
  EXPECT_EQ(fields[0].default_text, "-1");
  fields[0].set("4");
  EXPECT_EQ(offset.value, 4);
  EXPECT_EQ(refusal(fields[0], "-2"), "value = -2 is outside [-1, 5]");
  EXPECT_EQ(refusal(fields[0], "x"), "value: 'x' is not a whole number");
  EXPECT_THROW(check_ranges(Offset{7}), Error);
}

}  // namespace
}  // namespace motet::fields_test
