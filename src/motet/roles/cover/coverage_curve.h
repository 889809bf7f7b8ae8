// How much of what is held a few roles cover: roles in the order in which they add most, none of which grants anything
// that is not held.
//
// Candidates for a short list need not be those of the exact cover: also what single users hold, what all holders of a
// permission have in common, and what two users have in common. The greedy order covers at least 1 - 1/e of what the
// best list of that length covers, of the candidates (Nemhauser, Wolsey, Fisher 1978).
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/merge.h"

namespace motet::roles {

struct RolesByGain {
  BitMatrix roles;              // in this order
  std::vector<double> covered;  // held cells of the original matrix that these and those before cover
};

// Ends when no candidate adds anything.
RolesByGain greedy_order(const MergedMatrix& data, const BitMatrix& candidates, const RunContext& run);

// `exact` roles and others, without repeats.
BitMatrix cover_candidates(const MergedMatrix& data, const BitMatrix& exact, const RunContext& run);

double held_weight(const MergedMatrix& data);  // held cells of the original matrix

// The shortest beginning that covers as much, as a number of roles; the length and one more when none does.
std::size_t roles_for(const RolesByGain& order, double covered);

// The roles of that beginning, without those that the later ones made needless for as much, least useful first. Some
// beginning must cover it.
struct ShortList {
  BitMatrix roles;
  double covered = 0.0;
};
ShortList short_list(const MergedMatrix& data, const RolesByGain& order, double covered, const RunContext& run);

}  // namespace motet::roles
