// Which part each row of a data set is in: by lot, by lot so that every label keeps its share, by lot among groups
// that stay whole, or as somebody said. Parts are numbers of rows; nothing is copied (data/rows.h).
//
// A split draws the same lots whatever it is for, so parts do not change when other things do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/bit_matrix.h"

namespace motet {

struct Parts {
  std::vector<std::uint32_t> of_row;  // the part of each row
  std::size_t count = 0;              // parts are numbered from 0; some may be empty

  std::vector<std::uint32_t> rows_of(std::size_t part) const;  // rising
  std::vector<std::uint32_t> others(std::size_t part) const;   // all rows of other parts, rising
};

// Sizes differ by one at most.
Parts random_parts(std::size_t rows, std::size_t count, Rng rng);

// Every label keeps its share. Iterative stratification (Sechidis, Tsoumakas, Vlahavas 2011): the rarest label that
// is left is dealt out first, each of its items to the part that lacks most of it; ties go to the part that lacks most
// items, then by lot. `shares` are the wanted sizes, positive, and need not sum to 1.
Parts stratified_parts(const BitMatrix& sets, std::span<const double> shares, Seed seed);
// Of equal size, but for rows that move so that no label of several rows has them all in one part.
Parts stratified_parts(const BitMatrix& sets, std::size_t count, Seed seed);
Parts stratified_parts(std::span<const std::uint32_t> label, std::size_t count, Seed seed);  // one label per row

// Rows of one group stay together. The largest group that is left goes to the smallest part, ties by lot.
Parts grouped_parts(std::span<const std::uint32_t> group, std::size_t count, Rng rng);

Parts given_parts(std::vector<std::uint32_t> of_row);

// Rows in the order of a lot, cut in two.
enum class Cut {
  in_front,  // what is set aside comes first: rows / one_in of them
  spread,    // every `one_in`-th from the first on
};
struct CutRows {
  std::vector<std::uint32_t> aside, rest;
};

// One row in `one_in` is set aside, of at most `most` rows.
CutRows cut_by_lot(std::size_t rows, std::size_t most, std::size_t one_in, Cut cut, Rng rng);

// At most `most` rows by lot, rising.
std::vector<std::uint32_t> sample_by_lot(std::size_t rows, std::size_t most, Rng rng);

}  // namespace motet
