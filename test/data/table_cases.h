// A small table of numbers.
#pragma once

#include "motet/data/number_table.h"

namespace motet {

// Row n is (n, 10 n).
inline NumberTable five_rows() {
  NumberTable numbers;
  numbers.columns = {"x", "y"};
  for (int n = 0; n < 5; ++n) numbers.values.insert(numbers.values.end(), {1.0 * n, 10.0 * n});
  return numbers;
}

}  // namespace motet
