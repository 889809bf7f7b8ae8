#include "motet/roles/cover/held_starts.h"

#include <algorithm>

#include "motet/roles/cover/coverage_curve.h"
#include "motet/roles/cover/exact_cover.h"
#include "motet/roles/cover/granted_exactly.h"
#include "motet/roles/mac/mac_starts.h"

namespace motet::roles {

namespace {

constexpr std::size_t most_covered_cells = 300'000;  // that differ; more take minutes

// Everybody's roles as granted_exactly chooses them; nobody's where that is more than they may have.
BitMatrix assigned_exactly(const BitMatrix& held, const BitMatrix& roles, const PriceRules& rules,
                           const RunContext& run) {
  BitMatrix assigned = granted_exactly(held, roles, run);
  for (std::size_t n = 0; n < assigned.rows(); ++n) {
    const auto has_both = [&](const auto& pair) { return assigned(n, pair.first) && assigned(n, pair.second); };
    const auto& pairs = rules.never_with_one_user;
    if (assigned.count(n) <= rules.most_roles && std::none_of(pairs.begin(), pairs.end(), has_both)) continue;
    for (std::size_t k = 0; k < assigned.columns(); ++k) assigned.set(n, k, false);
  }
  return assigned;
}

}  // namespace

std::vector<Factorization> held_starts(const BitMatrix& held, const BitMatrix& kept, std::size_t roles,
                                       const PriceRules& rules, const RunContext& run) {
  const MergedMatrix data = merge_equal(held, {true, false});
  const MergedMatrix merged = merge_equal(held);
  if (merged.bits.count() > most_covered_cells) return {};
  const BitMatrix exact = expanded(exact_cover(merged, run).roles, merged);
  std::vector<Factorization> starts;
  for (const BitMatrix& candidates : {exact, cover_candidates(data, exact, run)}) {
    const RolesByGain order = greedy_order(data, candidates, run);
    BitMatrix all(kept.rows() + roles, held.columns());
    for (std::size_t k = 0; k < kept.rows(); ++k) std::copy(kept.row(k).begin(), kept.row(k).end(), all.row(k).begin());
    for (std::size_t i = 0; i < std::min(roles, order.roles.rows()); ++i) {
      const std::size_t k = kept.rows() + i;
      std::copy(order.roles.row(i).begin(), order.roles.row(i).end(), all.row(k).begin());
      for (const auto& [a, b] : rules.never_in_one_role) {
        if (all(k, a)) all.set(k, b, false);
      }
    }
    BitMatrix assigned = assigned_exactly(held, all, rules, run);
    starts.push_back({std::move(all), std::move(assigned)});
  }
  return starts;
}

}  // namespace motet::roles
