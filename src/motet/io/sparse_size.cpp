#include "motet/io/sparse_size.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"

namespace motet {

void require_sparse_size(std::string_view file, std::size_t rows, std::size_t columns, std::size_t given) {
  constexpr double always_allowed = 1e6;
  constexpr double most_for_each = 1e4;
  const double cells = static_cast<double>(rows) * static_cast<double>(columns);
  if (cells > std::max(always_allowed, most_for_each * static_cast<double>(given))) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: {} x {} is too large a table for the {} number{} in it; at least one in {:.0f} must be given",
                     file, rows, columns, given, given == 1 ? "" : "s", most_for_each));
  }
  require_table_memory(file, rows, columns);
}

}  // namespace motet
