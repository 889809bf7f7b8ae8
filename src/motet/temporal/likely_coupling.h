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
#include "motet/temporal/mixture.h"
#include "motet/temporal/shrinkage.h"

namespace motet {

// Nats up to `most`, in steps of 1/16; 0: neighbours say nothing of each other. `mixture` is fitted without time and
// has the field to start from; it comes back as the bound's last step left it, but for its field. Of more than 20,000
// rows, stretches from all over are taken.
double likely_coupling(const Features& features, const RowLabels& labels, const GlobalShape& global,
                       double label_weight, double most, const RunContext& run, Mixture& mixture);

}  // namespace motet
