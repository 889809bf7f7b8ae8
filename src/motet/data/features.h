// Numbers in time order: a table of them (a row is a frame of a recording, a line of a log) and how its rows are cut
// into sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "motet/data/number_table.h"
#include "motet/data/sequences.h"

namespace motet {

struct Features : NumberTable, Sequences {
  std::size_t rows() const { return starts.back(); }  // told also without columns
};

// Some rows as one sequence; they keep the names that the whole gives them.
Features rows_of(const Features& features, std::span<const std::uint32_t> rows);

// Whole sequences, by their numbers, in this order; without names of single rows.
Features sequences_of(const Features& features, std::span<const std::uint32_t> sequences);

// Only these columns, in this order; throws Error{bad_data} "PLACE: there is no column 'x', which the model was fitted
// to; ...".
void select_columns(Features& features, const std::vector<std::string>& columns, std::string_view place);

// The rows of `more` after those of `features`, as new sequences. Throws Error{bad_data} when the
// columns or the clocks differ.
void append(Features& features, const Features& more);

}  // namespace motet
