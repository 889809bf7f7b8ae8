// Walks the elements of a MATLAB .mat file of level 5 to its end before anything is read from it,
// because matio fills what a cut-off file lacks with zeros and says nothing.
//
// After a header of 128 bytes the file is a row of elements: type, number of bytes, the bytes. An
// element is a matrix, or a matrix packed by zlib; a matrix is itself a row of elements: flags,
// sizes, name, numbers.
#pragma once

#include <string>

namespace motet {

// Throws Error{bad_data} when the file is of another kind, when an element reaches beyond the end of
// what it lies in, when a packed one does not unpack to the length it states, or when a matrix holds
// another number of values than its sizes say.
void check_mat_elements(const std::string& path);

}  // namespace motet
