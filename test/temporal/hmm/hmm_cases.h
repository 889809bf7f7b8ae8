// Small sources, clips drawn from them, and sums over all paths of a few frames.
#pragma once

#include <cmath>
#include <vector>

#include "motet/base/numeric.h"
#include "motet/base/rng.h"
#include "motet/temporal/hmm/source_mix.h"

namespace motet::temporal {

inline SourceHmm some_source(double place, std::size_t dimensions = 2) {
  SourceHmm source{{{0.6, 0.4}, {0.8, 0.2, 0.3, 0.7}}, {}, {}};
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      source.means.push_back(place + 3.0 * static_cast<double>(k) - 0.5 * static_cast<double>(d));
      source.variances.push_back(0.5 + 0.25 * static_cast<double>(k + d));
    }
  }
  return source;
}

inline std::size_t drawn_state(std::span<const double> shares, Rng& rng) { return rng.categorical(shares); }

// Emissions of one source, frame by frame.
inline std::vector<double> drawn_emissions(const SourceHmm& source, std::size_t frames, Rng rng) {
  const std::size_t dimensions = source.dimensions();
  const std::size_t states = source.states();
  std::vector<double> rows;
  std::size_t state = drawn_state(source.chain.start, rng);
  for (std::size_t n = 0; n < frames; ++n) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const std::size_t at = state * dimensions + d;
      rows.push_back(source.means[at] + std::sqrt(source.variances[at]) * rng.normal());
    }
    state = drawn_state(std::span(source.chain.transition).subspan(state * states, states), rng);
  }
  return rows;
}

// log p of a few frames: the sum over every path of joint states, term by term.
inline double likelihood_of_all_paths(const SourceMix& mix, std::span<const double> rows) {
  const std::size_t frames = rows.size() / mix.dimensions;
  const std::vector<double> densities = joint_densities(mix, rows);
  std::size_t paths = 1;
  for (std::size_t n = 0; n < frames; ++n) paths *= mix.joint;
  std::vector<double> terms;
  for (std::size_t path = 0; path < paths; ++path) {
    double sum = 0.0;
    std::size_t before = 0;
    std::size_t rest = path;
    for (std::size_t n = 0; n < frames; ++n, rest /= mix.joint) {
      const std::size_t j = rest % mix.joint;
      sum += std::log(n == 0 ? mix.chain.start[j] : mix.chain.transition[before * mix.joint + j]);
      sum += densities[j * frames + n];
      before = j;
    }
    terms.push_back(sum);
  }
  return log_sum_exp(terms);
}

}  // namespace motet::temporal
