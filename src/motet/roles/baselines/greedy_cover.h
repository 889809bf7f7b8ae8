// Roles chosen one after the other from a list of candidates: the common part of asso and dbps.
//
// Covering a permission d of user n that no role covers yet scores w_plus if the user holds it and
// -w_minus if not. A candidate gains, over all users, the sum of max(0, its score for the user);
// each step takes the candidate that gains most and gives it to the users where its score is positive
// (Miettinen et al., The Discrete Basis Problem, 2008). The gain of a candidate may rise as others
// are taken, since zeros that are covered once cost nothing more, so none is left out for having been
// poor before; but only the users who got the last role and the candidates that share a permission
// with it are counted again.
#pragma once

#include "motet/base/run.h"
#include "motet/roles/baselines/factorization.h"
#include "motet/roles/merge.h"

namespace motet::roles {

struct CoverWeights {
  double plus = 1.0;   // for a one that is covered
  double minus = 1.0;  // for a zero that is covered
};

struct GreedyCover {
  Factorization result;  // rows and columns as in the merged data
  double error = 0.0;    // share of all cells that differ from the product
};

// `roles` rows in the result: when nothing more can be gained, the rest are empty roles that nobody has.
// Of equally good candidates the first is taken. Weights of rows and columns must be whole numbers and
// the weights of the score are taken to 20 binary places of the larger one: gains are then exact
// integers, the same for merged and repeated rows and for any number of threads.
GreedyCover greedy_cover(const MergedMatrix& data, const BitMatrix& candidates, std::size_t roles, CoverWeights weights,
                         const RunContext& run);

}  // namespace motet::roles
