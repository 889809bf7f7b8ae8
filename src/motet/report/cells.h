// How one cell of a table is written, in a terminal and on a page alike.
#pragma once

#include <cstddef>
#include <string>

#include "motet/data/table.h"

namespace motet {

// Numbers with `digits` after the point (never "-0.00"; e-notation from 1e15 on),
// NaN as an empty text.
std::string cell_text(const Cell& cell, int digits);

// Numbers with all their digits, for a file.
std::string cell_exact(const Cell& cell);

bool is_number(const Cell& cell);

// Whether a column holds no text, so that it is aligned to the right.
bool is_number_column(const Table& table, std::size_t column);

}  // namespace motet
