// The chance that a stretch touches an event of its class, from what speaks for it.
//
//   p = s(l(e)), l = b_0 + sum_j b_j e_j: what recordings with known truth have taught (see chance.cpp), and
//   p = s(shift + slope l): corrected by the answers of this search, each asked of a model that had not seen it.
//
// shift and slope are the maximum of the likelihood of these answers with normal priors around 0 and 1: without answers
// they stay there, and a hundred answers can move them far.
#pragma once

#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/discover/spread/stretches.h"

namespace motet::discover {

struct Correction {
  double shift = 0.0;
  double slope = 1.0;
};

// A stretch that was met where the truth is known.
struct Tried {
  double log_odds = 0.0;  // l
  bool is_right = false;
};

double log_odds_of(const EvidenceValues& evidence);
double chance_of(const EvidenceValues& evidence, const Correction& correction);

Correction corrected_by(std::span<const Tried> tried, const RunContext& run);

}  // namespace motet::discover
