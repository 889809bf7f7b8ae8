// Users who lack a little of a role: giving it to them grants what they do not hold, and spares exceptions.
#pragma once

#include <cstddef>

#include "motet/roles/merge.h"

namespace motet::roles {

struct NearMembers {
  BitMatrix assignments;      // rows x roles
  double uncovered = 0.0;     // held cells of the original matrix without a role
  double over_granted = 0.0;  // cells that are granted and not held
};

// Adds roles to those `assignments`, which grant nothing that is not held: those first that cover most for each cell
// that they grant beyond, while they cover more than they grant beyond and at most `most` cells are granted beyond in
// all.
NearMembers with_near_members(const MergedMatrix& data, const BitMatrix& roles, BitMatrix assignments, double most);

}  // namespace motet::roles
