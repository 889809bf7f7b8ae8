// One pass over the rows: responsibilities, the counts of the classes, and the slope of the
// regressions of the sticks at the same w, so that the M-step has its first gradient for nothing.
//
//   S_nk = sum_{l in Y}(M_nl - outside) T_kl + outside sum_l T_kl, Z_n = sum_k phi_nk e^{max_k} S_nk,
//   rho_nk = phi_nk e^{max_k} S_nk / Z_n, C_kl = T_kl sum_n M_nl (rho_nk / S_nk)
// No array has rows x components x classes; the cost is that of the candidates.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/superset/lsb_cmm/dirichlet.h"
#include "motet/superset/lsb_cmm/lsb_rows.h"

namespace motet::superset {

// What a pass keeps of each row; both rows x width, or empty.
struct LsbKept {
  std::span<double> rho;
  std::span<float> curvature;
};

// Fills phi (one per component, > 0) of row n: the first E-step may use one that no stick can produce.
using FreePhi = std::function<void(std::size_t n, std::span<double> phi)>;

struct EStepSums {
  double sum_log_z = 0.0;
  std::vector<double> mass;       // components
  std::vector<double> counts;     // components x classes: C_kl
  std::vector<double> q;          // width: Q_k at w, without the prior
  std::vector<double> curvature;  // width: sum_n of -d2Q/du2
  std::vector<double> gradient;   // (dimensions + 1) x width, without the prior
};

EStepSums e_step(const LsbRows& rows, const LsbParameters& parameters, const ScaledTable& table, const LsbKept& keep,
                 const FreePhi& free_phi, Threads threads);

}  // namespace motet::superset
