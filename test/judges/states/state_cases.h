// Votes on items of several kinds, for the tests of states.
#pragma once

#include <vector>

#include "judges/tied_votes.h"
#include "judges/vote_cases.h"
#include "motet/judges/states/state_fit.h"

namespace motet::judges {

// Parameters with every probability well inside, drawn by lot.
inline std::vector<double> random_state_parameters(const StateShape& shape, std::size_t judges, Rng rng) {
  const std::size_t k = shape.class_count;
  std::vector<double> parameters(shape.cell(judges * k, 0));
  const auto fill = [&](std::size_t begin, std::size_t count, std::size_t step) {
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) total += parameters[begin + i * step] = rng.uniform(0.2, 1.0);
    for (std::size_t i = 0; i < count; ++i) parameters[begin + i * step] /= total;
  };
  fill(0, shape.state_count(), 1);
  fill(shape.state_count(), shape.level_count(), 1);
  for (std::size_t j = 0; j < judges; ++j) {
    for (std::size_t z = 0; z < shape.state_count(); ++z) fill(shape.cell(j * k, z), k, shape.state_count());
  }
  return parameters;
}

inline StateSpec some_spec(std::size_t k, std::size_t per_class, std::vector<double> levels) {
  StateSpec spec;
  spec.shape = {k, per_class, std::move(levels), std::vector<double>(k, 1.0 / static_cast<double>(k))};
  for (std::size_t z = 0; z < spec.shape.state_count(); ++z) {
    for (std::size_t c = 0; c < k; ++c) {
      spec.rows.push_back(c == spec.shape.class_of(z) ? 0.6 : 0.4 / static_cast<double>(k - 1));
    }
  }
  spec.right_strength = 3.0;
  spec.wrong_strength = 5.0;
  return spec;
}

// Eight judges and two classes. Half of the items of either class are of a kind on which the last four judges, together
// or not at all, say the other class.
struct TwoKinds {
  Votes votes;
  std::vector<int> truth;
};

inline TwoKinds two_kinds(std::size_t items, Seed seed) {
  Rng rng(seed);
  TwoKinds result;
  std::vector<std::vector<int>> rows;
  for (std::size_t i = 0; i < items; ++i) {
    const int truth = rng.uniform() < 0.5 ? 1 : 0;
    const bool misleads = rng.uniform() < 0.5;
    result.truth.push_back(truth);
    rows.emplace_back();
    for (std::size_t j = 0; j < 8; ++j) {
      const double accuracy = j < 4 ? 0.9 : misleads ? 0.1 : 0.9;
      rows.back().push_back(rng.uniform() < accuracy ? truth : 1 - truth);
    }
  }
  result.votes = votes_from(rows, 2);
  return result;
}

}  // namespace motet::judges
