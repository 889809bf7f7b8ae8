// What the candidates of items say before features have been looked at, and after.
#pragma once

#include <span>
#include <vector>

#include "motet/data/candidate_items.h"

namespace motet::superset {

struct Ambiguity {
  static constexpr std::size_t confidence_bins = 10;

  std::vector<std::size_t> by_size;    // items with so many candidates
  std::vector<std::size_t> as_any;     // items with the class among their candidates
  std::vector<std::size_t> as_only;    // items with the class as only candidate
  std::vector<double> together;        // L x L: items with both as candidates, but for those with all
  std::vector<double> expected;        // sum of p(l | x, candidates)
  std::vector<std::size_t> confident;  // items by the probability of their likeliest candidate
  double mean_size = 0.0;
  std::size_t unlabelled = 0;  // any label is as likely as another
};

// `probability` is items x L: p(l | x, candidates).
Ambiguity ambiguity_of(const CandidateItems& items, std::span<const double> probability);

// The probability of the likeliest candidate, averaged over items; 0 of none.
double mean_confidence(std::span<const double> probability, std::size_t classes);

}  // namespace motet::superset
