// What contains what, as names joined by lines: each name on a line of its own, what it contains below it and one step
// to the right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct Links {
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> below;  // by name: numbers of the names right below; no name is below itself
  std::string above_title;                        // of the columns of its table
  std::string below_title;
};

// Names without a link are left out. A name below several stands once, right of them all, below the first.
Plot link_plot(PlotText text, const Links& data);

}  // namespace motet
