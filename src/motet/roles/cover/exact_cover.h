// Users by permissions as a Boolean product without error, with as few roles as possible: the roles that grant exactly
// what is held (role minimisation; minimum biclique edge cover; exact Boolean matrix factorisation). NP-hard in
// general; on access data the reduction (reduction.h) mostly leaves little to be searched, and the number is proved.
#pragma once

#include <cstddef>

#include "motet/base/run.h"
#include "motet/roles/merge.h"

namespace motet::roles {

struct ExactCover {
  BitMatrix roles;            // roles x columns of the merged matrix; their product with `assignments` is the matrix
  BitMatrix assignments;      // rows x roles; nobody has a role that they could do without
  std::size_t at_least = 0;   // as many are needed, proved; equal to the number of roles when that is the least
  std::size_t cells = 0;      // of the merged matrix
  std::size_t remaining = 0;  // cells that the reduction left
  std::size_t parts = 0;      // independent questions among these
  FitSummary summary;         // of the search; the objective is -roles
};

// Each role is as large as those cells allow that need it: of the largest set of permissions and the largest set of
// users, what covers more. A run cancelled during the search returns what there is, with summary.stop = interrupted.
ExactCover exact_cover(const MergedMatrix& data, const RunContext& run);

}  // namespace motet::roles
