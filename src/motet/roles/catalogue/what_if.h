// What would happen if roles of a catalogue were removed, or made one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/roles/catalogue/assign_roles.h"

namespace motet::roles {

struct CatalogueChange {
  std::vector<std::uint32_t> removed;
  std::vector<std::uint32_t> merged;  // none, or at least two: they become one with the permissions of all

  bool is_none() const { return removed.empty() && merged.empty(); }
};

struct ChangedCatalogue {
  RoleCatalogue catalogue;            // a merged role stands where the first of its parts stood, "a + b"
  std::vector<std::uint32_t> now_at;  // by old role: its new number
  static constexpr std::uint32_t gone = 0xFFFFFFFFU;
};

// Throws Error{usage} when a role is named for both, when nothing would be left, or when roles that must never share a
// user would be merged.
ChangedCatalogue changed_catalogue(const RoleCatalogue& catalogue, const CatalogueChange& change);

// The same users where assignments are given: who had a part has the merged role, and removed roles go.
BitMatrix carried_assignments(const BitMatrix& assignments, const ChangedCatalogue& changed);

struct Holding {
  std::uint32_t user = 0;
  std::uint32_t permission = 0;
  bool operator==(const Holding&) const = default;
};

// Cells that change.
struct ChangeEffect {
  std::vector<Holding> lost_cover;     // held: a role granted it before and none does now
  std::vector<Holding> new_cover;      // held: the other way round
  std::vector<Holding> newly_granted;  // not held: a role grants it now and none did before
  std::vector<Holding> not_granted;    // not held: the other way round
  std::vector<std::uint32_t> touched;  // users for whom any of these changes
};

// Of what roles grant to users before and after.
ChangeEffect effect_of(const BitMatrix& held, const BitMatrix& granted_before, const BitMatrix& granted_after);

}  // namespace motet::roles
