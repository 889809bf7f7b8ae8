// Where the EM of the mixture begins: shares of the components that need not come from a stick, and
// concentrations. The first E-step uses them as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/rng.h"
#include "motet/superset/lsb_cmm/lsb_rows.h"

namespace motet::superset {

struct LsbStart {
  std::size_t components = 0;
  std::vector<double> shares;         // components: of every row; or rows x components
  std::vector<double> concentration;  // components x classes
  double jitter = 0.0;                // of the logarithm of a share, so that equal components part
};

// Component k begins with class order[k mod L], 11 to 1, shares falling linearly from the first on.
LsbStart class_start(std::size_t components, std::size_t classes, std::span<const std::uint32_t> order);

// phi of row n, jittered from the row's own stream.
void free_shares(const LsbStart& start, const Rng& jitter, std::size_t n, std::span<double> phi);

}  // namespace motet::superset
