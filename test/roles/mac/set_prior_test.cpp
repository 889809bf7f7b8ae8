#include "motet/roles/mac/set_prior.h"

#include <gtest/gtest.h>

#include "roles/mac_cases.h"

namespace motet::roles::set_prior_test {
namespace {

constexpr std::size_t set_count = 5;

struct Case {
  AttributeGroups groups;
  std::vector<double> centre;
  std::vector<double> parameters;
  std::vector<double> users;  // [group * sets + set]
  Attributes attributes;
};

Case random_case(bool with_attributes, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Case c;
  c.attributes = random_attributes(40, rng);
  c.groups = group_by_attributes(with_attributes ? &c.attributes : nullptr, 40);
  c.centre.resize(set_count);
  fill_shares(c.centre, rng);
  MacShape shape;
  shape.roles = 2;
  shape.sets = LabelSets::up_to(set_count - 1, 1);
  shape.groups = c.groups;
  const std::vector<double> point = random_point(shape, 3, rng);
  c.parameters.assign(point.begin() + static_cast<std::ptrdiff_t>(mac_parts(shape, 3).prior()), point.end());
  for (std::size_t i = 0; i < c.groups.groups * set_count; ++i) {
    c.users.push_back(rng.below(4) == 0 ? 0.0 : rng.uniform(0.0, 10.0));
  }
  return c;
}

double objective(const SetPrior& prior, const Case& c, std::span<const double> parameters) {
  const std::vector<double> table = prior.log_table(parameters);
  double sum = prior.log_density(parameters);
  for (std::size_t i = 0; i < table.size(); ++i) sum += c.users[i] * table[i];
  return sum;
}

TEST(SetPrior, AUniformOneSaysTheSameWhateverItsNumbers) {
  const Case c = random_case(false, 1);
  const SetPrior prior(set_count, c.groups, {}, true);
  for (const double p : prior.log_table(c.parameters)) EXPECT_EQ(p, -std::log(5.0));
  EXPECT_EQ(prior.log_density(c.parameters), 0.0);
  EXPECT_EQ(prior.maximise(c.users, c.parameters), std::vector<double>(set_count, 0.2));
}

TEST(SetPrior, RowsAreProbabilitiesAndTheMixtureIsAsWritten) {
  for (const bool with_attributes : {false, true}) {
    const Case c = random_case(with_attributes, 1);
    const SetPrior prior(set_count, c.groups, c.centre);
    ASSERT_EQ(prior.parameter_count(), c.parameters.size());
    const std::vector<double> table = prior.log_table(c.parameters);
    ASSERT_EQ(table.size(), prior.group_count() * set_count);
    MacShape shape;
    shape.sets = LabelSets::up_to(set_count - 1, 1);
    shape.groups = c.groups;
    for (std::size_t g = 0; g < prior.group_count(); ++g) {
      double sum = 0.0;
      for (std::size_t l = 0; l < set_count; ++l) {
        const double p = std::exp(table[g * set_count + l]);
        sum += p;
        EXPECT_NEAR(p, static_cast<double>(naive_share(shape, c.parameters, g, l)), 1e-14);
      }
      EXPECT_NEAR(sum, 1.0, 1e-12);
    }
  }
}

TEST(SetPrior, EveryStepRaisesTheExpectedLogPrior) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const bool with_attributes : {false, true}) {
      const Case c = random_case(with_attributes, seed);
      const SetPrior prior(set_count, c.groups, c.centre);
      std::vector<double> parameters = c.parameters;
      double before = objective(prior, c, parameters);
      for (int step = 0; step < 30; ++step) {
        parameters = prior.maximise(c.users, parameters);
        const double now = objective(prior, c, parameters);
        EXPECT_GE(now, before - 1e-11 * std::abs(before)) << step;
        before = now;
      }
      const std::vector<double> table = prior.log_table(parameters);
      for (std::size_t g = 0; g < prior.group_count(); ++g) {
        double sum = 0.0;
        for (std::size_t l = 0; l < set_count; ++l) sum += std::exp(table[g * set_count + l]);
        EXPECT_NEAR(sum, 1.0, 1e-12);
      }
    }
  }
}

TEST(SetPrior, WithoutAttributesIsTheShareWithOnePseudoUser) {
  Case c = random_case(false, 3);
  c.users = {3.0, 0.0, 1.0, 5.0, 0.0};
  const std::vector<double> next = SetPrior(set_count, c.groups).maximise(c.users, c.parameters);
  for (std::size_t l = 0; l < set_count; ++l) EXPECT_DOUBLE_EQ(next[l], (c.users[l] + 0.2) / 10.0);
}

TEST(SetPrior, AnAttributeThatDecidesTheSetTakesTheShare) {
  Attributes attributes;
  attributes.names = {"department", "shoe"};
  attributes.values = {NameList(std::vector<std::string>{"a", "b"}), NameList(std::vector<std::string>{"l", "r"})};
  constexpr std::size_t users = 400;
  for (std::size_t n = 0; n < users; ++n) {
    attributes.value.push_back(n % 2);
    attributes.value.push_back(n / 2 % 2);
  }
  const AttributeGroups groups = group_by_attributes(&attributes, users);
  ASSERT_EQ(groups.groups, 4U);
  const std::vector<double> alike = {0.5, 0.5};
  const SetPrior prior(2, groups, alike);
  std::vector<double> expected(groups.groups * 2);
  for (std::size_t n = 0; n < users; ++n) expected[groups.group_of[n] * 2 + n % 2] += 1.0;
  std::vector<double> parameters = prior.start(alike);
  for (int step = 0; step < 500; ++step) parameters = prior.maximise(expected, parameters);
  const AttributePrior found = prior.attribute_prior(parameters, attributes);
  EXPECT_EQ(found.names, attributes.names);
  EXPECT_EQ(found.values[0], (std::vector<std::string>{"a", "b"}));
  EXPECT_GT(found.share[1], 0.95);
  EXPECT_GT(found.set_given[0][0][0], 0.97);
  EXPECT_GT(found.set_given[0][1][1], 0.97);
  ASSERT_EQ(found.set_given[0].size(), 3U);  // and a missing one, which nobody has: as the centre
  EXPECT_NEAR(found.set_given[0][2][0], 0.5, 1e-12);
}

TEST(AttributeGroups, AreUsersOfEqualValues) {
  Attributes attributes;
  attributes.names = {"department"};
  attributes.values = {NameList(std::vector<std::string>{"a", "b"})};
  attributes.value = {1, 0, Attributes::missing, 1};
  const AttributeGroups groups = group_by_attributes(&attributes, 4);
  EXPECT_EQ(groups.groups, 3U);
  EXPECT_EQ(groups.group_of, (std::vector<std::uint32_t>{0, 1, 2, 0}));
  EXPECT_EQ(groups.value, (std::vector<std::uint32_t>{1, 0, 2}));
  EXPECT_EQ(groups.value_count, (std::vector<std::size_t>{3}));
  EXPECT_EQ(group_by_attributes(nullptr, 4).groups, 1U);
}

}  // namespace
}  // namespace motet::roles::set_prior_test
