#include "motet/app/roles/users_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/support.h"

namespace motet::roles::users_document_test {
namespace {

UserEstimates three_users() {
  UserEstimates estimates;
  estimates.users = {
      {0, -4.0, 0.5, 0.99, 0, 1, 0.05}, {1, -60.0, 0.0001, 0.8, 7, 2, 0.45, true}, {2, -9.0, 0.2, 0.4, 1, 0, 0.05}};
  estimates.users[2].is_doubtful = true;
  estimates.drawn = 10'000;
  estimates.outliers = 1;
  estimates.expected_outliers = 0.003;
  estimates.doubtful = 1;
  return estimates;
}
const NameList names{std::vector<std::string>{"anna", "ben", "clara"}};

TEST(RolesUsersDocument, NamesOutliersFirstThenTheDoubtful) {
  const Document document = users_part(three_users(), names, {});
  EXPECT_EQ(document.text,
            "users the roles do not explain: 1 outlier (p <= 0.001; 0.0 to be expected by chance), 1 doubtful (most "
            "probable set below 0.5)\n"
            "\n"
            "user   p value  probability of the set  extra  missing  noise  why\n"
            "ben     0.0001                   0.800      7        2  0.450  outlier\n"
            "clara   0.2000                   0.400      1        0  0.050  doubtful\n");
  EXPECT_EQ(document.json.at("outliers").as_whole(), 1);
  EXPECT_EQ(document.json.at("drawn").as_whole(), 10'000);
  const Value::List& listed = document.json.at("users").as_list();
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].at("user").as_text(), "ben");
  EXPECT_EQ(listed[0].at("missing").as_whole(), 2);
  EXPECT_EQ(listed[1].at("user").as_text(), "clara");
  EXPECT_EQ(document.sections[0].tables.size(), 1U);
}

TEST(RolesUsersDocument, WithUnknownCellsSaysNothingOfOutliers) {
  UserEstimates estimates = three_users();
  estimates.drawn = 0;
  estimates.outliers = 0;
  for (UserEstimate& one : estimates.users) {
    one.p_value = std::nan("");
    one.is_outlier = one.is_doubtful = false;
  }
  estimates.doubtful = 0;
  EXPECT_EQ(users_part(estimates, names, {}).text,
            "users the roles do not explain: 0 doubtful (most probable set below 0.5)\n");
}

TEST(RolesUsersDocument, WritesALinePerUser) {
  const TemporaryFolder folder;
  write_users_csv(three_users(), names, folder / "users.csv");
  EXPECT_EQ(folder.read("users.csv"),
            "user,set_probability,p_value,extra,missing,noise,outlier,doubtful\n"
            "anna,0.99,0.5,0,1,0.05,0,0\n"
            "ben,0.8,1e-04,7,2,0.45,1,0\n"
            "clara,0.4,0.2,1,0,0.05,0,1\n");
}

}  // namespace
}  // namespace motet::roles::users_document_test
