// Matrices of a MATLAB .mat file (version 5 to 7.2), dense or sparse.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace motet {

struct MatMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  // column by column
};

// Throws Error{bad_data} when the file is none, is cut off, or holds something else than
// numbers under the name; no value when the name is not there.
std::optional<MatMatrix> read_mat(const std::string& path, const std::string& name);

}  // namespace motet
