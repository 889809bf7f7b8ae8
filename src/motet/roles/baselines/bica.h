// Roles that share no permission: a binary independent component analysis.
//
// Permissions fall into K groups and a rest without a role. A user has each role k with probability
// pi_k, independently of the others (z_nk), and
//   P(x_nd = 1) = p1 if d is in a group whose role the user has, p0 if not or d is in the rest.
// This is the assumption of orthogonal sources that the thesis ascribes to BICA (section 8.3); its
// own algorithm is not given there, so the fit is ours: the groups factorise, so the posterior of
// z_nk is exact, and EM moves every permission to the group that explains it best. It starts from
// permissions that correlate, and the most likely of several starts wins. On sources that overlap
// it must fail: a permission of two roles can be in one group only.
#pragma once

#include "motet/base/run.h"
#include "motet/roles/baselines/factorization.h"
#include "motet/roles/merge.h"

namespace motet::roles {

struct BicaOptions {
  std::size_t starts = 20;           // the first is greedy, the others random
  std::size_t max_iterations = 200;  // of each start
};

struct BicaFit {
  Factorization result;  // a role's users are those with P(z_nk = 1 | x) > 1/2
  double p0 = 0.0;
  double p1 = 1.0;
  double log_likelihood = 0.0;
};

// Rows and columns as in the merged data. Above 2000 columns the starts look at 2000 of them.
BicaFit fit_bica(const MergedMatrix& data, std::size_t roles, const BicaOptions& options, const RunContext& run);
Factorization bica(const MergedMatrix& data, std::size_t roles, const BicaOptions& options, const RunContext& run);

}  // namespace motet::roles
