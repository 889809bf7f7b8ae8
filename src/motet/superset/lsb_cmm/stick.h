// The stick: phi_k = s(u_k) prod_{i<k} (1 - s(u_i)), the last component takes what is left.
//
// One exponential per logit: e = exp(-|u|) gives s and 1 - s, and log(1 + e) both their logarithms.
#pragma once

#include <cstddef>
#include <span>

#include "motet/base/lanes.h"

namespace motet::superset {

struct LogisticLanes {
  Lanes s;
  Lanes rest;  // 1 - s, no digits lost
  Lanes e;     // exp(-|u|)
};

[[gnu::always_inline]] inline LogisticLanes logistic_lanes(const Lanes& u) {
  const LaneBits positive = u >= all_lanes(0.0);
  const Lanes e = exp_of_negative(select_lanes(positive, -u, u));
  const Lanes large = all_lanes(1.0) / (all_lanes(1.0) + e);
  const Lanes small = e * large;
  return {select_lanes(positive, large, small), select_lanes(positive, small, large), e};
}

// log(1 + e) for e in [0, 1], to about 1e-16: m = 1 + e or half of it, and log m = 2 atanh((m - 1) / (m + 1)).
[[gnu::always_inline]] inline Lanes log_of_one_plus(const Lanes& e) {
  constexpr double root_of_2_less_1 = 0.41421356237309503;
  constexpr double log_2 = 0.69314718055994531;
  const LaneBits above = e > all_lanes(root_of_2_less_1);
  // (m - 1) / (m + 1): e / (2 + e), or (e - 1) / (e + 3) for the half.
  const Lanes t =
      select_lanes(above, e - all_lanes(1.0), e) / select_lanes(above, e + all_lanes(3.0), e + all_lanes(2.0));
  const Lanes t2 = t * t;
  Lanes series = all_lanes(0.0);
  for (int k = 19; k >= 3; k -= 2) series = (series + all_lanes(1.0 / k)) * t2;
  const Lanes two_t = t + t;
  return select_lanes(above, all_lanes(log_2), all_lanes(0.0)) + (two_t + two_t * series);
}

// phi from s and 1 - s of the first K - 1 components; s[K - 1] is not read.
inline void break_stick(const double* s, const double* rest, std::size_t components, double* phi) {
  double left = 1.0;
  for (std::size_t k = 0; k + 1 < components; ++k) {
    phi[k] = left * s[k];
    left *= rest[k];
  }
  phi[components - 1] = left;
}

// log phi of one row of K - 1 logits: for rows whose probabilities are below the range of a double.
void log_stick(std::span<const double> u, std::span<double> log_phi);

}  // namespace motet::superset
