// How large a table a file of sparse rows may stand for.
//
// Every number that such a file does not name is 0, so that a few bytes can ask for any amount of memory. Data are
// seldom sparser than one number in a thousand; a table in which fewer than one in ten thousand is given comes
// from a number that was mistyped, or from features that a dense table cannot hold.
#pragma once

#include <cstddef>
#include <string_view>

namespace motet {

// Throws Error{bad_data} for such a table of more than a million numbers, and Error{machine_limit} for one that
// memory cannot hold. `given`: how many numbers the file names.
void require_sparse_size(std::string_view file, std::size_t rows, std::size_t columns, std::size_t given);

}  // namespace motet
