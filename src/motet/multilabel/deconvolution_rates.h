// Sources that are not Gaussian, from statistics of label sets; dimension by dimension.
//
// EM with closed-form expected emissions; in the right coordinates every one of these
// likelihoods is concave, so there is one optimum:
//   or           b_k <- sum_L n1_L b_k / b_L / N_k              b_L = 1 - prod (1 - b_k)
//   and          the same for zeros
//   exponential  1/r_k <- 1/r_k + sum_L n_L (mean_L - 1/r_L) / N_k       r_L = sum r_k
//   poisson      l_k <- sum_L n_L mean_L l_k / l_L / N_k                 l_L = sum l_k
//   gamma        psi(p_k) <- psi(p_k) + sum_L n_L (log b + mean log_L - psi(p_L)) / N_k,
//                with the rate b = sum n_L p_L / sum n_L mean_L, the best for given shapes
// Flips of Boolean cells with probability e: P(1 | L) = b_L (1 - e) + (1 - b_L) e; the value
// before the flip is one more thing to expect.
// The prior is worth nu_k emissions of the value that all sources would share.
#pragma once

#include "motet/multilabel/design.h"
#include "motet/multilabel/train.h"

namespace motet {

SourceFit fit_rates(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                    const RunContext& run);

double inverse_digamma(double y);  // x > 0 with digamma(x) = y

}  // namespace motet
