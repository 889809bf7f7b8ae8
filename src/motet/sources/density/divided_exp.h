// Divided differences of the exponential function, and the sums of exponential emissions that they are.
//
//   e[z_1 ... z_m] = integral over the simplex of e^(sum_k s_k z_k) ds     (Hermite and Genocchi)
//
// so a sum y of emissions with rates r_1 ... r_m has the density r_1 ... r_m y^(m - 1) e[-r_1 y ... -r_m y], and given
// y the emission of source k has the mean y e[z, z_k] / e[z], and 2 y^2 e[z, z_k, z_k] / e[z] is the mean of its
// square. The usual sum over k of e^(-r_k y) / prod (r_j - r_k) is the same, but loses all digits where rates come
// together.
#pragma once

#include <span>
#include <vector>

namespace motet {

// log e[z_1 ... z_m] to about 1e-14, for any order and any equal points; at least one point.
double log_divided_exp(std::span<const double> points);

}  // namespace motet
