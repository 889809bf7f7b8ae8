#include "motet/roles/baselines/factorization.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"

namespace motet::roles::factorization_test {
namespace {

TEST(Factorization, OfMergedDataSpreadsToAllUsersAndPermissions) {
  const BitMatrix held = bits_of({"0110", "1001", "0110"});
  const MergedMatrix data = merge_equal(held);
  ASSERT_EQ(data.bits, bits_of({"01", "10"}));
  const Factorization spread = unmerged({data.bits, bits_of({"10", "01"})}, data);
  EXPECT_EQ(spread.roles, bits_of({"0110", "1001"}));
  EXPECT_EQ(spread.assignments, bits_of({"10", "01", "10"}));
  EXPECT_EQ(boolean_product(spread.assignments, spread.roles), held);
}

}  // namespace
}  // namespace motet::roles::factorization_test
