// Passes over the rows for responsibilities that stay: how high the regressions of the sticks are at some w,
// where they rise, and how they bend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/superset/lsb_cmm/lsb_rows.h"

namespace motet::superset {

struct Slope {
  std::vector<double> q;          // width, without the prior
  std::vector<double> curvature;  // width
  std::vector<double> gradient;   // (dimensions + 1) x width, without the prior; empty unless asked for
};
Slope slope_at(const LsbRows& rows, std::span<const double> w, std::size_t components, std::span<const double> rho,
               std::span<float> curvature, bool with_gradient, Threads threads);

// -(H v) of the data, for sticks `active`, v: (dimensions + 1) x padded(active, 8). Single precision, and
// from a part of the rows where there are more than 128 for every feature.
std::vector<double> curvature_times(const LsbRows& rows, std::span<const float> curvature, std::size_t width,
                                    std::span<const std::uint32_t> active, std::span<const double> v, Threads threads);

}  // namespace motet::superset
