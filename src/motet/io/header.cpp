#include "motet/io/header.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/fields.h"

namespace motet {

std::optional<std::size_t> column_of(const std::vector<std::string>& header, std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

bool looks_like_number(std::string_view text) { return static_cast<bool>(parse_double(text)); }

void require_header(const CsvReader& reader) {
  const auto& header = reader.header();
  if (std::all_of(header.begin(), header.end(), looks_like_number)) {
    reader.fail_at(reader.header_line(), fmt::format("found {}{}", quoted_list(header), header_hint));
  }
  NameTable seen;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i != 0 && header[i].empty()) reader.fail_at(reader.header_line(), fmt::format("column {} has no name", i + 1));
    if (seen.id_of(header[i]) != i) {
      reader.fail_at(reader.header_line(), fmt::format("column '{}' appears twice{}", header[i], header_hint));
    }
  }
}

}  // namespace motet
