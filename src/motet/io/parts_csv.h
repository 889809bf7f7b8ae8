// Which part of a cross-validation each item is held out with: a table with a column 'part', a row an
// item in the order of the items. Parts have any names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace motet {

// Throws Error{bad_data} when there are not `items` rows, or fewer than two parts.
std::vector<std::uint32_t> read_parts(const std::string& path, std::size_t items);

}  // namespace motet
