// The class of every row, where it is known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace motet::discover {

struct RowTruth {
  std::vector<std::string> classes;  // the most frequent is the background
  std::vector<std::uint32_t> of_row;
};

}  // namespace motet::discover
