// How far the guarantee reaches (I1). Questions lie more than g rows apart, so there are at most
// ceil(N_s / (g + 1)) of them in a sequence of N_s rows; when all rows are within g of an answer,
// so is the middle of every run of 2g + 1 rows or more, and that answer lies in the run. Before
// that, every run of more than `longest_gap` rows holds an answered row.
#pragma once

#include "motet/discover/discovery.h"

namespace motet::discover {

struct SearchCertificate {
  std::size_t exclusion = 0;      // g
  std::size_t most_requests = 0;  // sum over sequences of ceil(N_s / (g + 1))
  std::size_t most_left = 0;      // questions until it is complete, at most: over the uncovered stretches
  std::size_t least_left = 0;     // the fewest that complete it (questions/cover.h)
  std::size_t answered = 0;       // rows with an answer other than not_sure
  std::size_t unsure = 0;
  double covered = 0.0;         // share of the rows within g of an answer
  std::size_t longest_gap = 0;  // longest stretch of rows of one sequence without an answer
  bool complete = false;        // every row is within g of an answer: nothing of 2g + 1 rows is left
};
SearchCertificate certificate(const Features& features, const Discovery& discovery);

}  // namespace motet::discover
