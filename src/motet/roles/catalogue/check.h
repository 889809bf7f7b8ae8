// What a catalogue of roles and who has them say of who holds what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/roles/catalogue/hierarchy.h"
#include "motet/roles/grant_count.h"
#include "motet/roles/told_roles.h"

namespace motet::roles {

struct CheckedRole {
  std::size_t permissions = 0;
  std::size_t members = 0;  // users who have it
  std::size_t exact = 0;    // users who hold all its permissions, whether they have it or not
  // Users who lack one of its permissions, or a fifth at most, and hold half of them or more.
  std::size_t nearly = 0;
  std::size_t only_here = 0;      // held permissions of members that no other of their roles grants
  std::size_t newly_granted = 0;  // permissions that it grants to members who do not hold them
};

struct CatalogueCheck {
  GrantCount grants;
  std::vector<CheckedRole> roles;
  RoleHierarchy hierarchy;
  std::vector<std::uint32_t> bare_permissions;    // that somebody holds and no role grants
  std::vector<std::size_t> holders;               // by permission
  std::vector<std::uint32_t> users_without_role;  // who hold something
};

// `risk` is by permission, or empty.
GrantCount count_grants(const BitMatrix& held, const BitMatrix& assignments, const BitMatrix& roles,
                        const std::vector<double>& risk);
CatalogueCheck check_catalogue(const BitMatrix& held, const BitMatrix& assignments, const BitMatrix& roles,
                               const std::vector<double>& risk);

// What roles and assignments leave to be written so that all three give back the data: certain, in the order of users
// and permissions.
std::vector<FoundException> remaining_exceptions(const BitMatrix& held, const BitMatrix& granted);

}  // namespace motet::roles
