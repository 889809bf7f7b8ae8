#include "motet/temporal/run_lengths.h"

#include <algorithm>

namespace motet::temporal {

std::vector<RunLengths> run_lengths(const Features& features, const std::vector<std::uint8_t>& states,
                                    std::size_t components) {
  std::vector<std::vector<std::size_t>> lengths(components);
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    std::size_t first = features.starts[s];
    for (std::size_t n = first; n < features.starts[s + 1]; ++n) {
      if (n + 1 < features.starts[s + 1] && states[n + 1] == states[n]) continue;
      lengths[states[n]].push_back(n + 1 - first);
      first = n + 1;
    }
  }
  std::vector<RunLengths> result(components);
  for (std::size_t k = 0; k < components; ++k) {
    std::vector<std::size_t>& of = lengths[k];
    if (of.empty()) continue;
    std::sort(of.begin(), of.end());
    for (const std::size_t length : of) result[k].rows += length;
    result[k].runs = of.size();
    result[k].mean = static_cast<double>(result[k].rows) / static_cast<double>(of.size());
    result[k].median = of[of.size() / 2];
    result[k].longest = of.back();
  }
  return result;
}

}  // namespace motet::temporal
