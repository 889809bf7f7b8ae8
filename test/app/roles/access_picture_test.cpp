#include "motet/app/roles/access_picture.h"

#include <gtest/gtest.h>

#include "roles/two_roles_case.h"

namespace motet::roles::access_picture_test {
namespace {

TEST(AccessPicture, KeepsEachSetOfRolesOnceAndCountsTheCells) {
  const RolesCase data = roles_case();
  const MatrixPicture picture = access_picture(data.access, data.fit.model.roles, rounded_roles(data.fit.model),
                                               most_probable_roles(data.fit.model, data.fit.users));
  EXPECT_EQ(picture.sets.size(), 4U);  // {0}, {1}, {0, 1} and none, for users and permissions together
  EXPECT_EQ(picture.rows.set_of[0], picture.rows.set_of[1]);
  EXPECT_EQ(picture.table.rows.size(), 4U);
  EXPECT_EQ(std::get<std::int64_t>(picture.table.rows[0][1]), 16);  // held and granted
  EXPECT_DOUBLE_EQ(std::get<double>(picture.table.rows[3][2]), 12.0 / 30.0);
}

TEST(AccessPicture, NamesSetsOfRoles) {
  EXPECT_EQ(role_set_name({"a", "b", "c"}, {0, 2}), "a + c");
  EXPECT_EQ(role_set_name({"a"}, {}), "no role");
}

}  // namespace
}  // namespace motet::roles::access_picture_test
