#include "motet/roles/catalogue/cheapest_set.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/bits.h"
#include "motet/base/streams.h"
#include "roles/planted_cases.h"

namespace motet::roles::cheapest_set_test {
namespace {

constexpr std::size_t plenty = 100000;  // of nodes

std::int64_t cost_of(const UserCover& cover, const std::vector<std::uint32_t>& set) {
  std::int64_t cost = static_cast<std::int64_t>(set.size());
  const auto is_granted = [&](const BitMatrix& bits, std::size_t d) {
    return std::any_of(set.begin(), set.end(), [&](std::uint32_t c) { return bits(c, d); });
  };
  for (std::size_t d = 0; d < cover.wanted.columns(); ++d) cost += is_granted(cover.wanted, d) ? 0 : one_permission;
  for (std::size_t d = 0; d < cover.surplus.columns(); ++d) {
    cost += is_granted(cover.surplus, d) ? cover.price[d] : 0;
  }
  return cost;
}

// By trying all sets.
std::int64_t least_cost(const UserCover& cover) {
  const std::size_t count = cover.wanted.rows();
  std::int64_t least = cost_of(cover, {});
  for (std::size_t bits = 1; bits < std::size_t{1} << count; ++bits) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t c = 0; c < count; ++c) {
      if ((bits >> c & 1U) != 0) set.push_back(c);
    }
    const bool is_allowed = std::none_of(cover.apart.begin(), cover.apart.end(), [&](const auto& pair) {
      return (bits >> pair.first & 1U) != 0 && (bits >> pair.second & 1U) != 0;
    });
    if (is_allowed) least = std::min(least, cost_of(cover, set));
  }
  return least;
}

UserCover random_cover(Rng rng, std::size_t candidates) {
  UserCover cover;
  cover.wanted = random_bits(candidates, 8, 0.35, rng.child(0));
  cover.surplus = random_bits(candidates, 5, 0.3, rng.child(1));
  Rng own = rng.child(2);
  for (std::size_t d = 0; d < 5; ++d) {
    cover.price.push_back(static_cast<std::int64_t>(own.uniform() * 3.0 * static_cast<double>(one_permission)));
  }
  for (std::uint32_t c = 1; c < candidates; ++c) {
    if (own.uniform() < 0.2) cover.apart.emplace_back(c - 1, c);
  }
  return cover;
}

TEST(CheapestSet, IsTheBestOfAllSets) {
  const Rng rng = stream(Seed{1}, Stream::roles_simulation);
  for (std::size_t i = 0; i < 200; ++i) {
    const UserCover cover = random_cover(rng.child(i), 2 + i % 8);
    const CheapestSet best = cheapest_set(cover, plenty);
    EXPECT_TRUE(best.proved);
    EXPECT_EQ(best.cost, least_cost(cover)) << i;
    EXPECT_EQ(best.cost, cost_of(cover, best.chosen)) << i;
    EXPECT_TRUE(std::is_sorted(best.chosen.begin(), best.chosen.end()));
    for (const auto& [a, b] : cover.apart) {
      const auto has = [&](std::uint32_t c) { return std::count(best.chosen.begin(), best.chosen.end(), c) > 0; };
      EXPECT_FALSE(has(a) && has(b)) << i;
    }
  }
}

// Greedy takes the large role first and then needs both others.
TEST(CheapestSet, FewerRolesWinWhereTheGrantsAreTheSame) {
  UserCover cover;
  cover.wanted = bits_of({"01111000", "11110000", "00001111", "00000001"});
  cover.surplus = BitMatrix(4, 0);
  const CheapestSet best = cheapest_set(cover, plenty);
  EXPECT_EQ(best.chosen, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(best.cost, 2);
}

TEST(CheapestSet, WhatTwoRolesGrantTooMuchIsPaidOnce) {
  UserCover cover;
  cover.wanted = bits_of({"1000", "0100", "0010"});
  cover.surplus = bits_of({"1", "1", "1"});
  cover.price = {2 * one_permission};
  EXPECT_EQ(cheapest_set(cover, plenty).chosen, (std::vector<std::uint32_t>{0, 1, 2}));
  cover.price = {4 * one_permission};
  EXPECT_TRUE(cheapest_set(cover, plenty).chosen.empty());
}

TEST(CheapestSet, SaysSoWhenTheSearchWasCutOff) {
  const Rng rng = stream(Seed{2}, Stream::roles_simulation);
  std::size_t unproved = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    const UserCover cover = random_cover(rng.child(i), 9);
    const CheapestSet first = cheapest_set(cover, 0);
    const std::int64_t least = least_cost(cover);
    EXPECT_GE(first.cost, least);
    if (first.proved) {
      EXPECT_EQ(first.cost, least);
    }
    unproved += first.proved ? 0 : 1;
  }
  EXPECT_GT(unproved, 0U);
  EXPECT_LT(unproved, 50U);
}

}  // namespace
}  // namespace motet::roles::cheapest_set_test
