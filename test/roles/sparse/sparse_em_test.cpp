#include "motet/roles/sparse/sparse_em.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/roles/mac/label_sets.h"
#include "roles/planted_cases.h"
#include "roles/sparse/sparse_cases.h"
#include "support/threads.h"

namespace motet::roles::sparse_em_test {
namespace {

constexpr double rounding = 1e-9;  // relative, of a sum over all cells

SparseRules rules_for(std::size_t most, RoleNoise noise = RoleNoise::mixture) {
  SparseRules rules;
  rules.growth.most_roles = most;
  rules.noise = noise;
  return rules;
}

// Roles to begin with that are near the planted ones: a tenth of their permissions exchanged.
SparseRoles nearby(const SparsePlanted& planted, const SparseRows& held, std::size_t most, Rng rng) {
  SparseRows roles;
  roles.columns = planted.roles.columns;
  for (std::size_t k = 0; k < planted.roles.rows(); ++k) {
    std::vector<std::uint32_t> role(planted.roles[k].begin(), planted.roles[k].end());
    for (std::uint32_t& d : role) {
      if (rng.uniform() < 0.1) d = static_cast<std::uint32_t>(rng.below(roles.columns));
    }
    std::sort(role.begin(), role.end());
    role.erase(std::unique(role.begin(), role.end()), role.end());
    roles.add(role);
  }
  return sparse_start(std::move(roles), held, most);
}

// log-likelihood over all sets, cell by cell.
double full_log_likelihood(const BitMatrix& held, const SparseRoles& state, std::size_t most) {
  const BitMatrix roles = dense_rows(state.roles);
  const LabelSets sets = LabelSets::up_to(roles.rows(), most);
  double total = 0.0;
  for (std::size_t n = 0; n < held.rows(); ++n) {
    double sum = 0.0;
    for (std::size_t l = 0; l < sets.size(); ++l) {
      double log_p = 0.0;
      for (std::uint32_t k = 0; k < roles.rows(); ++k) {
        const bool has = std::find(sets[l].begin(), sets[l].end(), k) != sets[l].end();
        log_p += std::log(has ? state.share[k] : 1.0 - state.share[k]);
      }
      for (std::size_t d = 0; d < held.columns(); ++d) {
        bool granted = false;
        for (const std::uint32_t k : sets[l]) granted = granted || roles(k, d);
        const double p = granted ? state.p1 : state.p0;
        log_p += std::log(held(n, d) ? p : 1.0 - p);
      }
      sum += std::exp(log_p);
    }
    total += std::log(sum);
  }
  return total;
}

TEST(SparseEm, ObjectiveIsTheLikelihoodOverAllSetsWhereNeighboursAreAll) {
  // With two roles every set is a neighbour of every other but one, which differs by both roles.
  Rng rng(Seed{3});
  const BitMatrix held = random_bits(40, 9, 0.4, rng.child(0));
  SparseRoles state = sparse_start(sparse_rows(bits_of({"111000000"})), sparse_rows(held), 1);
  state.share = {0.3};
  const SparsePosteriors posteriors = respond(sparse_rows(held), state, rules_for(1), nullptr, {});
  EXPECT_NEAR(posteriors.objective, full_log_likelihood(held, state, 1), 1e-6);  // sets 14 nats behind are left out
}

TEST(SparseEm, ObjectiveIsAllButTheWholeLikelihood) {
  const SparsePlanted planted = planted_sparse({60, 60, 6, 8, 2, 0.05}, Seed{4});
  const SparseRows held = sparse_rows(planted.access.held);
  SparseRoles state = sparse_start(planted.roles, held, 2);
  state.p0 = 0.005;
  state.p1 = 0.95;
  const double sparse = respond(held, state, rules_for(2), nullptr, {}).objective;
  const double full = full_log_likelihood(planted.access.held, state, 2);
  EXPECT_LE(sparse, full + rounding * std::abs(full));
  EXPECT_NEAR(sparse, full, 1e-3);
}

TEST(SparseEm, ObjectiveNeverFalls) {
  for (const RoleNoise noise : {RoleNoise::mixture, RoleNoise::none, RoleNoise::flip, RoleNoise::symmetric_flip}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const SparsePlanted planted = planted_sparse({150, 80, 8, 10, 3, 0.15}, Seed{20 + seed});
      const SparseRows held = sparse_rows(planted.access.held);
      SparseRules rules = rules_for(3, noise);
      if (seed % 2 == 1) {
        rules.never_with.resize(80);
        for (std::uint32_t d = 0; d < 20; d += 2) {
          rules.never_with[d].push_back(d + 1);
          rules.never_with[d + 1].push_back(d);
        }
        rules.growth.never_together = {{0, 1}};
        rules.kept = 2;
      }
      SparseRoles start = nearby(planted, held, 3, Rng(Seed{seed}));
      const SparseFit fit = fit_sparse(held, std::move(start), rules, {60, 1e-9}, {});
      EXPECT_GE(fit.summary.objective.size(), 2U);
      EXPECT_NE(fit.summary.stop, Stop::objective_fell);
      for (std::size_t i = 1; i < fit.summary.objective.size(); ++i) {
        const double before = fit.summary.objective[i - 1];
        EXPECT_GE(fit.summary.objective[i], before - 1e-10 * std::abs(before)) << name_of(noise) << ' ' << i;
      }
    }
  }
}

TEST(SparseEm, KeepsWhatMustStayApartApart) {
  const SparsePlanted planted = planted_sparse({200, 60, 6, 10, 2, 0.05}, Seed{5});
  const SparseRows held = sparse_rows(planted.access.held);
  SparseRules rules = rules_for(2);
  rules.kept = 1;
  const std::uint32_t one = planted.roles[1][0];
  const std::uint32_t other = planted.roles[1][1];
  rules.never_with.resize(60);
  rules.never_with[one].push_back(other);
  rules.never_with[other].push_back(one);
  SparseRoles start = sparse_start(planted.roles, held, 2);
  const SparseFit fit = fit_sparse(held, std::move(start), rules, {30, 1e-9}, {});
  EXPECT_TRUE(std::ranges::equal(fit.state.roles[0], planted.roles[0]));
  bool was_apart = false;
  for (std::size_t k = 1; k < fit.state.roles.rows(); ++k) {
    const auto role = fit.state.roles[k];
    const bool has_one = std::binary_search(role.begin(), role.end(), one);
    const bool has_other = std::binary_search(role.begin(), role.end(), other);
    EXPECT_FALSE(has_one && has_other) << k;
    was_apart = was_apart || has_one || has_other;
  }
  EXPECT_TRUE(was_apart);
}

TEST(SparseEm, SameBytesOnAnyNumberOfThreads) {
  const SparsePlanted planted = planted_sparse({3000, 120, 12, 10, 3, 0.1}, Seed{6});
  const SparseRows held = sparse_rows(planted.access.held);
  std::vector<SparseFit> fits;
  for (const unsigned count : {1U, 2U, 4U}) {
    StartedThreads threads(count);
    fits.push_back(
        fit_sparse(held, nearby(planted, held, 3, Rng(Seed{1})), rules_for(3), {8, 1e-9}, with_threads(threads)));
  }
  for (std::size_t i = 1; i < fits.size(); ++i) {
    EXPECT_EQ(fits[i].summary.objective, fits[0].summary.objective);
    EXPECT_EQ(fits[i].state.roles, fits[0].state.roles);
    EXPECT_EQ(fits[i].state.share, fits[0].state.share);
    EXPECT_EQ(fits[i].state.p0, fits[0].state.p0);
  }
}

TEST(SparseEm, GoesOnFromACheckpoint) {
  const SparsePlanted planted = planted_sparse({400, 100, 8, 10, 3, 0.1}, Seed{7});
  const SparseRows held = sparse_rows(planted.access.held);
  const SparseRoles start = nearby(planted, held, 3, Rng(Seed{1}));
  Checkpoint kept;
  RunContext run;
  run.save = [&](const Checkpoint& now) {
    if (now.iteration == 2) kept = now;
  };
  const SparseFit whole = fit_sparse(held, start, rules_for(3), {100, 1e-9}, run, sparse_stage);
  ASSERT_FALSE(kept.parameters.empty());
  RunContext again;
  again.resume = [&](std::string_view stage) { return stage == sparse_stage ? &kept : nullptr; };
  SparseRoles nothing;
  nothing.share.assign(8, 0.5);
  nothing.roles.columns = 100;
  for (std::size_t k = 0; k < 8; ++k) nothing.roles.add({});
  const SparseFit rest = fit_sparse(held, nothing, rules_for(3), {100, 1e-9}, again, sparse_stage);
  EXPECT_EQ(rest.state.roles, whole.state.roles);
  EXPECT_EQ(rest.state.share, whole.state.share);
  EXPECT_EQ(rest.summary.objective, whole.summary.objective);
  kept.parameters.pop_back();
  EXPECT_EQ(error_of(
                [&] {
                  fit_sparse(held, nothing, rules_for(3), {100, 1e-9}, again, sparse_stage);
                },
                ErrorKind::bad_data),
            "the checkpoint belongs to other data or options; start without --resume");
}

}  // namespace
}  // namespace motet::roles::sparse_em_test
