// The line of each record of a file, for messages that come after it was read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace motet {

// Stores only where the next record is not one line further.
class LineMap {
 public:
  void add(std::size_t line) {
    if (line != expected_) breaks_.emplace_back(count_, line);
    expected_ = line + 1;
    ++count_;
  }
  std::size_t line_of(std::size_t record) const {
    const auto after = std::upper_bound(breaks_.begin(), breaks_.end(), record,
                                        [](std::size_t r, const auto& place) { return r < place.first; });
    const auto& [first_record, first_line] = *std::prev(after);
    return first_line + (record - first_record);
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> breaks_;  // record, its line
  std::size_t expected_ = 0;
  std::size_t count_ = 0;
};

}  // namespace motet
