// Rules for the header line of a table, shared by the readers of tables.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/names.h"
#include "motet/io/csv.h"

namespace motet {

constexpr std::string_view header_hint = "; the first line must be the header";

std::optional<std::size_t> column_of(const std::vector<std::string>& header, std::string_view name);
bool looks_like_number(std::string_view text);

// Throws Error{bad_data} when two columns have one name, when a column has none
// (the first may), or when all are numbers: then the first line is data.
void require_header(const CsvReader& reader);

}  // namespace motet
