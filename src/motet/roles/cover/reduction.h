// Cells that need no thought: whoever covers the others covers them too.
//
// The star of a cell is the cells compatible with it, itself among them. When the star of f lies in that of e, every
// role that covers f can be made to cover e, so e is left out; only the cells that remain must be covered. This goes
// on until no star lies in another (Ene, Horne, Milosavljevic, Rao, Schreiber, Tarjan: Fast exact and heuristic
// methods for role minimization problems, SACMAT 2008). Equal users, equal permissions, users whose permissions are
// the union of what others hold, and roles that are forced are all special cases; the least number of roles stays
// the same, and cells that remain alone are a proof that as many roles are needed.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/cover/access_cells.h"

namespace motet::roles {

struct Reduction {
  static constexpr std::uint32_t itself = 0xFFFFFFFFU;

  std::vector<std::uint32_t> covered_with;  // by cell: the cell whose role covers it as well, or `itself`
  std::vector<std::uint32_t> order;         // the cells left out, in this order
  std::vector<std::uint32_t> remaining;     // cells that must be covered, rising
};

// Throws Error{interrupted} when the run is cancelled.
Reduction reduce(const AccessCells& cells, const RunContext& run);

}  // namespace motet::roles
