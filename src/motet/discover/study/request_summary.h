// How many questions searches with known truth needed, class by class and in all.
#pragma once

#include <vector>

#include "motet/discover/study/simulate.h"

namespace motet::discover {

// NaN where no run found the class.
struct ClassRequests {
  std::size_t runs = 0;  // that found it
  double mean = 0.0;     // question that found it
  double first = 0.0;
  double last = 0.0;
};
std::vector<ClassRequests> requests_by_class(const DiscoveryComparison& comparison);

struct RequestRange {
  double least = 0.0;
  double most = 0.0;
};
RequestRange request_range(const std::vector<DiscoveryRun>& runs);

}  // namespace motet::discover
