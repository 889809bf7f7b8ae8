#include "motet/data/record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"

namespace motet::record_test {
namespace {

std::string told(const Record& record) {
  return refusal([&] { require_kind(record, "judges", 3); });
}

TEST(Record, AcceptsEveryVersionUpToTheNewest) {
  for (const int version : {1, 2, 3}) EXPECT_EQ(told({"judges", version, {}}), "accepted");
}

TEST(Record, RefusesOtherKindsAndVersions) {
  EXPECT_EQ(told({"roles", 1, {}}), "holds a 'roles' model; a 'judges' model is needed");
  EXPECT_EQ(told({"judges", 4, {}}),
            "'judges' model of version 4 is newer than this program, which reads 1 to 3; use a newer motet");
  EXPECT_EQ(told({"judges", 0, {}}), "'judges' model of version 0; versions start at 1, the file is damaged");
}

TEST(Record, NumbersOfAModelHaveASizeThatAFitCanGive) {
  const auto of_model = [](const Value& fields) {
    return refusal([&] { require_model({"judges", 1, fields}, "judges", 3); });
  };
  EXPECT_EQ(of_model(Value::object({{"a", 1e300}, {"b", "text"}, {"c", Value()}, {"d", true}})), "accepted");
  EXPECT_EQ(of_model(Value::object({{"a", Value::object({{"b", Value::list({0.0, -1e301})}})}})),
            "field 'a.b' = -1e+301 is too large; numbers of a model are at most 1e+300 in size");
  EXPECT_EQ(of_model(Value::object({{"a", std::nan("")}})),
            "field 'a' = nan is no number; numbers of a model are at most 1e+300 in size");
  EXPECT_EQ(refusal([] {
              require_model({"roles", 1, {}}, "judges", 3);
            }),
            "holds a 'roles' model; a 'judges' model is needed");
}

}  // namespace
}  // namespace motet::record_test
