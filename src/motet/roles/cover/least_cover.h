// All ones of a matrix covered by as few roles as possible: reduction, parts, and a search in each part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/cover/access_cells.h"

namespace motet::roles {

struct LeastCover {
  std::vector<std::uint32_t> role;  // by cell: one of those that cover it; cells of a role are pairwise compatible
  std::size_t roles = 0;
  std::size_t at_least = 0;   // as many are needed, proved; equal to `roles` when the cover is optimal
  std::size_t remaining = 0;  // cells after the reduction
  std::size_t parts = 0;      // independent questions among these
  FitSummary summary;         // of the search; the objective is -roles
};

// A run that is cancelled while parts are searched returns what it has, with summary.stop = interrupted; cancelled
// before that, it throws Error{interrupted}.
LeastCover least_cover(const AccessCells& cells, const RunContext& run);

}  // namespace motet::roles
