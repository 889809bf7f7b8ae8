// Roles from what users have in common: the discrete basis solver as chapter 9 describes it.
//
// Candidates are the rows of users and the common permissions of every two of them; roles are
// then chosen by greedy_cover.h. Under noise nearly every pair has a different set, so only the
// most frequent sets are kept: a set counts once for every pair of users (a user with himself
// included) who have exactly that set in common. It suffers from taking the union of two roles
// for one ("combination-singleton confusion", section 9.3): asso.h is the better greedy method.
#pragma once

#include "motet/base/run.h"
#include "motet/roles/baselines/greedy_cover.h"

namespace motet::roles {

struct DbpsOptions {
  std::size_t most_rows = 1000;        // heaviest unique rows that are compared with each other
  std::size_t most_candidates = 2000;  // rows and intersections that are kept
  CoverWeights weights{};
};

// Memory: 16 bytes for every two rows compared, 8 MB at most by default.
BitMatrix dbps_candidates(const MergedMatrix& data, const DbpsOptions& options, const RunContext& run);

Factorization dbps(const MergedMatrix& data, std::size_t roles, const DbpsOptions& options, const RunContext& run);

}  // namespace motet::roles
