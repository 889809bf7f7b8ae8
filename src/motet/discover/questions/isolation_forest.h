// How soon a row is alone when rows are parted at random (Liu, Ting and Zhou 2008, Isolation Forest): each of 100 trees
// parts 256 rows drawn by lot, a random column at a random place between its least and largest value at a time, until
// they are alone or ceil(log2 256) steps deep. With h the depth where a row ends, plus c(m) for the m rows that are
// left there, the score is 2^(-mean h / c(256)), c(m) = 2 (ln(m - 1) + 0.5772) - 2 (m - 1) / m; larger is odder.
#pragma once

#include <vector>

#include "motet/base/parallel.h"
#include "motet/base/rng.h"
#include "motet/discover/questions/odd_rows.h"

namespace motet::discover {

// One per row.
std::vector<float> isolation_scores(const OddRows& odd, Seed seed, Threads threads);

}  // namespace motet::discover
