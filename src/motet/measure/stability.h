// Do two clusterings put the same users into the same sets of clusters?
//
// The instability (2.22) is the smallest share of users whose whole sets differ, over
// permutations of the K clusters. Whole sets make this no linear assignment: the best
// matching of single clusters missed the optimum in a fifth (K = 3) to a half (K = 5)
// of noisy cases. Up to `exact_clusters` clusters the optimum is found by branch and
// bound; above that, swaps of pairs from the best matching of single clusters, so that
// the value is an upper bound.
//
// The normalisation of (2.23), r_rand = (|L| - 1) / |L|, supposes sets of equal
// frequency and no permutation: labels independent of each other with nine users in ten
// in one set score about 0.8. The corrected value takes r_rand from the labels
// themselves, by dealing one labeling anew to the users; then independence scores 0 and
// identity 1 whatever the frequencies.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/bit_matrix.h"

namespace motet {

inline constexpr std::size_t exact_clusters = 8;

struct Instability {
  double share = 0.0;                // of users whose sets differ, in [0, 1]; NaN without users
  std::vector<std::size_t> partner;  // by cluster of the first labeling: its cluster of the second
  bool exact = true;                 // no permutation is better
};

// Users x clusters each; when one has fewer clusters it is filled up with empty ones,
// and numbers past its last cluster may occur in `partner`.
Instability instability(const BitMatrix& first, const BitMatrix& second);

struct Stability {
  Instability observed;
  double literal = 0.0;       // (2.23), the possible sets given
  double chance = 0.0;        // r_rand: mean instability when one labeling is dealt anew
  double chance_error = 0.0;  // standard error of that mean
  double corrected = 0.0;     // 1 - observed / chance; NaN when chance is 0: one set for all
};

// `possible_sets` is |L|, at least 2 for a literal value (NaN otherwise); `draws` >= 1.
Stability stability(const BitMatrix& first, const BitMatrix& second, std::size_t possible_sets, std::size_t draws,
                    const RunContext& run);

}  // namespace motet
