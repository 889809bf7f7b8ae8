#include "motet/data/record.h"

#include <gtest/gtest.h>

#include "motet/base/error.h"

namespace motet::record_test {
namespace {

std::string refusal(const Record& record) {
  try {
    require_kind(record, "judges", 3);
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    return error.what();
  }
}

TEST(Record, AcceptsEveryVersionUpToTheNewest) {
  for (const int version : {1, 2, 3}) EXPECT_EQ(refusal({"judges", version, {}}), "no error");
}

TEST(Record, RefusesOtherKindsAndVersions) {
  EXPECT_EQ(refusal({"roles", 1, {}}), "holds a 'roles' model; a 'judges' model is needed");
  EXPECT_EQ(refusal({"judges", 4, {}}),
            "'judges' model of version 4 is newer than this program, which reads 1 to 3; use a newer motet");
  EXPECT_EQ(refusal({"judges", 0, {}}), "'judges' model of version 0; versions start at 1, the file is damaged");
}

}  // namespace
}  // namespace motet::record_test
