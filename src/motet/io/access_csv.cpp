#include "motet/io/access_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/access_columns.h"
#include "motet/io/access_ldif.h"
#include "motet/io/access_pairs.h"
#include "motet/io/access_spaced.h"
#include "motet/io/distinct_names.h"
#include "motet/io/table_reader.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr double most_bytes = 8e9;

PairColumns pair_columns(const TableReader& table) { return find_pair_columns(table.header()); }

std::string_view pairs_hint(const TableReader& table) {
  if (table.has_number()) return header_hint;
  if (table.header().size() == 1) return " (is the delimiter right?)";
  return table.header().size() > 2 ? "; for one column per permission say --layout matrix" : "";
}

void require_no_other(const TableReader& table, const PairColumns& columns) {
  std::vector<std::string> others;
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    if (c != columns.user.place && c != columns.permission.place) others.push_back(table.header()[c]);
  }
  if (others.empty()) return;
  const bool is_one = others.size() == 1;
  table.fail_header(
      fmt::format("column{} {} {} neither the user nor the permission; leave {} out, or say --other-columns ignore",
                  is_one ? "" : "s", quoted_list(others), is_one ? "is" : "are", is_one ? "it" : "them"));
}

// The memory the numbers lie in is fetched for a whole batch before it is looked at.
void add_rows(const TableReader& table, const CsvRows& rows, const PairColumns& columns, std::vector<NameKey>& keys,
              AccessPairs& pairs) {
  keys.resize(2 * rows.size());
  const std::string_view* fields = rows.column(0);
  for (std::size_t i = 0; i < rows.size(); ++i, fields += rows.width()) {
    keys[2 * i] = key_of(fields[columns.user.place]);
    keys[2 * i + 1] = key_of(fields[columns.permission.place]);
    pairs.users.prefetch(keys[2 * i]);
    pairs.permissions.prefetch(keys[2 * i + 1]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TableRow row = table.row(rows, i);
    const std::uint32_t user = pairs.users.id_of(row.name(columns.user), keys[2 * i]);
    const std::string_view permission = row[columns.permission.place];
    if (!permission.empty()) pairs.holdings.push_back({user, pairs.permissions.id_of(permission, keys[2 * i + 1])});
  }
}

void require_room(const std::string& source, std::size_t users, std::size_t permissions) {
  const std::size_t words_a_row = (permissions + 63) / 64;
  const double bytes = 8.0 * static_cast<double>(users) * static_cast<double>(words_a_row);
  if (bytes > most_bytes) {
    fail(ErrorKind::machine_limit,
         fmt::format("{}: {} users and {} permissions make a table of {:.1f} GB; {:.0f} GB is the limit; leave out "
                     "permissions that hardly anybody holds",
                     source, users, permissions, bytes / 1e9, most_bytes / 1e9));
  }
  require_memory(source, fmt::format("{} users x {} permissions", users, permissions), bytes,
                 "leave out permissions that hardly anybody holds");
}

// Sets the cells; returns how many were set already.
std::size_t fill(std::span<const Holding> holdings, BitMatrix& held) {
  constexpr std::size_t ahead = 32;  // holdings whose word is being fetched meanwhile
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < holdings.size(); ++i) {
    if (i + ahead < holdings.size()) {
      const Holding later = holdings[i + ahead];
      __builtin_prefetch(held.row(later.user).data() + later.permission / 64, 1);
    }
    const Holding holding = holdings[i];
    repeated += held(holding.user, holding.permission) ? 1 : 0;
    held.set(holding.user, holding.permission);
  }
  return repeated;
}

AccessFile file_of(AccessPairs pairs, const std::string& source) {
  AccessFile file;
  file.access.users = pairs.users.take_names();
  file.access.permissions = pairs.permissions.take_names();
  require_room(source, file.access.user_count(), file.access.permission_count());
  file.access.held = BitMatrix(file.access.user_count(), file.access.permission_count());
  file.repeated_pairs = fill(pairs.holdings, file.access.held);
  return file;
}

// A field with several permissions.
void add_several(std::string_view user, std::string_view permissions, std::string_view separator, AccessPairs& pairs) {
  pairs.add(user, "");
  for (std::size_t begin = 0; begin <= permissions.size();) {
    const std::size_t end = std::min(permissions.find(separator, begin), permissions.size());
    pairs.add(user, trimmed(permissions.substr(begin, end - begin)));
    begin = end + separator.size();
  }
}

// The first line as data: no heading is known, and every field is a name.
bool may_be_data(const TableReader& table, const PairColumns& columns, const AccessFormat& format) {
  return table.header().size() == 2 && !columns.user.is_there() && !columns.permission.is_there() &&
         format.user_column.empty() && format.permission_column.empty() && !table.header()[0].empty() &&
         !table.header()[1].empty();
}

// A heading is no user and no permission; a name of the first line that comes again is.
bool comes_again(const AccessPairs& pairs) {
  return std::any_of(pairs.holdings.begin() + 1, pairs.holdings.end(),
                     [](const Holding& holding) { return holding.user == 0 || holding.permission == 0; });
}

AccessFile read_pairs(TableReader& table, const AccessFormat& format) {
  PairColumns columns = find_pair_columns(table.header(), format.user_column, format.permission_column);
  const bool is_guess = !format.no_header && may_be_data(table, columns, format);
  const auto require_columns = [&, found = columns] {
    table.require({found.user, found.permission}, "", pairs_hint(table));
  };
  if (format.no_header && table.header().size() != 2) {
    table.fail_header(fmt::format("without a header two columns are needed, the user and the permission; there {} {}",
                                  table.header().size() == 1 ? "is" : "are", table.header().size()));
  }
  AccessPairs pairs;
  if (format.no_header || is_guess) {
    columns = {{"user", 0}, {"permission", 1}};
    if (table.header()[0].empty()) table.fail_header("the user is empty");
    add_several(table.header()[0], table.header()[1], format.separator.empty() ? "\n" : format.separator, pairs);
  } else {
    table.require_once({columns.user, columns.permission});
    require_columns();
    const bool has_named = !format.user_column.empty() || !format.permission_column.empty();
    if (format.other_columns == OtherColumns::refuse && !has_named) require_no_other(table, columns);
  }
  std::vector<NameKey> keys;
  for (CsvRows rows = table.next_rows(); rows.size() != 0; rows = table.next_rows()) {
    if (format.separator.empty()) {
      add_rows(table, rows, columns, keys, pairs);
      continue;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TableRow row = table.row(rows, i);
      add_several(row.name(columns.user), row[columns.permission.place], format.separator, pairs);
    }
  }
  if (is_guess && !comes_again(pairs)) require_columns();
  AccessFile file = file_of(std::move(pairs), table.name());
  file.first_line_is_data = is_guess;
  return file;
}

void require_matrix_header(const TableReader& table) {
  table.require_two("a matrix needs the user and at least one permission");
  table.require_names();
  // A first line such as ann,0,1 is data; as permissions 0 and 1 it would pass.
  const auto& header = table.header();
  const bool names_users = header[0].empty() || pair_columns(table).user.place == 0;
  const auto is_cell = [](const std::string& name) { return name == "0" || name == "1"; };
  if (!names_users && std::all_of(header.begin() + 1, header.end(), is_cell)) table.fail_data();
}

[[noreturn]] void fail_cell(const TableReader& table, const TableRow& row, std::size_t column, bool allow_unknown) {
  const bool is_pairs = table.header().size() == 2 && pair_columns(table).are_there();
  row.fail(fmt::format("column '{}': {} is not {}{}", table.header()[column],
                       row[column].empty() ? "an empty field" : fmt::format("'{}'", row[column]),
                       allow_unknown ? "0, 1, ? or empty" : "0 or 1",
                       is_pairs ? "; for one permission per line say --layout pairs" : ""));
}

// Rows of a matrix as words of 64 cells, appended as they come.
struct Cells {
  std::vector<std::uint64_t> held;
  std::vector<std::uint64_t> known;
  bool all_known = true;
};

void add_row(const TableReader& table, const TableRow& row, bool allow_unknown, Cells& cells) {
  const std::size_t width = row.fields.size();
  for (std::size_t begin = 1; begin < width; begin += 64) {
    const std::size_t end = std::min(begin + 64, width);
    std::uint64_t held = 0;
    std::uint64_t known = 0;
    for (std::size_t c = begin; c < end; ++c) {
      const char first = row[c].size() == 1 ? row[c].front() : ' ';
      const std::uint64_t bit = std::uint64_t{1} << (c - begin);
      if (first == '0' || first == '1') {
        held |= first == '1' ? bit : 0;
        known |= bit;
      } else if (!allow_unknown || !(first == '?' || row[c].empty())) {
        fail_cell(table, row, c, allow_unknown);
      } else {
        cells.all_known = false;
      }
    }
    cells.held.push_back(held);
    if (allow_unknown) cells.known.push_back(known);
  }
}

BitMatrix to_matrix(const std::vector<std::uint64_t>& words, std::size_t rows, std::size_t columns) {
  BitMatrix matrix(rows, columns);
  for (std::size_t n = 0; n < rows; ++n) {
    const auto from = words.begin() + static_cast<std::ptrdiff_t>(n * matrix.words());
    std::copy(from, from + static_cast<std::ptrdiff_t>(matrix.words()), matrix.row(n).begin());
  }
  return matrix;
}

AccessFile read_matrix(TableReader& table, const AccessFormat& format) {
  require_matrix_header(table);
  DistinctNames users(table.name(), "user");
  Cells cells;
  table.for_each_row([&](const TableRow& row) {
    users.add(row[0], row.line);
    add_row(table, row, format.allow_unknown, cells);
  });
  AccessFile file;
  const std::size_t rows = users.size();
  const auto permissions = std::span(table.header()).subspan(1);
  require_room(table.name(), rows, permissions.size());
  file.access.users = users.take();
  file.access.permissions = NameList(permissions);
  file.access.held = to_matrix(cells.held, rows, permissions.size());
  if (!cells.all_known) file.known = to_matrix(cells.known, rows, permissions.size());
  return file;
}

}  // namespace

AccessFile read_access(const std::string& path, const AccessFormat& format, const RunContext& run) {
  const auto checked = [&](AccessFile file, const std::string& name) {
    if (file.access.users.empty()) fail(ErrorKind::bad_data, name + ": there are no users");
    if (file.access.permissions.empty() && !format.allow_unknown) {
      fail(ErrorKind::bad_data, name + ": no user holds any permission");
    }
    return file;
  };
  if (format.layout == AccessLayout::spaced) return checked(file_of(read_spaced_pairs(path, format, run), path), path);
  if (format.layout == AccessLayout::ldif) return checked(file_of(read_ldif(path, format, run), path), path);
  TableReader table(path, format.delimiter, run);
  return checked(format.layout == AccessLayout::pairs ? read_pairs(table, format) : read_matrix(table, format),
                 table.name());
}

}  // namespace motet
