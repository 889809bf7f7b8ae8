// The answers of a search, seen row by row.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "motet/discover/discovery.h"

namespace motet::discover {

// Number of the class in the mixture's list; 0: background, -1: not sure.
using HeldAnswers = std::map<std::size_t, std::int32_t>;

// The answer that holds, the last one to a row, by row. Good as long as the discovery is not changed.
std::map<std::size_t, const Answer*> standing_answers(const Discovery& discovery);

// The same as numbers of classes.
HeldAnswers held_answers(const Discovery& discovery);

using temporal::RowLabels;
RowLabels row_labels(const Discovery& discovery, std::size_t rows);

// From the first to one past the last row within g of a row in its own sequence.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
RowRange rows_around(std::span<const std::size_t> starts, std::size_t row, std::size_t g);

// 1: within g rows of one of `rows` in its own sequence. One per row.
std::vector<std::uint8_t> rows_within(std::span<const std::size_t> starts, std::span<const std::size_t> rows,
                                      std::size_t g);

// Those with an answer other than not_sure, ascending.
std::vector<std::size_t> sure_rows(const HeldAnswers& held);

}  // namespace motet::discover
