// How many questions a search needs that asks rows at random: the baseline of chapter 7.
//
// With P of N rows of one class the first of them is expected at question (N + 1) / (P + 1). With several classes of
// P_1, P_2 ... rows the last class is expected to be found at
//   (N + 1) integral over u in (0, 1) of 1 - prod_c (1 - (1 - u)^P_c),
// which is the same for one class: rows asked in random order are asked at independent even times u, the t-th of N at
// t / (N + 1) on average.
#pragma once

#include <cstddef>
#include <span>

#include "motet/discover/study/row_truth.h"

namespace motet::discover {

// 0 when there is no class to be found; classes without rows do not count.
double random_requests(std::size_t rows, std::span<const std::size_t> class_rows);

// The most frequent class, the background, is not to be found.
double random_requests(const RowTruth& truth);

}  // namespace motet::discover
