#include "motet/io/column_uses.h"

#include <fmt/format.h>

#include "motet/base/error.h"

namespace motet {

ColumnUses::ColumnUses(std::string place, std::span<const std::string> names)
    : place_(std::move(place)), names_(names), taken_(names.size()) {
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (table_.id_of(names[c]) != c) fail_here(fmt::format("column '{}' appears twice", names[c]));
  }
}

void ColumnUses::fail_here(std::string_view problem) const {
  fail(ErrorKind::bad_data, fmt::format("{}: {}", place_, problem));
}

std::string ColumnUses::found() const { return "; found " + quoted_list(names_); }

std::size_t ColumnUses::find(std::string_view name) const {
  const std::uint32_t column = table_.find(name);
  return column == NameTable::absent ? absent : column;
}

std::size_t ColumnUses::required(std::string_view name, std::string_view why) const {
  const std::size_t column = find(name);
  if (column == absent) {
    fail_here(fmt::format("there is no column '{}'{}{}{}", name, why.empty() ? "" : ", which ", why, found()));
  }
  return column;
}

std::size_t ColumnUses::take(std::size_t column) {
  if (taken_[column]) fail_here(fmt::format("column '{}' is named for two uses", names_[column]));
  taken_[column] = true;
  return column;
}

std::size_t ColumnUses::take_if_free(std::string_view name) {
  const std::size_t column = find(name);
  return column != absent && is_free(column) ? take(column) : absent;
}

}  // namespace motet
