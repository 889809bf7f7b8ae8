// Numeric predictions of several judges for several items.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/data/names.h"

namespace motet {

struct Predictions {
  NameList items;
  NameList judges;
  std::vector<double> values;  // row by item, one column per judge; NaN where a judge gave none

  std::size_t item_count() const { return items.size(); }
  std::size_t judge_count() const { return judges.size(); }
  std::span<const double> row(std::size_t item) const { return {values.data() + item * judge_count(), judge_count()}; }
};

}  // namespace motet
