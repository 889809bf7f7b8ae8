// What the mixture says of every row with the propagation coupling; answers hold where they were given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motet/discover/discovery.h"

namespace motet::discover {

struct Propagation {
  std::vector<std::int32_t> of_class;     // class per row, 0: background
  std::vector<double> probability;        // of it
  std::vector<std::string> classes = {};  // their names; empty: those of the mixture
};
Propagation propagate(const Features& features, const Discovery& discovery, const RunContext& run);

}  // namespace motet::discover
