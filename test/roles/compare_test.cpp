#include "motet/roles/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/roles/baselines/asso.h"
#include "motet/roles/simulate.h"
#include "roles/mine_cases.h"
#include "roles/model_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::compare_test {
namespace {

PlantedAccess planted_with(double noise, std::size_t users = 120) {
  return simulate_access({.users = users,
                          .permissions = 30,
                          .roles = 4,
                          .role_density = 0.25,
                          .noise_fraction = noise,
                          .attribute_values = 3},
                         Rng(Seed{5}));
}

struct Case {
  PlantedAccess planted;
  MineOptions options;
  RoleFit fit;

  MineData data() const { return {&planted.access, &*planted.attributes, nullptr}; }
  Comparison compare(const CompareOptions& compare, const RunContext& run = {}) const {
    return compare_roles(fit, data(), fit.model.role_count(), options, {}, compare, run);
  }
};

Case mined(double noise, std::size_t users = 120, RoleMethod method = RoleMethod::mac) {
  Case made{planted_with(noise, users), {}, {}};
  made.options.method = method;
  made.options.starts = 1;
  made.fit = mine_roles(made.data(), 4, made.options, {}, {});
  return made;
}

CompareOptions holding_out() {
  CompareOptions compare{.held_out = true};
  return compare;
}

TEST(CompareRoles, PutsTheFitBesideTheGreedyMethod) {
  const Case made = mined(0.1);
  const Comparison comparison = made.compare({});
  ASSERT_EQ(comparison.methods.size(), 2U);
  EXPECT_EQ(comparison.note, "");
  const MethodScore& ours = comparison.methods[0];
  EXPECT_EQ(ours.method, "mac");
  EXPECT_EQ(ours.roles, 4U);
  EXPECT_EQ(ours.training_error, made.fit.training_error);
  EXPECT_EQ(ours.coverage, made.fit.coverage);
  EXPECT_GT(ours.mean_overlap, 0.0);
  EXPECT_LT(ours.mean_overlap, 1.0);
  EXPECT_TRUE(std::isnan(ours.generalization_error));
  EXPECT_TRUE(std::isnan(ours.standard_error));

  const MethodScore& simple = comparison.methods[1];
  EXPECT_EQ(simple.method, "asso");
  EXPECT_EQ(simple.roles, 4U);
  const BitMatrix& held = made.planted.access.held;
  const MergedMatrix merged = merge_equal(held);
  const Factorization factors = unmerged(asso(merged, 4, {}, {}), merged);
  const BitMatrix rebuilt = boolean_product(factors.assignments, factors.roles);
  double wrong = 0.0;
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for (std::size_t d = 0; d < held.columns(); ++d) wrong += rebuilt(n, d) != held(n, d) ? 1.0 : 0.0;
  }
  EXPECT_DOUBLE_EQ(simple.training_error, wrong / static_cast<double>(held.rows() * held.columns()));
}

TEST(CompareRoles, IsNotComparedWithItself) {
  const Comparison comparison = mined(0.1, 120, RoleMethod::asso).compare({});
  ASSERT_EQ(comparison.methods.size(), 1U);
  EXPECT_EQ(comparison.methods[0].method, "asso");
}

TEST(CompareRoles, HoldsNothingOutOfTooFewUsers) {
  const Comparison comparison = mined(0.0, 15).compare(holding_out());
  EXPECT_EQ(comparison.methods.size(), 2U);
  EXPECT_EQ(comparison.note, "15 users and 30 permissions are too few to hold some out");
}

TEST(CompareRoles, TellsWhenTheOthersDoNotSupportSoManyRoles) {
  // Every user is of his own kind: without a fifth of them there are fewer kinds than roles.
  Case made{planted_with(0.0, 24), {}, {}};
  made.planted.attributes.reset();
  made.planted.access.held = BitMatrix(24, 30);
  for (std::size_t n = 0; n < 24; ++n) made.planted.access.held.set(n, n);
  made.options.method = RoleMethod::dbps;
  const MineData data{&made.planted.access, nullptr, nullptr};
  made.fit = mine_roles(data, 24, made.options, {}, {});
  const Comparison comparison = compare_roles(made.fit, data, 24, made.options, {}, holding_out(), {});
  EXPECT_EQ(comparison.note,
            "without the held-out users the roles cannot be mined: --roles 24 is more than the 20 distinct users; ask "
            "for at most 20");
  EXPECT_EQ(comparison.methods.size(), 2U);
}

TEST(CompareRoles, StopsWhenItIsTold) {
  const Case made = mined(0.1);
  EXPECT_EQ(error_of([&] { made.compare({}, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while comparing with simpler methods");
}

TEST(CompareRoles, CapacityIsThatOfTheRolesInUse) {
  const Case made = mined(0.0);
  // Without noise every user's set is known: the capacity is the entropy of the sets in use, at most
  // that of the 10 sets of one or two of four roles.
  const double bits = capacity_between_halves(made.fit, made.planted.access.held, {});
  EXPECT_GT(bits, 1.5);
  EXPECT_LE(bits, std::log2(10.0) + 1e-9);
  RoleFit none = made.fit;
  EXPECT_TRUE(std::isnan(capacity_between_halves(none, BitMatrix(1, 30), {})));
}

TEST(CompareRolesSlow, PredictsHeldOutUsersWithEveryMethod) {
  const Case made = mined(0.3, 300);
  const Comparison comparison = made.compare(holding_out());
  ASSERT_EQ(comparison.methods.size(), 4U) << comparison.note;
  EXPECT_EQ(comparison.methods[2].method, "nearest neighbour");
  EXPECT_EQ(comparison.methods[3].method, "majority");
  for (const MethodScore& score : comparison.methods) {
    EXPECT_GT(score.generalization_error, 0.0) << score.method;
    EXPECT_LT(score.generalization_error, 0.5) << score.method;
    EXPECT_GT(score.standard_error, 0.0) << score.method;
  }
  EXPECT_TRUE(std::isnan(comparison.methods[2].training_error));
  // With a third of the cells at random and attributes that tell the roles, the model must win.
  EXPECT_LT(comparison.methods[0].generalization_error, comparison.methods[1].generalization_error);
  EXPECT_LT(comparison.methods[0].generalization_error, comparison.methods[2].generalization_error);
  EXPECT_LT(comparison.methods[0].generalization_error, comparison.methods[3].generalization_error);
}

// More permissions than can be counted in pairs.
TEST(CompareRoles, LeavesAssoOutWherePermissionsAreTooMany) {
  const Access access = named(random_bits(30, 6500, 0.5, Rng(Seed{1})));
  RoleFit fit;
  fit.model = hard_model(random_bits(2, 6500, 0.1, Rng(Seed{2})), 1, 0.1, 0.9);
  const Comparison comparison = compare_roles(fit, {&access, nullptr, nullptr}, 2, {}, {}, {}, {});
  ASSERT_EQ(comparison.methods.size(), 1U);
  EXPECT_EQ(comparison.note, "the comparison with asso is left out: it would count all pairs of 6500 permissions");
}

TEST(DoesAsWell, GoesByHeldOutUsersWhereTheyWereMeasured) {
  const MethodScore fit{"mac", 3, 0.1, 0.9, 0.2, 0.05, 0.01};
  MethodScore simple{"asso", 3, 0.1, 0.9, 0.2, 0.0601, 0.01};
  EXPECT_FALSE(does_as_well(simple, fit));
  simple.generalization_error = 0.06;
  EXPECT_TRUE(does_as_well(simple, fit));
  simple.generalization_error = MethodScore::none;
  EXPECT_TRUE(does_as_well(simple, fit));
  simple.roles = 4;
  EXPECT_FALSE(does_as_well(simple, fit));
  simple = {"majority"};
  EXPECT_FALSE(does_as_well(simple, fit));
}

TEST(CompareRolesSlow, DoesNotDependOnTheNumberOfThreads) {
  const Case made = mined(0.2, 150);
  const auto with = [&](unsigned threads) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    return made.compare(holding_out(), run);
  };
  const Comparison one = with(1);
  const Comparison two = with(2);
  ASSERT_EQ(one.methods.size(), two.methods.size());
  for (std::size_t i = 0; i < one.methods.size(); ++i) {
    EXPECT_EQ(one.methods[i].generalization_error, two.methods[i].generalization_error);
    EXPECT_EQ(one.methods[i].standard_error, two.methods[i].standard_error);
  }
}

}  // namespace
}  // namespace motet::roles::compare_test
