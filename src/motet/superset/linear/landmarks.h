// Features that bend: likeness to m landmark rows, k(x, z) = exp(-|x - z|^2 / s), made orthonormal
// (Nystroem: Williams and Seeger 2001), phi(x) = C^-1 k(x, Z) with C C' = k(Z, Z) + 1e-6 I. A linear
// method on phi is the kernel method restricted to the landmarks. s is the median of |x - z|^2.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/base/rng.h"

namespace motet::superset {

struct Landmarks {
  std::size_t dimensions = 0;
  double scale = 1.0;          // s
  std::vector<double> z;       // m x dimensions
  std::vector<double> factor;  // m x m: C, lower triangle

  std::size_t count() const { return dimensions == 0 ? 0 : z.size() / dimensions; }
  bool operator==(const Landmarks&) const = default;
};

// `most` rows of x by lot, or all of them. width: s is the median times it.
Landmarks choose_landmarks(std::span<const double> x, std::size_t dimensions, std::size_t most, double width, Rng rng);

// Rows x count.
std::vector<double> likeness(const Landmarks& landmarks, std::span<const double> x, Threads threads);

}  // namespace motet::superset
