// What became of the roles since the last time: a previous model against a new one.
//
// Roles are matched one to one by the permissions they share (Jaccard, the largest sum
// over all pairs, base/assignment.h), counted over permissions both models know, so that
// new data do not make old roles strange. A pair below the least similarity is no match:
// the old role vanished and the new one appeared.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/roles/role_model.h"

namespace motet::roles {

struct MatchedRole {
  std::size_t previous = 0;
  std::size_t current = 0;
  std::string previous_name;
  double similarity = 0.0;
  std::vector<std::string> added;    // permissions, in the order of the current model
  std::vector<std::string> removed;  // in the order of the previous one, also those no data have any more

  bool is_same() const { return added.empty() && removed.empty(); }
};

struct RoleChanges {
  std::vector<MatchedRole> matched;   // by current role
  std::vector<std::size_t> appeared;  // current roles
  std::vector<std::string> vanished;  // names of previous roles
  std::vector<std::string> permissions_added;
  std::vector<std::string> permissions_removed;
};

RoleChanges role_changes(const RoleModel& previous, const RoleModel& current, double least_similarity = 0.5);

// Names of the current model where matched roles keep their previous names as long as they are true (renewed_name of
// naming.h); a new role that would share one gets a number.
std::vector<std::string> carried_names(const RoleModel& current, const RoleChanges& changes);

}  // namespace motet::roles
