#include "motet/discover/certificate.h"

#include <algorithm>

#include "motet/discover/answers.h"
#include "motet/discover/questions/cover.h"

namespace motet::discover {

SearchCertificate certificate(const Features& features, const Discovery& discovery) {
  SearchCertificate result;
  const HeldAnswers held = held_answers(discovery);
  const std::vector<std::size_t> sure = sure_rows(held);
  result.exclusion = static_cast<std::size_t>(discovery.options.exclusion);
  result.answered = sure.size();
  result.unsure = held.size() - sure.size();
  auto next = sure.begin();
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    const std::size_t end = features.starts[s + 1];
    std::size_t begin = features.starts[s];  // of the gap
    result.most_requests += (end - begin + result.exclusion) / (result.exclusion + 1);
    for (; next != sure.end() && *next < end; ++next) {
      result.longest_gap = std::max(result.longest_gap, *next - begin);
      begin = *next + 1;
    }
    result.longest_gap = std::max(result.longest_gap, end - begin);
  }
  const std::vector<std::uint8_t> within = rows_within(features.starts, sure, result.exclusion);
  const auto covered = static_cast<std::size_t>(std::count(within.begin(), within.end(), std::uint8_t{1}));
  // Questions in an uncovered stretch of m rows are more than g apart: ceil(m / (g + 1)) at most.
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    std::size_t stretch = 0;
    for (std::size_t n = features.starts[s]; n <= features.starts[s + 1]; ++n) {
      if (n < features.starts[s + 1] && within[n] == 0) {
        ++stretch;
      } else {
        result.most_left += (stretch + result.exclusion) / (result.exclusion + 1);
        stretch = 0;
      }
    }
  }
  result.least_left = least_cover(features.starts, within, result.exclusion).size();
  result.complete = covered == within.size();
  result.covered = within.empty() ? 1.0 : static_cast<double>(covered) / static_cast<double>(within.size());
  return result;
}

}  // namespace motet::discover
