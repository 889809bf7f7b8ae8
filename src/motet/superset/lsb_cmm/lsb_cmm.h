// The logistic stick-breaking conditional multinomial mixture (Liu and Dietterich 2012).
//
// An item goes to component k with phi_nk = s(u_nk) prod_{i<k} (1 - s(u_ni)), u_nk = w_k'[x, 1],
// s the logistic function, k < K; the last component takes what is left (K - 1 logits). A
// component has class probabilities theta_k ~ Dirichlet(alpha); the evidence of an item is M_nl.
// Fitted by variational EM, q(theta_k) = Dirichlet(a_k), w a point:
//   E_kl = psi(a_kl) - psi(sum_l a_kl), T = exp(E - max_l E), S = M T',
//   Z_n = sum_k phi_nk e^{max} S_nk, rho_nk = phi_nk e^{max} S_nk / Z_n, C = T o (rho / S)'M,
//   a_kl = alpha + C_kl; w: weighted logistic regressions, all sticks at once.
// Bound, right after the E-step: sum_n log Z_n - KL(q(theta) || p) + log p(w); it never falls.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/candidate_items.h"
#include "motet/superset/options.h"

namespace motet::superset {

struct LsbCmm {
  std::size_t dimensions = 0;  // features, without the bias
  std::size_t classes = 0;
  std::vector<double> weights;        // (K - 1) x (D + 1), the bias last
  std::vector<double> concentration;  // K x L: a_kl
  std::vector<double> mass;           // K: sum_n rho_nk, items of a component

  std::size_t components() const { return classes == 0 ? 0 : concentration.size() / classes; }
  bool operator==(const LsbCmm&) const = default;
};

struct LsbBound {
  double sum_log_z = 0.0;
  double divergence = 0.0;  // KL
  double log_prior = 0.0;   // of w, without its constant
  double value() const { return sum_log_z - divergence + log_prior; }
};

struct LsbFit {
  LsbCmm model;
  FitSummary summary;  // the bound of each iteration
  std::vector<LsbBound> bounds;
};

// x: rows x D, prepared. The start is `order`: component k begins with class order[k mod L].
LsbFit fit_lsb_cmm(const CandidateItems& items, std::span<const double> x, const SupersetOptions& options,
                   std::span<const std::uint32_t> order, const RunContext& run);

// P(l | x): rows x L.
std::vector<double> class_probabilities(const LsbCmm& model, std::span<const double> x, Threads threads);

}  // namespace motet::superset
