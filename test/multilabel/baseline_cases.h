// Training and test items for the classifiers behind a comparison.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "motet/base/rng.h"
#include "motet/multilabel/baselines/baseline_data.h"

namespace motet::multilabel {

struct BaselineCase {
  BaselineData data;
  std::vector<std::uint32_t> of;  // class of each training item
};

// Classes around a circle of this radius, in so many dimensions of which all but two say nothing; class c has
// `items` * (c + 1) items. Test items lie on a grid.
inline BaselineCase classes_on_a_circle(std::size_t classes, std::size_t items, std::size_t dimensions, double radius,
                                        Rng rng) {
  BaselineCase made;
  made.data.dimensions = dimensions;
  for (std::size_t c = 0; c < classes; ++c) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(c) / static_cast<double>(classes);
    for (std::size_t n = 0; n < items * (c + 1); ++n) {
      made.of.push_back(static_cast<std::uint32_t>(c));
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double centre = d == 0 ? radius * std::cos(angle) : d == 1 ? radius * std::sin(angle) : 0.0;
        made.data.train.push_back(centre + rng.normal() * (d == 1 ? 0.5 : 1.0));
      }
    }
  }
  for (int i = -10; i <= 10; ++i) {
    for (int j = dimensions > 1 ? -10 : 0; j <= (dimensions > 1 ? 10 : 0); ++j) {
      for (std::size_t d = 0; d < dimensions; ++d) made.data.test.push_back(d == 0 ? 0.4 * i : d == 1 ? 0.4 * j : 0.1);
    }
  }
  BitMatrix sets(made.of.size(), classes);
  for (std::size_t n = 0; n < made.of.size(); ++n) sets.set(n, made.of[n]);
  made.data.index = index_label_sets(sets);
  made.data.sets = sets;
  return made;
}

}  // namespace motet::multilabel
