#include "motet/data/access.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/errors.h"

namespace motet::access_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<std::uint32_t>;

// Rows of 0 and 1, one text per user.
BitMatrix bits_of(const Names& rows) {
  BitMatrix bits(rows.size(), rows.front().size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t d = 0; d < rows[n].size(); ++d) bits.set(n, d, rows[n][d] == '1');
  }
  return bits;
}

Access some_access() {
  return {NameList(Names{"ann", "bob", "cid"}), NameList(Names{"read", "write", "fly"}),
          bits_of({"110", "011", "001"})};
}

Attributes some_attributes() {
  Attributes attributes;
  attributes.names = {"department", "status", "site"};
  attributes.values = {NameList(Names{"it", "hr"}), NameList(Names{"active", "dormant"}), NameList()};
  attributes.value = {
      0, 0, Attributes::missing, 1, 1, Attributes::missing, Attributes::missing, 1, Attributes::missing};
  return attributes;
}

std::string refusal(const std::function<void()>& body) { return error_of(body, ErrorKind::usage); }

TEST(AlignPermissions, TakesTheOrderOfTheModel) {
  const AlignedAccess aligned = align_permissions(some_access(), {"write", "sign", "read"});
  EXPECT_EQ(aligned.held, bits_of({"101", "100", "000"}));
  EXPECT_EQ(aligned.known.rows(), 0U);
  ASSERT_EQ(aligned.unknown.size(), 1U);
  EXPECT_EQ(aligned.unknown[0].name, "fly");
  EXPECT_EQ(aligned.unknown[0].holders, 2U);
  EXPECT_EQ(aligned.absent, Numbers{1});
}

TEST(AlignPermissions, OfTheSamePermissionsChangesNothing) {
  const Access access = some_access();
  const AlignedAccess aligned =
      align_permissions(access, access.permissions.to_vector(), {}, AbsentPermission::unknown);
  EXPECT_EQ(aligned.held, access.held);
  EXPECT_EQ(aligned.known.rows(), 0U);
  EXPECT_TRUE(aligned.unknown.empty());
  EXPECT_TRUE(aligned.absent.empty());
}

TEST(AlignPermissions, OfNothingCommon) {
  const AlignedAccess aligned = align_permissions(some_access(), {"a", "b"});
  EXPECT_EQ(aligned.held, BitMatrix(3, 2));
  EXPECT_EQ(aligned.unknown.size(), 3U);
  EXPECT_EQ(aligned.absent, (Numbers{0, 1}));
}

TEST(AlignPermissions, MovesWhatIsKnown) {
  const BitMatrix known = bits_of({"111", "110", "011"});
  const Names model = {"write", "sign", "read"};
  EXPECT_EQ(align_permissions(some_access(), model, known).known, bits_of({"111", "111", "110"}));
  EXPECT_EQ(align_permissions(some_access(), model, known, AbsentPermission::unknown).known,
            bits_of({"101", "101", "100"}));
  EXPECT_EQ(align_permissions(some_access(), model, {}, AbsentPermission::unknown).known,
            bits_of({"101", "101", "101"}));
}

TEST(ExcludedUsers, AreThoseWithTheValue) {
  EXPECT_EQ(excluded_users(some_attributes(), "status=dormant"), (Numbers{1, 2}));
  EXPECT_EQ(excluded_users(some_attributes(), "department=it"), (Numbers{0}));
  EXPECT_EQ(excluded_users(some_attributes(), "department="), (Numbers{2}));  // missing
  EXPECT_EQ(excluded_users(some_attributes(), "status="), (Numbers{}));
}

TEST(ExcludedUsers, Errors) {
  const auto error = [](std::string_view rule) {
    return refusal([&] { (void)excluded_users(some_attributes(), rule); });
  };
  EXPECT_EQ(error("dormant"), "'dormant' is not COLUMN=VALUE, such as status=dormant");
  EXPECT_EQ(error("state=dormant"), "the attributes have no column 'state'; they have 'department', 'status', 'site'");
  EXPECT_EQ(error("status=Dormant"), "attribute 'status' is never 'Dormant'; it is 'active', 'dormant'");
  EXPECT_EQ(error("site=x"), "nobody has a value of attribute 'site'");
}

TEST(ExcludedUsers, ErrorsStayShort) {
  Attributes attributes;
  attributes.names = {"cost center"};
  attributes.values.resize(1);
  for (std::uint32_t n = 0; n < 25; ++n) {
    attributes.values[0].push_back(std::to_string(n));
    attributes.value.push_back(n);
  }
  EXPECT_EQ(refusal([&] { (void)excluded_users(attributes, "cost center=x"); }),
            "attribute 'cost center' is never 'x'; it is '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', "
            "'11', '12', '13', '14', '15', '16', '17', '18', '19' and 5 more");
}

TEST(WithUsers, KeepsTheirData) {
  const Numbers kept = other_users(3, Numbers{1});
  EXPECT_EQ(kept, (Numbers{0, 2}));
  const Access access = with_users(some_access(), kept);
  EXPECT_EQ(access.users.to_vector(), (Names{"ann", "cid"}));
  EXPECT_EQ(access.permissions, some_access().permissions);
  EXPECT_EQ(access.held, bits_of({"110", "001"}));
  const Attributes attributes = with_users(some_attributes(), kept);
  EXPECT_EQ(attributes.of(0, 1), 0U);
  EXPECT_EQ(attributes.of(1, 0), Attributes::missing);
  EXPECT_EQ(attributes.of(1, 1), 1U);
  EXPECT_EQ(attributes.values[1].to_vector(), (Names{"active", "dormant"}));
  EXPECT_EQ(other_users(2, Numbers{0, 1}), Numbers{});
  EXPECT_EQ(with_users(some_access(), Numbers{}).user_count(), 0U);
}

}  // namespace
}  // namespace motet::access_test
