#include "motet/roles/sparse/set_growth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/roles/mac/label_sets.h"
#include "roles/planted_cases.h"

namespace motet::roles::set_growth_test {
namespace {

struct Case {
  SparseRows roles;
  std::vector<double> shares;
  GrowthRules rules;
  double p0 = 0.05;
  double p1 = 0.85;

  Case(std::size_t count, std::size_t permissions, double density, std::size_t most, Rng rng)
      : roles(sparse_rows(random_bits(count, permissions, density, rng.child(0)))) {
    Rng own = rng.child(1);
    for (std::size_t k = 0; k < count; ++k) shares.push_back(own.uniform(0.02, 0.6));
    p0 = own.uniform(0.01, 0.2);
    p1 = own.uniform(0.6, 0.98);
    rules.most_roles = most;
  }

  // log p(x | L) p(L) to that of the empty set, cell by cell.
  double worth(std::span<const std::uint32_t> set, const BitMatrix& held, const BitMatrix* known) const {
    const BitMatrix bits = dense_rows(roles);
    double sum = 0.0;
    for (const std::uint32_t k : set) sum += std::log(shares[k]) - std::log(1.0 - shares[k]);
    for (std::size_t d = 0; d < roles.columns; ++d) {
      bool is_granted = false;
      for (const std::uint32_t k : set) is_granted = is_granted || bits(k, d);
      if (!is_granted || (known != nullptr && !(*known)(0, d))) continue;
      sum += held(0, d) ? std::log(p1) - std::log(p0) : std::log(1.0 - p1) - std::log(1.0 - p0);
    }
    return sum;
  }
};

bool is_forbidden(std::span<const std::uint32_t> set, const GrowthRules& rules) {
  return std::any_of(rules.never_together.begin(), rules.never_together.end(), [&](const auto& pair) {
    return std::find(set.begin(), set.end(), pair.first) != set.end() &&
           std::find(set.begin(), set.end(), pair.second) != set.end();
  });
}

std::vector<std::uint32_t> places(const BitMatrix& held) {
  const SparseRows rows = sparse_rows(held);
  return {rows[0].begin(), rows[0].end()};
}

TEST(SetGrowth, FindsTheBestOfAllSets) {
  const Rng root(Seed{7});
  std::size_t with_roles = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Rng rng = root.child(i);
    Case given(2 + rng.below(9), 5 + rng.below(30), rng.uniform(0.1, 0.6), 1 + rng.below(4), rng.child(1));
    if (i % 5 == 0) given.rules.never_together = {{0, 1}};
    const BitMatrix held = random_bits(1, given.roles.columns, rng.uniform(0.1, 0.9), rng.child(2));
    const BitMatrix mask = random_bits(1, given.roles.columns, 0.7, rng.child(3));
    const BitMatrix* const known = i % 3 == 0 ? &mask : nullptr;
    const GrowthModel model(given.roles, given.p0, given.p1, given.shares, given.rules);
    SetGrower grower(model);
    const auto bits = known == nullptr ? std::span<const std::uint64_t>{} : known->row(0);
    const GrownSets grown = grower.grow(places(held), bits);
    const LabelSets all = LabelSets::up_to(given.roles.rows(), given.rules.most_roles);
    double best = -1e300;
    for (std::size_t l = 0; l < all.size(); ++l) {
      if (!is_forbidden(all[l], given.rules)) best = std::max(best, given.worth(all[l], held, known));
    }
    EXPECT_TRUE(grown.is_proved);
    EXPECT_NEAR(grown.sets.front().worth, best, 1e-9) << "case " << i;
    with_roles += grown.sets.front().roles.empty() ? 0U : 1U;
    for (const GrownSet& set : grown.sets) {
      EXPECT_NEAR(set.worth, given.worth(set.roles, held, known), 1e-9) << "case " << i;
      EXPECT_NEAR(grower.worth(set.roles, places(held), bits), set.worth, 1e-9);
      EXPECT_LE(set.roles.size(), given.rules.most_roles);
      EXPECT_FALSE(is_forbidden(set.roles, given.rules));
    }
  }
  EXPECT_GT(with_roles, 150U);  // else the cases tell nothing
}

TEST(SetGrowth, GivesEveryNeighbourThatIsNear) {
  const Rng root(Seed{8});
  for (std::uint64_t i = 0; i < 100; ++i) {
    Rng rng = root.child(i);
    const Case given(3 + rng.below(6), 20, 0.3, 3, rng.child(1));
    const BitMatrix held = random_bits(1, 20, 0.5, rng.child(2));
    const GrowthModel model(given.roles, given.p0, given.p1, given.shares, given.rules);
    const GrownSets grown = SetGrower(model).grow(places(held));
    std::vector<std::vector<std::uint32_t>> found;
    for (const GrownSet& set : grown.sets) found.push_back(set.roles);
    std::vector<std::vector<std::uint32_t>> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end()) << "a set came twice";
    const std::vector<std::uint32_t>& best = found.front();
    const LabelSets all = LabelSets::up_to(given.roles.rows(), 3);
    for (std::size_t l = 0; l < all.size(); ++l) {
      const std::vector<std::uint32_t> set(all[l].begin(), all[l].end());
      const std::size_t common = common_places(set, best);
      const bool is_neighbour = set.size() - common <= 1 && best.size() - common <= 1;
      if (!is_neighbour || given.worth(set, held, nullptr) < grown.sets.front().worth - near_sets + 1e-9) continue;
      EXPECT_TRUE(std::binary_search(sorted.begin(), sorted.end(), set)) << "case " << i;
    }
  }
}

TEST(SetGrowth, LeavesNothingBehindForTheNextUser) {
  const Case given(8, 30, 0.3, 3, Rng(Seed{9}));
  const BitMatrix users = random_bits(20, 30, 0.5, Rng(Seed{10}));
  const GrowthModel model(given.roles, given.p0, given.p1, given.shares, given.rules);
  SetGrower shared(model);
  const SparseRows rows = sparse_rows(users);
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const GrownSets alone = SetGrower(model).grow(rows[n]);
    const GrownSets after = shared.grow(rows[n]);
    ASSERT_EQ(alone.sets.size(), after.sets.size());
    for (std::size_t i = 0; i < alone.sets.size(); ++i) {
      EXPECT_EQ(alone.sets[i].roles, after.sets[i].roles);
      EXPECT_EQ(alone.sets[i].worth, after.sets[i].worth);
    }
  }
}

// Many roles that all overlap: the tree is cut off, and that is told.
TEST(SetGrowth, TellsWhenTheBestSetIsNotProved) {
  Case given(60, 120, 0.3, 12, Rng(Seed{11}));
  given.p0 = 0.3;
  given.p1 = 0.7;
  const BitMatrix held = random_bits(1, 120, 0.6, Rng(Seed{12}));
  const GrowthModel model(given.roles, given.p0, given.p1, given.shares, given.rules);
  EXPECT_FALSE(SetGrower(model).grow(places(held)).is_proved);
}

}  // namespace
}  // namespace motet::roles::set_growth_test
