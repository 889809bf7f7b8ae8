#include "motet/discover/study/request_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace motet::discover {

std::vector<ClassRequests> requests_by_class(const DiscoveryComparison& comparison) {
  std::vector<ClassRequests> classes;
  for (std::size_t c = 0; c < comparison.classes.size(); ++c) {
    std::vector<double> requests;
    for (const DiscoveryRun& run : comparison.runs) {
      for (const DiscoveryRun::Found& found : run.discoveries) {
        if (found.of_class == c) requests.push_back(static_cast<double>(found.request));
      }
    }
    if (requests.empty()) {
      classes.push_back({0, std::nan(""), std::nan(""), std::nan("")});
      continue;
    }
    const auto [first, last] = std::minmax_element(requests.begin(), requests.end());
    const double sum = std::accumulate(requests.begin(), requests.end(), 0.0);
    classes.push_back({requests.size(), sum / static_cast<double>(requests.size()), *first, *last});
  }
  return classes;
}

RequestRange request_range(const std::vector<DiscoveryRun>& runs) {
  RequestRange range{INFINITY, 0.0};
  for (const DiscoveryRun& run : runs) {
    range.least = std::min(range.least, static_cast<double>(run.requests));
    range.most = std::max(range.most, static_cast<double>(run.requests));
  }
  return range;
}

}  // namespace motet::discover
