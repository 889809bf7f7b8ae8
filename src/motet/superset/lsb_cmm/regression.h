// The weighted logistic regressions of the sticks, equation (15), for one row: with rho_k and
// psi_k = sum_{j>k} rho_j,
//   Q_k = sum_n rho log s(u) + psi log(1 - s(u)), dQ/du = rho (1 - s) - psi s, -d2Q/du2 = (rho + psi) s (1 - s).
#pragma once

#include "motet/superset/lsb_cmm/stick.h"

namespace motet::superset {

constexpr double least_curvature = 1e-20;

// Where the rows of a pass keep what belongs to one row; all of `width`.
struct RegressionRow {
  double* s;
  double* rest;
  double* e;
  double* psi;
};

[[gnu::always_inline]] inline void logistic_row(const double* u, std::size_t width, const RegressionRow& row) {
  for (std::size_t k = 0; k < width; k += lane_count) {
    const LogisticLanes at = logistic_lanes(load_lanes(u + k));
    store_lanes(row.s + k, at.s);
    store_lanes(row.rest + k, at.rest);
    store_lanes(row.e + k, at.e);
  }
}

// u becomes dQ/du; h, unless null, the curvature; q and curvature grow. Behind the sticks all is 0.
[[gnu::always_inline]] inline void regress_row(const double* rho, std::size_t components, std::size_t width,
                                               const RegressionRow& row, double* u, float* h, double* q,
                                               double* curvature) {
  double behind = 0.0;
  for (std::size_t k = width; k-- > 0;) {
    row.psi[k] = behind;
    behind += rho[k];
  }
  for (std::size_t k = 0; k < width; k += lane_count) {
    const Lanes r = load_lanes(rho + k);
    const Lanes psi = load_lanes(row.psi + k);
    const Lanes s = load_lanes(row.s + k);
    const Lanes rest = load_lanes(row.rest + k);
    const Lanes at = load_lanes(u + k);
    const Lanes zero = all_lanes(0.0);
    const Lanes total = r + psi;
    const LaneBits positive = at > zero;
    const Lanes linear = select_lanes(positive, -(psi * at), r * at);
    store_lanes(q + k, load_lanes(q + k) + (linear - total * log_of_one_plus(load_lanes(row.e + k))));
    store_lanes(u + k, r * rest - psi * s);
    const Lanes second = total * s * rest;
    store_lanes(curvature + k, load_lanes(curvature + k) + second);
    if (h != nullptr) {
      // What is next to nothing is nothing: floats below 1e-38 are slow.
      const Lanes told = select_lanes(second > all_lanes(least_curvature), second, zero);
      for (std::size_t i = 0; i < lane_count; ++i) h[k + i] = static_cast<float>(told[i]);
    }
  }
  for (std::size_t k = components - 1; k < width; ++k) {
    u[k] = 0.0;
    if (h != nullptr) h[k] = 0.0F;
  }
}

}  // namespace motet::superset
