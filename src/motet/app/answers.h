// What a model answers must be numbers: a model edited by hand may pass every check of its
// fields and still lead beyond all numbers.
#pragma once

#include <span>
#include <string>

namespace motet {

// Throws Error{bad_data} "MODEL: gives row 7 no answer; ..." for the first of `numbers` that is
// NaN or infinite; there are `a_row` of them for each row.
void require_answers(const std::string& model, std::span<const double> numbers, std::size_t a_row = 1);

}  // namespace motet
