// The M-step of multi-assignment clustering: each block of parameters has a concave
// objective, because q is linear in each beta and jointly linear in (p0, p1).
//
// With n1 = expected users with set L that hold column d and n0 = those that do not, the
// objective is sum over L, d of w_d [n1 log q + n0 log(1 - q)]. Derivatives (errata to 9.26
// in spec/roles.md), q = P(x = 1):
//   dq/dbeta_kd = -(p1 - p0) beta_{L without k, d},  dq/dp0 = beta_Ld,  dq/dp1 = 1 - beta_Ld.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/roles/mac/mac_em.h"

namespace motet::roles {

struct CellCounts {
  std::span<const double> ones;   // [column * sets + set]: n1
  std::span<const double> users;  // by set: n1 + n0
  std::span<const double> column_weight;
  std::size_t columns() const { return column_weight.size(); }
};

struct SetTables {
  const LabelSets& sets;
  std::vector<std::vector<std::uint32_t>> by_role;
  std::vector<std::uint32_t> used;  // sets with users; empty: all may have some
};

struct Derivatives {
  double value = 0.0;
  double first = 0.0;
  double second = 0.0;
};

// Of one column's objective by beta_kd; `beta` is that column's, by role.
Derivatives by_beta(const CellCounts& counts, const SetTables& tables, std::size_t column, std::span<const double> beta,
                    double p0, double p1, std::size_t role);

struct NoiseDerivatives {
  double value = 0.0;
  double first[2] = {0.0, 0.0};        // by p0, p1
  double second[3] = {0.0, 0.0, 0.0};  // p0 p0, p0 p1, p1 p1
};

// Of one column's objective by (p0, p1).
NoiseDerivatives by_noise(const CellCounts& counts, const SetTables& tables, std::size_t column,
                          std::span<const double> beta, double p0, double p1);

// One sweep over the roles by safeguarded Newton, each beta_kd to its maximum.
void soft_centroids(const CellCounts& counts, const SetTables& tables, const MacShape& shape,
                    std::span<const double> p0, std::span<const double> p1, std::span<double> beta, Threads threads);

// Bits by coordinate ascent until none changes. The gain of a covered cell is
// slope_d ones_Ld + offset_L: log-odds of held and not held.
struct CoverGain {
  std::vector<double> slope;   // by column
  std::vector<double> offset;  // [set], or [column * sets + set] when noise differs by column
};
CoverGain cover_gain(const CellCounts& counts, std::span<const double> p0, std::span<const double> p1);
void rounded_centroids(const CellCounts& counts, const SetTables& tables, const MacShape& shape, const CoverGain& gain,
                       std::span<double> beta, Threads threads);

// The levels (global or by column) to their maximum, given beta.
void noise_levels(const CellCounts& counts, const SetTables& tables, const MacShape& shape,
                  std::span<const double> beta, std::span<double> p0, std::span<double> p1, Threads threads);
double log_prior_of_levels(const MacShape& shape, std::span<const double> column_weight, std::span<const double> p0,
                           std::span<const double> p1);

}  // namespace motet::roles
