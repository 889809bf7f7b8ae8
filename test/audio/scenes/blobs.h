// Classes and numbers that features tell apart, for tests of what learns them.
#pragma once

#include <string>
#include <vector>

#include "motet/audio/scenes/examples.h"
#include "motet/base/rng.h"

namespace motet::audio {

struct Blobs {
  Rows2d rows;
  Target target;
  std::vector<std::uint32_t> groups;
};

// Row n is of class n % classes, a Gaussian around a corner of a simplex; features beyond the classes are noise. Two
// rows are of one group.
inline Blobs class_blobs(std::size_t count, std::size_t classes, std::size_t width, double apart,
                         std::uint64_t seed = 1) {
  Rng rng(Seed{seed});
  Blobs blobs{{width, {}}, {}, {}};
  for (std::size_t c = 0; c < classes; ++c) blobs.target.classes.push_back(std::string(1, static_cast<char>('a' + c)));
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t of = n % classes;
    for (std::size_t d = 0; d < width; ++d) blobs.rows.values.push_back((d == of ? apart : 0.0) + rng.normal());
    blobs.target.values.push_back(static_cast<double>(of));
    blobs.groups.push_back(static_cast<std::uint32_t>(n / 2));
  }
  return blobs;
}

// The number is the first feature times two, less the second, with a little noise.
inline Blobs number_blobs(std::size_t count, std::size_t width, std::uint64_t seed = 1) {
  Rng rng(Seed{seed});
  Blobs blobs{{width, {}}, {}, {}};
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t d = 0; d < width; ++d) blobs.rows.values.push_back(rng.normal());
    const std::span<const double> row = blobs.rows.row(n);
    blobs.target.values.push_back(5.0 + 2.0 * row[0] - row[1] + 0.05 * rng.normal());
    blobs.groups.push_back(static_cast<std::uint32_t>(n));
  }
  return blobs;
}

}  // namespace motet::audio
