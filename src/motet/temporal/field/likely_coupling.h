// How strong the field should be, by the likelihood of the rows themselves.
//
// A mean field q gives a lower bound of log p(X), whose part that knows the strength s is
//   s A - log Z(s),   A = sum over pairs of literal weight * sum_k q_ik q_jk
// which is concave. It is raised together with the mixture, in turns, from the strength
// with the largest pseudo-likelihood of the static states. Those flicker where
// components overlap, and ask for about half of what is right; those of a field ask for
// more than it had, whatever it was.
#pragma once

#include "motet/base/run.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {

struct LikelyCoupling {
  double nats = 0.0;   // in steps of 1/16; 0: neighbours say nothing of each other
  double bound = 0.0;  // of log p(X), of the rows that were looked at
};

// Nats up to `most`. `mixture` and its field are where to start from; the mixture comes back as the bound's last step
// left it, but for its field. Of more than 20,000 rows, stretches from all over are taken. Starts can be compared by
// the bounds they lead to.
LikelyCoupling likely_coupling(const Features& features, const RowLabels& labels, const GlobalShape& global,
                               double label_weight, double most, const RunContext& run, Mixture& mixture);

}  // namespace motet::temporal
