#include "motet/io/known_names.h"

#include <fmt/format.h>

namespace motet {

std::uint32_t number_of(const KnownNames& known, std::string_view name, const CsvReader& reader, std::size_t line) {
  if (name.empty()) reader.fail_at(line, fmt::format("the {} is empty", known.kind));
  const std::uint32_t number = known.table.find(name);
  if (number == NameTable::absent) {
    reader.fail_at(line, fmt::format("{} '{}' is not in {}", known.kind, name, known.source));
  }
  return number;
}

}  // namespace motet
