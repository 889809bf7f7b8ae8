// Label sets written as words of noughts and ones.
#pragma once

#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::multilabel {

// {"110", "001"}: the first two of three labels, and the third alone.
inline BitMatrix sets_of(const std::vector<std::string>& rows) {
  BitMatrix sets(rows.size(), rows.at(0).size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t k = 0; k < rows[j].size(); ++k) sets.set(j, k, rows[j][k] == '1');
  }
  return sets;
}

}  // namespace motet::multilabel
