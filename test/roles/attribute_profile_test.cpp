#include "motet/roles/attribute_profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/rng.h"
#include "support/errors.h"

namespace motet::roles::attribute_profile_test {
namespace {

Attributes attributes_of(std::vector<std::string> names, std::vector<std::vector<std::string>> words,
                         std::vector<std::uint32_t> value) {
  Attributes attributes;
  attributes.names = std::move(names);
  for (const std::vector<std::string>& list : words) attributes.values.emplace_back(list);
  attributes.value = std::move(value);
  return attributes;
}

// 40 users: the first half in Finance with role 0, role 1 by turns; everyone has a number of their own.
struct Case {
  Attributes attributes;
  std::vector<double> membership;
};

Case case_of(std::size_t users) {
  std::vector<std::string> numbers;
  std::vector<std::uint32_t> value;
  std::vector<double> membership;
  for (std::size_t n = 0; n < users; ++n) {
    numbers.push_back("P" + std::to_string(n));
    value.insert(value.end(), {2 * n < users ? 0U : 1U, static_cast<std::uint32_t>(n)});
    membership.insert(membership.end(), {2 * n < users ? 1.0 : 0.0, static_cast<double>(n % 2), 1.0});
  }
  return {attributes_of({"department", "number"}, {{"Finance", "Store"}, numbers}, value), membership};
}

TEST(AttributeProfile, SharesOfMembersAndOfAll) {
  const Case data = case_of(40);
  const AttributeProfile profile = attribute_profile(data.membership, 3, data.attributes);
  const ValueShare& first = profile.roles[0].values[0];
  EXPECT_EQ(first.attribute, 0U);
  EXPECT_EQ(profile.values[0][first.value], "Finance");
  EXPECT_DOUBLE_EQ(first.of_members, 1.0);
  EXPECT_DOUBLE_EQ(first.of_all, 0.5);
  EXPECT_DOUBLE_EQ(first.membership, 1.0);
  EXPECT_EQ(naming_values(profile), (std::vector<std::string>{"Finance", "", ""}));
}

TEST(AttributeProfile, ADecidingAttributeExplainsAndANumberDoesNot) {
  const Case data = case_of(40);
  const AttributeProfile profile = attribute_profile(data.membership, 3, data.attributes);
  // By hand: p = (19 + 19/39) / 20 for every user, h(Z) = -log(19/39).
  const double expected = 1.0 - std::log((19.0 + 19.0 / 39.0) / 20.0) / std::log(19.0 / 39.0);
  EXPECT_NEAR(profile.roles[0].explained[0], expected, 1e-12);
  EXPECT_GT(expected, 0.95);
  EXPECT_EQ(profile.roles[0].explained[1], 0.0);  // nobody shares a number
  EXPECT_EQ(profile.roles[0].best, 0U);
  EXPECT_EQ(profile.roles[1].explained[0], 0.0);
  EXPECT_EQ(profile.roles[1].best, Attributes::missing);
  EXPECT_TRUE(std::isnan(profile.roles[2].explained[0]));  // everyone has it
}

TEST(AttributeProfile, ChanceExplainsNothing) {
  Rng rng(Seed{11});
  std::vector<std::string> words;
  for (int v = 0; v < 50; ++v) words.push_back("v" + std::to_string(v));
  std::vector<std::uint32_t> value;
  std::vector<double> membership;
  for (int n = 0; n < 200; ++n) {
    value.push_back(static_cast<std::uint32_t>(rng.below(50)));
    membership.push_back(rng.uniform() < 0.3 ? 1.0 : 0.0);
  }
  const AttributeProfile profile = attribute_profile(membership, 1, attributes_of({"a"}, {words}, value));
  EXPECT_LT(profile.roles[0].explained[0], 0.02);  // counted plainly it would be about a third
}

TEST(AttributeProfile, UnknownValuesAreLeftOut) {
  const std::uint32_t none = Attributes::missing;
  const Attributes attributes = attributes_of({"a"}, {{"x", "y"}}, {0, 0, 1, 1, none, none});
  const std::vector<double> membership = {1.0, 1.0, 0.0, 0.0, 1.0, 1.0};
  const AttributeProfile profile = attribute_profile(membership, 1, attributes);
  ASSERT_EQ(profile.roles[0].values.size(), 1U);
  EXPECT_DOUBLE_EQ(profile.roles[0].values[0].of_members, 1.0);
  EXPECT_DOUBLE_EQ(profile.roles[0].values[0].of_all, 0.5);
}

TEST(AttributeProfile, LengthsMustFit) {
  const Attributes attributes = attributes_of({"a"}, {{"x"}}, {0, 0});
  const std::vector<double> membership = {1.0};
  EXPECT_EQ(error_of([&] { attribute_profile(membership, 1, attributes); }, ErrorKind::internal),
            "attribute_profile: membership of 1 cells does not fit 1 roles");
}

}  // namespace
}  // namespace motet::roles::attribute_profile_test
