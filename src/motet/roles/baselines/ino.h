// Infinite noisy-or: overlapping roles whose number the data choose.
//
//   P(x_nd = 1) = 1 - (1 - lambda)^{z_n . y_d} (1 - eps),
// z the users' roles under an Indian buffet process with rate alpha, y_kd ~ Bernoulli(p) the roles'
// permissions (Wood, Griffiths, Ghahramani: A Non-Parametric Bayesian Method for Inferring Hidden
// Causes, 2006). The noise only adds permissions (eps) or fails to grant them (1 - lambda, less
// likely the more roles grant it), so mixture noise with r < 1 is not in the family. Gibbs sampling of
// z and y, new roles of a user with y summed out, alpha and p from their gamma and beta posteriors,
// lambda and eps by slice sampling; priors Gamma(1, 1) for alpha, uniform for the rest. Several
// chains; the most probable state met by any, made better by going uphill, is the result.
//
// Cost: a sweep of a chain takes 2 to 4 ns for each user, permission and role found. With the default
// options 350 x 24 and 3 roles take 0.6 s of one core, 1000 x 200 and 8 roles 8 s.
#pragma once

#include "motet/base/run.h"
#include "motet/roles/baselines/factorization.h"

namespace motet::roles {

struct InoOptions {
  std::size_t iterations = 300;  // sweeps of each chain
  std::size_t chains = 4;
  std::size_t max_features = 50;
};

struct InoFit {
  Factorization result;  // most used role first; as many as there are
  double lambda = 0.0;   // P(a role grants)
  double eps = 0.0;      // P(held without a role)
  double alpha = 0.0;
  double log_posterior = 0.0;  // of the state, up to a constant
};

// Throws Error{machine_limit} when iterations x chains x users x permissions x max_features is above
// 4e12: with as many roles as that, it would take hours.
InoFit fit_ino(const BitMatrix& held, const InoOptions& options, const RunContext& run);
Factorization ino(const BitMatrix& held, const InoOptions& options, const RunContext& run);

}  // namespace motet::roles
