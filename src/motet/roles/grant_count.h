// What roles and who has them do to the permissions that are held.
#pragma once

#include <cstddef>

namespace motet::roles {

struct GrantCount {
  std::size_t covered = 0;        // held, and granted by a role of the user
  std::size_t newly_granted = 0;  // granted by a role of the user, and not held
  std::size_t individual = 0;     // held, and granted by no role of the user
  std::size_t assignments = 0;    // roles of users
  double risk = 0.0;              // of what is newly granted, by the weights of permissions; 1 each without

  std::size_t held() const { return covered + individual; }
  bool operator==(const GrantCount&) const = default;
};

}  // namespace motet::roles
