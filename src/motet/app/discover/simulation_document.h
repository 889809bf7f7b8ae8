// Searches played through with known truth, told once.
#pragma once

#include <span>

#include "motet/discover/study/simulate.h"
#include "motet/report/document.h"

namespace motet::discover {

// The first is the strategy asked for; the others stand beside it on the page. `source` is where the rows came from.
Document simulation_document(std::span<const DiscoveryComparison> comparisons, const std::string& source,
                             const std::vector<std::string>& warnings);

}  // namespace motet::discover
