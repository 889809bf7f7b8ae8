#include "motet/temporal/stack.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"

namespace motet::temporal {

std::vector<std::string> stacked_columns(const std::vector<std::string>& columns, std::size_t w) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 2 * w + 1; ++i) {
    for (const std::string& column : columns) {
      names.push_back(i == w  ? column
                      : i < w ? fmt::format("{}(-{})", column, w - i)
                              : fmt::format("{}(+{})", column, i - w));
    }
  }
  return names;
}

std::vector<std::string> single_columns(const std::vector<std::string>& stacked, std::size_t w) {
  const std::size_t count = stacked.size() / (2 * w + 1);
  const auto first = stacked.begin() + static_cast<std::ptrdiff_t>(w * count);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

Features stack_rows(const Features& features, std::size_t w) {
  Features stacked = features;
  stacked.columns = stacked_columns(features.columns, w);
  stacked.values.clear();
  stacked.values.reserve(features.rows() * stacked.dimensions());
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    const std::size_t begin = features.starts[s];
    const std::size_t end = features.starts[s + 1];
    for (std::size_t n = begin; n < end; ++n) {
      for (std::size_t i = 0; i < 2 * w + 1; ++i) {
        const std::size_t at = n + i < begin + w ? begin : std::min(n + i - w, end - 1);
        const std::span<const double> row = features.row(at);
        stacked.values.insert(stacked.values.end(), row.begin(), row.end());
      }
    }
  }
  return stacked;
}

void check_stack(std::size_t columns, std::size_t w, std::size_t rows, std::size_t components) {
  const std::size_t stacked = columns * (2 * w + 1);
  if (stacked > most_stacked_columns) {
    fail(ErrorKind::usage, fmt::format("--stack {} makes {} columns of {}; at most {} are allowed", w, stacked, columns,
                                       most_stacked_columns));
  }
  if (components * (stacked + 1) > rows) {
    fail(ErrorKind::usage,
         fmt::format("--stack {} makes {} columns of {}, too many for {} components of {} rows; at least {} rows, a "
                     "smaller --stack or --covariance diagonal would do",
                     w, stacked, columns, components, rows, components * (stacked + 1)));
  }
}

}  // namespace motet::temporal
