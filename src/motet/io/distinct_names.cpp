#include "motet/io/distinct_names.h"

#include <fmt/format.h>

#include "motet/base/error.h"

namespace motet {

void DistinctNames::add(std::string_view name, std::size_t line) {
  if (name.empty()) fail(ErrorKind::bad_data, fmt::format("{}:{}: the {} is empty", file_, line, kind_));
  const std::size_t before = size();
  if (const std::uint32_t id = table_.id_of(name); id != before) {
    fail(ErrorKind::bad_data,
         fmt::format("{}:{}: {}", file_, line, repeated_name_text(kind_, name, lines_.line_of(id))));
  }
  lines_.add(line);
}

std::string repeated_name_text(std::string_view kind, std::string_view name, std::size_t first_line) {
  return fmt::format("{} '{}' appears twice (first on line {}); keep one", kind, name, first_line);
}

}  // namespace motet
