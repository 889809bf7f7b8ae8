#include "motet/roles/priced_roles.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "motet/base/numeric.h"
#include "roles/planted_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::priced_roles_test {
namespace {

struct Wrong {
  std::size_t extra = 0;
  std::size_t missing = 0;
};

Wrong wrong_of(const BitMatrix& held, const Factorization& factors) {
  const BitMatrix granted = boolean_product(factors.assignments, factors.roles);
  Wrong wrong;
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for (std::size_t w = 0; w < held.words(); ++w) {
      wrong.extra += static_cast<std::size_t>(std::popcount(held.row(n)[w] & ~granted.row(n)[w]));
      wrong.missing += static_cast<std::size_t>(std::popcount(granted.row(n)[w] & ~held.row(n)[w]));
    }
  }
  return wrong;
}

// Users of three planted roles who have lost and gained some permissions.
struct Planted {
  BitMatrix held;
  Factorization truth;
};

Planted planted(std::uint64_t seed, double lost = 0.05, double gained = 0.01) {
  Planted data{BitMatrix(400, 30), {BitMatrix(3, 30), BitMatrix(400, 3)}};
  for (std::size_t d = 0; d < 30; ++d) {
    data.truth.roles.set(d / 10, d);
    if (d % 10 < 2) data.truth.roles.set((d / 10 + 1) % 3, d);
  }
  Rng rng(Seed{seed});
  for (std::size_t n = 0; n < 400; ++n) {
    for (std::size_t k = 0; k < 3; ++k) data.truth.assignments.set(n, k, rng.uniform() < 0.4);
  }
  data.held = boolean_product(data.truth.assignments, data.truth.roles);
  for (std::size_t n = 0; n < 400; ++n) {
    for (std::size_t d = 0; d < 30; ++d) {
      const double u = rng.uniform();
      if (u < (data.held(n, d) ? lost : gained)) data.held.set(n, d, !data.held(n, d));
    }
  }
  return data;
}

PriceRules rules_of(double price) { return {.price = price, .most_roles = 3}; }

TEST(PricedRoles, NeverCostMoreThanTheyDid) {
  for (const double price : {0.25, 1.0, 3.0, 20.0}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Planted data = planted(seed);
      const Wrong before = wrong_of(data.held, data.truth);
      const Wrong after = wrong_of(data.held, priced_roles(data.held, data.truth, rules_of(price), {}));
      const auto cost = [&](const Wrong& wrong) {
        return static_cast<double>(wrong.extra) + price * static_cast<double>(wrong.missing);
      };
      if (price <= 1.0) {
        EXPECT_LE(cost(after), cost(before)) << price;
      }
      EXPECT_LT(cost(after), static_cast<double>(data.held.count())) << price;  // what no roles would cost
    }
  }
}

TEST(PricedRoles, AtPriceOnePlantedRolesStay) {
  const Planted data = planted(4);
  const Factorization found = priced_roles(data.held, data.truth, rules_of(1.0), {});
  EXPECT_EQ(found.roles, data.truth.roles);
  EXPECT_LT(difference(found.assignments, data.truth.assignments), 4U);  // of 1200
}

TEST(PricedRoles, ADearerGrantIsNeverMoreFrequent) {
  const Planted data = planted(5);
  std::size_t missing = std::numeric_limits<std::size_t>::max();
  for (const double price : {1.0, 4.0, 16.0, 64.0, infinity}) {
    const Wrong wrong = wrong_of(data.held, priced_roles(data.held, data.truth, rules_of(price), {}));
    EXPECT_LE(wrong.missing, missing) << price;
    missing = wrong.missing;
  }
  EXPECT_EQ(missing, 0U);
}

TEST(PricedRoles, NeverGrantsWhatIsNotHeldAndStillCovers) {
  for (const std::uint64_t seed : {6U, 7U, 8U}) {
    const Planted data = planted(seed, 0.02);
    const Factorization found = priced_roles(data.held, data.truth, rules_of(infinity), {});
    const Wrong wrong = wrong_of(data.held, found);
    EXPECT_EQ(wrong.missing, 0U);
    EXPECT_LT(wrong.extra, data.held.count() / 2);
  }
}

// Two roles grant what the user does not hold: dropping either alone gains nothing.
TEST(PricedRoles, NeverHoldsWhereTwoRolesGrantTheSame) {
  PriceRules rules = rules_of(infinity);
  rules.frozen = 2;
  const Factorization start{bits_of({"1110", "0111"}), bits_of({"11"})};
  const Factorization found = priced_roles(bits_of({"1001"}), start, rules, {});
  EXPECT_EQ(found.assignments, bits_of({"00"}));
  EXPECT_EQ(found.roles, start.roles);
}

// From the price that was asked for the cost can only fall.
TEST(PricedRoles, FromTheirPriceNeverCostMoreThanTheStart) {
  for (const double price : {0.5, 2.0, 16.0, infinity}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Planted data = planted(seed);
      PriceRules rules = rules_of(price);
      rules.rises = false;
      Factorization start = data.truth;
      if (price == infinity) start.assignments = BitMatrix(400, 3);
      const double after = cost_of_roles(data.held, priced_roles(data.held, start, rules, {}), price);
      EXPECT_LE(after, cost_of_roles(data.held, start, price)) << price;
    }
  }
}

TEST(PricedRoles, CostWhatIsLeftAndThePriceOfWhatIsNewlyGranted) {
  const BitMatrix held = bits_of({"1101", "0110"});
  const Factorization factors{bits_of({"1110"}), bits_of({"1", "0"})};
  EXPECT_EQ(cost_of_roles(held, factors, 2.0), 3.0 + 2.0);
  EXPECT_EQ(cost_of_roles(held, factors, infinity), infinity);
  EXPECT_EQ(cost_of_roles(held, {bits_of({"0110"}), bits_of({"0", "1"})}, infinity), 3.0);
}

TEST(PricedRoles, RespectTheRules) {
  Planted data = planted(9);
  PriceRules rules = rules_of(1.0);
  rules.most_roles = 1;
  rules.frozen = 1;
  rules.never_in_one_role = {{12, 13}};
  Factorization start = data.truth;
  start.assignments = BitMatrix(400, 3);
  start.roles.set(0, 29);
  const Factorization found = priced_roles(data.held, start, rules, {});
  EXPECT_EQ(difference(found.roles, 0, start.roles, 0), 0U);
  for (std::size_t n = 0; n < 400; ++n) EXPECT_LE(found.assignments.count(n), 1U);
  for (std::size_t k = 1; k < 3; ++k) EXPECT_FALSE(found.roles(k, 12) && found.roles(k, 13));
  rules.most_roles = 3;
  rules.never_with_one_user = {{0, 1}};
  const Factorization apart = priced_roles(data.held, start, rules, {});
  for (std::size_t n = 0; n < 400; ++n) EXPECT_FALSE(apart.assignments(n, 0) && apart.assignments(n, 1));
}

TEST(PricedRoles, AreTheSameOnAnyNumberOfThreads) {
  const Planted data = planted(10);
  const Factorization one = priced_roles(data.held, data.truth, rules_of(8.0), with_threads({1}));
  for (const unsigned threads : {2U, 4U}) {
    EXPECT_EQ(priced_roles(data.held, data.truth, rules_of(8.0), with_threads(StartedThreads(threads))), one);
  }
}

TEST(PricedRoles, StopWhenTold) {
  CancelFlag cancel;
  cancel.set(2);
  RunContext stopped;
  stopped.cancel = &cancel;
  const Planted data = planted(11);
  EXPECT_EQ(error_of([&] { priced_roles(data.held, data.truth, rules_of(2.0), stopped); }, ErrorKind::interrupted),
            "interrupted");
}

TEST(OverGrantCost, IsANumberOrNever) {
  EXPECT_EQ(parse_over_grant_cost("3.5"), 3.5);
  EXPECT_EQ(parse_over_grant_cost("never"), infinity);
  for (const char* text : {"", "often", "0", "-1", "1e13"}) {
    EXPECT_EQ(error_of([&] { parse_over_grant_cost(text); }, ErrorKind::usage),
              "--over-grant-cost: '" + std::string(text) + "' is not a number from 1e-06 to 1e+12 nor never");
  }
}

}  // namespace
}  // namespace motet::roles::priced_roles_test
