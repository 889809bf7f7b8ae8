#include "motet/io/line_map.h"

#include <algorithm>
#include <iterator>

namespace motet {

std::size_t LineMap::line_of(std::size_t record) const {
  const auto after = std::upper_bound(breaks_.begin(), breaks_.end(), record,
                                      [](std::size_t r, const auto& place) { return r < place.first; });
  const auto& [first_record, first_line] = *std::prev(after);
  return first_line + (record - first_record);
}

}  // namespace motet
