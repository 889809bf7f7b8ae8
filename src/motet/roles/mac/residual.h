// Candidates for one more role: what the present roles leave unexplained.
//
// A cell no role covers gains log(p1/p0) when a role covers it and it is held, and
// log((1-p1)/(1-p0)) when it is not held. A candidate's worth is what its users gain
// together; it is refined by a few steps of EM for one role on these gains alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/base/rng.h"
#include "motet/roles/merge.h"

namespace motet::roles {

struct CellGain {
  double held = 0.0;
  double not_held = 0.0;
};
CellGain cell_gain(double p0, double p1);

// `covered`: rows x columns, what the present roles grant. Best candidates first.
std::vector<std::vector<std::uint64_t>> residual_candidates(const MergedMatrix& data, const BitMatrix& covered,
                                                            double p0, double p1, std::size_t count, Threads threads,
                                                            Rng& rng);

// Two parts of a role that its members hold separately: by the sign of the leading
// eigenvector of the covariance of its columns among `members` (rows). Empty when there is
// no such split; `worth` is what its members would gain.
struct RoleSplit {
  std::vector<std::uint64_t> part;
  double worth = 0.0;
};
RoleSplit split_role(const MergedMatrix& data, std::span<const std::uint64_t> role,
                     std::span<const std::uint32_t> members, double p0, double p1);

}  // namespace motet::roles
