// Rows from a hidden Markov chain with known states.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/features.h"

namespace motet::temporal {

struct MarkovRows {
  Features features;
  std::vector<std::uint8_t> states;
};

// Two columns; states on a circle, neighbours `apart` standard deviations from each other, that last `stay` rows in
// the mean.
inline MarkovRows markov_rows(std::size_t sequences, std::size_t rows, std::size_t states, double stay, double apart,
                              std::uint64_t seed) {
  Rng rng(Seed{seed});
  MarkovRows made;
  made.features.columns = {"x1", "x2"};
  const double angle = 2.0 * 3.141592653589793 / static_cast<double>(states);
  const double radius = apart / (2.0 * std::sin(angle / 2.0));
  for (std::size_t s = 0; s < sequences; ++s) {
    auto state = rng.below(states);
    for (std::size_t n = 0; n < rows; ++n) {
      if (n > 0 && rng.uniform() < 1.0 / stay) state = (state + 1 + rng.below(states - 1)) % states;
      made.states.push_back(static_cast<std::uint8_t>(state));
      made.features.values.push_back(radius * std::cos(angle * static_cast<double>(state)) + rng.normal());
      made.features.values.push_back(radius * std::sin(angle * static_cast<double>(state)) + rng.normal());
    }
    made.features.starts.push_back(made.states.size());
    made.features.sequences.push_back("s" + std::to_string(s));
  }
  return made;
}

// Share of rows in another state than the truth says, with the best naming of the components.
inline double share_wrong(const std::vector<std::uint8_t>& truth, const std::vector<std::uint8_t>& found,
                          std::size_t states) {
  std::vector<std::size_t> names(states);
  std::iota(names.begin(), names.end(), 0U);
  std::size_t right = 0;
  do {
    std::size_t own = 0;
    for (std::size_t n = 0; n < truth.size(); ++n) own += names[found[n]] == truth[n] ? 1U : 0U;
    right = std::max(right, own);
  } while (std::next_permutation(names.begin(), names.end()));
  return 1.0 - static_cast<double>(right) / static_cast<double>(truth.size());
}

}  // namespace motet::temporal
