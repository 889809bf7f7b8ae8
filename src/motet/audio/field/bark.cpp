#include "motet/audio/field/bark.h"

#include <cmath>

#include "motet/audio/field/welch.h"

namespace motet::audio {

double bark_frequency(std::size_t band, double sample_rate) {
  const auto first = static_cast<double>(bark_edges[band]);
  const auto last = static_cast<double>(bark_edges[band + 1] - 1);
  return (first + last) / 2.0 * sample_rate / static_cast<double>(welch_segment);
}

std::vector<std::string> bark_names(double sample_rate) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < bark_bands; ++b) {
    names.push_back(std::to_string(std::lround(bark_frequency(b, sample_rate))));
  }
  return names;
}

}  // namespace motet::audio
