// Matrices of a MATLAB .mat file (version 5 to 7.2), dense or sparse.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace motet {

struct MatMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  // column by column
};

// The matrices of these names; no value for one that is not there. Throws Error{bad_data} when the
// file is none, is cut off anywhere, or holds something else than numbers under a name.
std::vector<std::optional<MatMatrix>> read_mat(const std::string& path, std::span<const std::string_view> names);

}  // namespace motet
