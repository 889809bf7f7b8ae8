#include "motet/io/distinct_names.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::distinct_names_test {
namespace {

TEST(DistinctNames, KeepTheirOrder) {
  DistinctNames names("x.csv", "item");
  names.add("b", 2);
  names.add("a", 3);
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(names.take().to_vector(), (std::vector<std::string>{"b", "a"}));
}

TEST(DistinctNames, Errors) {
  const TemporaryFolder folder;
  DistinctNames names("x.csv", "user");
  names.add("a", 2);
  names.add("b", 5);
  EXPECT_EQ(folder.error_of([&] { names.add("", 6); }), "x.csv:6: the user is empty");
  EXPECT_EQ(folder.error_of([&] { names.add("b", 7); }), "x.csv:7: user 'b' appears twice (first on line 5); keep one");
}

}  // namespace
}  // namespace motet::distinct_names_test
