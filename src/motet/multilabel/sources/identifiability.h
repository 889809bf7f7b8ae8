// Whether the label sets present determine every source: the indicator matrix Z (sets x sources)
// needs rank K for the means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::multilabel {

struct SourceIdentifiability {
  bool identifiable = true;
  std::size_t rank = 0;
  std::vector<std::vector<std::uint32_t>> confounded;  // groups of sources that cannot be told apart
  std::vector<std::string> advice;                     // which sets of items would settle it
};
SourceIdentifiability identifiability(const BitMatrix& sets, const std::vector<std::string>& labels, bool background);

}  // namespace motet::multilabel
