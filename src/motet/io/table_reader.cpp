#include "motet/io/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/io/numbers.h"
#include "motet/io/words.h"

namespace motet {
namespace {

bool is_number(std::string_view text) { return !std::isnan(number_in(text)); }

bool is_heading(const std::string& heading, std::string_view name, const FoundColumn& column) {
  return column.in_any_case ? lower(heading) == name : heading == name;
}

}  // namespace

void TableRow::fail_empty(std::string_view what) const { fail(fmt::format("the {} is empty", what)); }

double TableRow::number(std::size_t place) const {
  const double number = number_in(fields[place]);
  if (std::isnan(number)) {
    fail(fmt::format("column '{}': '{}' is not a finite number", reader.header()[place], fields[place]));
  }
  return number;
}

double TableRow::number_or_unknown(std::size_t place) const {
  return place == FoundColumn::absent || fields[place].empty() ? no_number : number(place);
}

std::uint32_t TableRow::known(std::size_t place, const KnownNames& names) const {
  if (fields[place].empty()) fail_empty(names.kind);
  const std::uint32_t number = names.table.find(fields[place]);
  if (number == NameTable::absent) fail(fmt::format("{} '{}' is not in {}", names.kind, fields[place], names.source));
  return number;
}

FoundColumn TableReader::find(const ColumnRole& role) const {
  FoundColumn column{role.name, FoundColumn::absent, role.in_any_case};
  const auto look_for = [&](std::string_view name) {
    const auto found = std::find_if(header().begin(), header().end(),
                                    [&](const std::string& heading) { return is_heading(heading, name, column); });
    if (found != header().end()) column.place = static_cast<std::size_t>(found - header().begin());
  };
  look_for(role.name);
  for (const std::string_view name : role.other_names) {
    if (!column.is_there()) look_for(name);
  }
  return column;
}

void TableReader::require_once(std::initializer_list<FoundColumn> columns) const {
  for (const FoundColumn& column : columns) {
    if (!column.is_there()) continue;
    const std::string& own = header()[column.place];
    const auto is_same = [&](const std::string& heading) {
      return is_heading(heading, column.in_any_case ? lower(own) : own, column);
    };
    if (std::count_if(header().begin(), header().end(), is_same) > 1) {
      fail_header(fmt::format("column '{}' appears twice", own));
    }
  }
}

void TableReader::require(std::initializer_list<FoundColumn> columns, std::string_view or_else,
                          std::string_view hint) const {
  if (std::all_of(columns.begin(), columns.end(), [](const FoundColumn& column) { return column.is_there(); })) return;
  std::string names;
  for (const FoundColumn& column : columns) {
    const std::string_view before = names.empty() ? "" : &column + 1 == columns.end() ? " and " : ", ";
    names += fmt::format("{}'{}'", before, column.name);
  }
  const std::string needed = columns.size() == 1 ? "a column " + names + " is" : "columns " + names + " are";
  fail_found(fmt::format("{} needed{}", needed, or_else), hint);
}

void TableReader::require_names() const {
  if (std::all_of(header().begin(), header().end(), is_number)) fail_data();
  NameTable seen;
  for (std::size_t i = 0; i < header().size(); ++i) {
    if (i != 0 && header()[i].empty()) fail_header(fmt::format("column {} has no name", i + 1));
    if (seen.id_of(header()[i]) != i) fail_header(fmt::format("column '{}' appears twice{}", header()[i], header_hint));
  }
}

void TableReader::require_two(std::string_view needed) const {
  if (header().size() >= 2) return;
  fail_header(fmt::format("only one column, '{}'; {} (is the delimiter right?)", header()[0], needed));
}

bool TableReader::has_number() const { return std::any_of(header().begin(), header().end(), is_number); }

void TableReader::fail_found(std::string_view problem, std::string_view hint) const {
  fail_header(fmt::format("{}; found {}{}", problem, quoted_list(header()), hint));
}

void TableReader::fail_data() const { fail_header(fmt::format("found {}{}", quoted_list(header()), header_hint)); }

void TableReader::fail_file(std::string_view problem) const {
  fail(ErrorKind::bad_data, fmt::format("{}: {}", name(), problem));
}

}  // namespace motet
