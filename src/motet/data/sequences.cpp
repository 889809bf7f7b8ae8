#include "motet/data/sequences.h"

#include <algorithm>

#include "motet/base/error.h"

namespace motet {

std::size_t sequence_of(const Sequences& cut, std::size_t n) {
  const auto after = std::upper_bound(cut.starts.begin(), cut.starts.end(), n);
  return static_cast<std::size_t>(after - cut.starts.begin()) - 1;
}

void append(Sequences& cut, const Sequences& more) {
  if (cut.clock != more.clock) {
    fail(ErrorKind::bad_data, "a row every " + to_text(more.clock.hop) + " s over " + to_text(more.clock.window) +
                                  " s does not fit rows every " + to_text(cut.clock.hop) + " s over " +
                                  to_text(cut.clock.window) + " s");
  }
  const std::size_t before = cut.starts.back();
  for (std::size_t s = 1; s < more.starts.size(); ++s) cut.starts.push_back(before + more.starts[s]);
  cut.sequences.insert(cut.sequences.end(), more.sequences.begin(), more.sequences.end());
}

}  // namespace motet
