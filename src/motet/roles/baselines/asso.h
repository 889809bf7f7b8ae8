// Roles from associations between permissions: the greedy method ASSO for the discrete basis problem.
//
// Candidate d is the set of permissions that go with permission d: all d' with
//   P(x_d' = 1 | x_d = 1) >= tau,
// the share of the users of d who also hold d'. Roles are then chosen by greedy_cover.h
// (Miettinen, Mielikainen, Gionis, Das, Mannila: The Discrete Basis Problem, 2008). The
// thesis' "DBPS" takes its candidates from users instead: dbps.h.
#pragma once

#include <vector>

#include "motet/base/run.h"
#include "motet/roles/baselines/greedy_cover.h"

namespace motet::roles {

struct AssoOptions {
  std::vector<double> taus{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};  // each in (0, 1]
  CoverWeights weights{};
};

// The result of every tau, in their order.
std::vector<GreedyCover> association_covers(const MergedMatrix& data, std::size_t roles, const AssoOptions& options,
                                            const RunContext& run);

// Their role matrices, `roles` x merged columns each: starts for a fit with a noise model. With
// w_plus = log(p1 / p0) and w_minus = log((1 - p0) / (1 - p1)) a covered cell scores its log-likelihood.
std::vector<BitMatrix> association_seeds(const MergedMatrix& data, std::size_t roles, const AssoOptions& options,
                                         const RunContext& run);

// The one with the smallest error on the data; of equals that of the first tau.
Factorization asso(const MergedMatrix& data, std::size_t roles, const AssoOptions& options, const RunContext& run);

}  // namespace motet::roles
