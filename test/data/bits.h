// Boolean matrices written as rows of 0 and 1.
#pragma once

#include <string_view>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet {

inline BitMatrix bits_of(const std::vector<std::string_view>& rows) {
  BitMatrix bits(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t d = 0; d < bits.columns(); ++d) bits.set(n, d, rows[n][d] == '1');
  }
  return bits;
}

}  // namespace motet
