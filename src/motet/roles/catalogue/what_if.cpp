#include "motet/roles/catalogue/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "motet/base/error.h"
#include "motet/roles/naming.h"

namespace motet::roles {
namespace {

bool is_in(const std::vector<std::uint32_t>& roles, std::uint32_t role) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

void require_sense(const RoleCatalogue& catalogue, const CatalogueChange& change) {
  for (const std::uint32_t role : change.removed) {
    if (is_in(change.merged, role)) {
      fail(ErrorKind::usage, fmt::format("--remove and --merge: both name role '{}'", catalogue.names[role]));
    }
  }
  for (const auto& [a, b] : catalogue.never_with_one_user) {
    if (is_in(change.merged, a) && is_in(change.merged, b)) {
      fail(ErrorKind::usage, fmt::format("--merge: roles '{}' and '{}' must never share a user; they cannot become one",
                                         catalogue.names[a], catalogue.names[b]));
    }
  }
  if (change.removed.size() == catalogue.size()) fail(ErrorKind::usage, "--remove: no role would be left");
}

std::string merged_name(const RoleCatalogue& catalogue, const std::vector<std::uint32_t>& parts) {
  std::string name;
  for (const std::uint32_t role : parts) name += (name.empty() ? "" : " + ") + catalogue.names[role];
  return name;
}

void add_cells(std::uint64_t bits, std::uint32_t user, std::size_t word, std::vector<Holding>& cells) {
  for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
    cells.push_back({user, static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)))});
  }
}

}  // namespace

ChangedCatalogue changed_catalogue(const RoleCatalogue& catalogue, const CatalogueChange& change) {
  require_sense(catalogue, change);
  ChangedCatalogue result;
  std::uint32_t merged_at = ChangedCatalogue::gone;
  for (std::uint32_t k = 0; k < catalogue.size(); ++k) {
    const auto next = static_cast<std::uint32_t>(result.catalogue.names.size());
    if (is_in(change.removed, k)) {
      result.now_at.push_back(ChangedCatalogue::gone);
    } else if (is_in(change.merged, k) && merged_at != ChangedCatalogue::gone) {
      result.now_at.push_back(merged_at);
    } else {
      const bool starts_merged = is_in(change.merged, k);
      if (starts_merged) merged_at = next;
      result.now_at.push_back(next);
      result.catalogue.names.push_back(starts_merged ? merged_name(catalogue, change.merged) : catalogue.names[k]);
    }
  }
  result.catalogue.names = unique_names(std::move(result.catalogue.names));
  result.catalogue.permissions = BitMatrix(result.catalogue.size(), catalogue.permissions.columns());
  for (std::uint32_t k = 0; k < catalogue.size(); ++k) {
    if (result.now_at[k] == ChangedCatalogue::gone) continue;
    const auto to = result.catalogue.permissions.row(result.now_at[k]);
    const auto from = catalogue.permissions.row(k);
    for (std::size_t w = 0; w < from.size(); ++w) to[w] |= from[w];
  }
  for (const auto& [a, b] : catalogue.never_with_one_user) {
    const auto pair = std::minmax(result.now_at[a], result.now_at[b]);
    if (pair.second != ChangedCatalogue::gone) result.catalogue.never_with_one_user.emplace_back(pair);
  }
  return result;
}

BitMatrix carried_assignments(const BitMatrix& assignments, const ChangedCatalogue& changed) {
  BitMatrix carried(assignments.rows(), changed.catalogue.size());
  for (std::size_t n = 0; n < assignments.rows(); ++n) {
    for_each_bit(assignments.row(n), [&](std::size_t k) {
      if (changed.now_at[k] != ChangedCatalogue::gone) carried.set(n, changed.now_at[k]);
    });
  }
  return carried;
}

ChangeEffect effect_of(const BitMatrix& held, const BitMatrix& granted_before, const BitMatrix& granted_after) {
  require_same_shape(held, granted_before);
  require_same_shape(held, granted_after);
  ChangeEffect effect;
  for (std::uint32_t n = 0; n < held.rows(); ++n) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < held.words(); ++w) {
      const std::uint64_t h = held.row(n)[w];
      const std::uint64_t before = granted_before.row(n)[w];
      const std::uint64_t after = granted_after.row(n)[w];
      add_cells(h & before & ~after, n, w, effect.lost_cover);
      add_cells(h & after & ~before, n, w, effect.new_cover);
      add_cells(~h & after & ~before, n, w, effect.newly_granted);
      add_cells(~h & before & ~after, n, w, effect.not_granted);
      any |= before ^ after;
    }
    if (any != 0) effect.touched.push_back(n);
  }
  return effect;
}

}  // namespace motet::roles
