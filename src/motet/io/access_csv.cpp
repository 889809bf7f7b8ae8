#include "motet/io/access_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/csv.h"
#include "motet/io/header.h"
#include "motet/io/reading_progress.h"

namespace motet {
namespace {

constexpr double most_bytes = 8e9;
constexpr std::array<std::string_view, 4> user_words = {"user", "account", "identity", "employee"};
constexpr std::array<std::string_view, 4> permission_words = {"permission", "entitlement", "right", "group"};

std::string in_small_letters(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

// The column with the first of the words that names one.
std::optional<std::size_t> column_of_any(const CsvReader& reader, std::span<const std::string_view> words) {
  std::vector<std::string> header = reader.header();
  for (std::string& name : header) name = in_small_letters(std::move(name));
  for (const std::string_view word : words) {
    const auto column = column_of(header, word);
    if (!column) continue;
    if (std::count(header.begin(), header.end(), word) > 1) {
      reader.fail_at(reader.header_line(), fmt::format("column '{}' appears twice", reader.header()[*column]));
    }
    return column;
  }
  return std::nullopt;
}

struct PairColumns {
  std::size_t user = 0;
  std::size_t permission = 0;
};

std::optional<PairColumns> pair_columns(const CsvReader& reader) {
  const auto user = column_of_any(reader, user_words);
  const auto permission = column_of_any(reader, permission_words);
  if (!user || !permission) return std::nullopt;
  return PairColumns{*user, *permission};
}

[[noreturn]] void fail_pairs_header(const CsvReader& reader) {
  const auto& header = reader.header();
  std::string_view hint = header.size() > 2 ? "; for one column a permission say --layout matrix" : "";
  if (header.size() == 1) hint = " (is the delimiter right?)";
  if (std::any_of(header.begin(), header.end(), looks_like_number)) hint = header_hint;
  reader.fail_at(reader.header_line(),
                 fmt::format("columns 'user' and 'permission' are needed; found {}{}", quoted_list(header), hint));
}

void require_no_other(const CsvReader& reader, const PairColumns& columns) {
  std::vector<std::string> others;
  for (std::size_t c = 0; c < reader.header().size(); ++c) {
    if (c != columns.user && c != columns.permission) others.push_back(reader.header()[c]);
  }
  if (others.empty()) return;
  const bool is_one = others.size() == 1;
  reader.fail_at(reader.header_line(),
                 fmt::format("column{} {} {} neither the user nor the permission; leave {} out, or say "
                             "--other-columns ignore",
                             is_one ? "" : "s", quoted_list(others), is_one ? "is" : "are", is_one ? "it" : "them"));
}

struct Holding {
  std::uint32_t user = 0;
  std::uint32_t permission = 0;
};

struct Names {
  NameTable users;
  NameTable permissions;
};

// The memory the numbers lie in is fetched for a whole batch before it is looked at.
void add_rows(const CsvReader& reader, const CsvRows& rows, const PairColumns& columns, std::vector<NameKey>& keys,
              Names& names, std::vector<Holding>& holdings) {
  keys.resize(2 * rows.size());
  const std::string_view* fields = rows.column(0);
  for (std::size_t i = 0; i < rows.size(); ++i, fields += rows.width()) {
    keys[2 * i] = key_of(fields[columns.user]);
    keys[2 * i + 1] = key_of(fields[columns.permission]);
    names.users.prefetch(keys[2 * i]);
    names.permissions.prefetch(keys[2 * i + 1]);
  }
  fields = rows.column(0);
  for (std::size_t i = 0; i < rows.size(); ++i, fields += rows.width()) {
    const std::string_view user_name = fields[columns.user];
    const std::string_view permission_name = fields[columns.permission];
    if (user_name.empty()) reader.fail_at(rows.line(i), "the user is empty");
    const std::uint32_t user = names.users.id_of(user_name, keys[2 * i]);
    if (!permission_name.empty()) {
      holdings.push_back({user, names.permissions.id_of(permission_name, keys[2 * i + 1])});
    }
  }
}

void require_room(const CsvReader& reader, std::size_t users, std::size_t permissions) {
  const std::size_t words_a_row = (permissions + 63) / 64;
  const double bytes = 8.0 * static_cast<double>(users) * static_cast<double>(words_a_row);
  if (bytes > most_bytes) {
    fail(ErrorKind::machine_limit,
         fmt::format("{}: {} users and {} permissions make a table of {:.1f} GB; {:.0f} GB is the limit; leave out "
                     "permissions that hardly anybody holds",
                     reader.name(), users, permissions, bytes / 1e9, most_bytes / 1e9));
  }
  require_memory(reader.name(), fmt::format("{} users x {} permissions", users, permissions), bytes,
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

AccessFile read_pairs(CsvReader& reader, const AccessFormat& format, ReadingProgress& progress) {
  const auto columns = pair_columns(reader);
  if (!columns) fail_pairs_header(reader);
  if (format.other_columns == OtherColumns::refuse) require_no_other(reader, *columns);
  Names names;
  std::vector<NameKey> keys;
  std::vector<Holding> holdings;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    progress.step();
    add_rows(reader, rows, *columns, keys, names, holdings);
  }
  AccessFile file;
  file.access.users = names.users.take_names();
  file.access.permissions = names.permissions.take_names();
  require_room(reader, file.access.user_count(), file.access.permission_count());
  file.access.held = BitMatrix(file.access.user_count(), file.access.permission_count());
  file.repeated_pairs = fill(holdings, file.access.held);
  return file;
}

void require_matrix_header(const CsvReader& reader) {
  const auto& header = reader.header();
  if (header.size() < 2) {
    reader.fail_at(reader.header_line(), fmt::format("only one column, '{}'; a matrix needs the user and at least one "
                                                     "permission (is the delimiter right?)",
                                                     header[0]));
  }
  require_header(reader);
  // A first line such as ann,0,1 is data; as permissions 0 and 1 it would pass.
  const bool names_users = header[0].empty() || std::find(user_words.begin(), user_words.end(),
                                                          in_small_letters(header[0])) != user_words.end();
  const auto is_cell = [](const std::string& name) { return name == "0" || name == "1"; };
  if (!names_users && std::all_of(header.begin() + 1, header.end(), is_cell)) {
    reader.fail_at(reader.header_line(), fmt::format("found {}{}", quoted_list(header), header_hint));
  }
}

[[noreturn]] void fail_cell(const CsvReader& reader, std::size_t line, std::size_t column, std::string_view text,
                            bool allow_unknown) {
  const bool is_pairs = reader.header().size() == 2 && pair_columns(reader);
  reader.fail_at(line, fmt::format("column '{}': {} is not {}{}", reader.header()[column],
                                   text.empty() ? "an empty field" : fmt::format("'{}'", text),
                                   allow_unknown ? "0, 1, ? or empty" : "0 or 1",
                                   is_pairs ? "; for one permission a line say --layout pairs" : ""));
}

// Rows of a matrix as words of 64 cells, appended as they come.
struct Cells {
  std::vector<std::uint64_t> held;
  std::vector<std::uint64_t> known;
  bool all_known = true;
};

void add_row(const CsvReader& reader, std::size_t line, std::span<const std::string_view> row, bool allow_unknown,
             Cells& cells) {
  for (std::size_t begin = 1; begin < row.size(); begin += 64) {
    const std::size_t end = std::min(begin + 64, row.size());
    std::uint64_t held = 0;
    std::uint64_t known = 0;
    for (std::size_t c = begin; c < end; ++c) {
      const char first = row[c].size() == 1 ? row[c].front() : ' ';
      const std::uint64_t bit = std::uint64_t{1} << (c - begin);
      if (first == '0' || first == '1') {
        held |= first == '1' ? bit : 0;
        known |= bit;
      } else if (!allow_unknown || !(first == '?' || row[c].empty())) {
        fail_cell(reader, line, c, row[c], allow_unknown);
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

AccessFile read_matrix(CsvReader& reader, const AccessFormat& format, ReadingProgress& progress) {
  require_matrix_header(reader);
  NameTable users;
  std::vector<std::size_t> lines;  // by user
  Cells cells;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    progress.step();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string_view user = rows[i][0];
      if (user.empty()) reader.fail_at(rows.line(i), "the user is empty");
      if (const std::uint32_t id = users.id_of(user); id != lines.size()) {
        reader.fail_at(rows.line(i),
                       fmt::format("user '{}' appears twice (first on line {}); keep one", user, lines[id]));
      }
      lines.push_back(rows.line(i));
      add_row(reader, rows.line(i), rows[i], format.allow_unknown, cells);
    }
  }
  AccessFile file;
  const auto& header = reader.header();
  require_room(reader, lines.size(), header.size() - 1);
  file.access.users = users.take_names();
  file.access.permissions = NameList(std::span(header).subspan(1));
  file.access.held = to_matrix(cells.held, lines.size(), header.size() - 1);
  if (!cells.all_known) file.known = to_matrix(cells.known, lines.size(), header.size() - 1);
  return file;
}

}  // namespace

AccessFile read_access(const std::string& path, const AccessFormat& format, const RunContext& run) {
  CsvReader reader(path, {.delimiter = format.delimiter});
  ReadingProgress progress(reader, run);
  AccessFile file = format.layout == AccessLayout::pairs ? read_pairs(reader, format, progress)
                                                         : read_matrix(reader, format, progress);
  if (file.access.users.empty()) fail(ErrorKind::bad_data, reader.name() + ": there are no users");
  if (file.access.permissions.empty() && !format.allow_unknown) {
    fail(ErrorKind::bad_data, reader.name() + ": no user holds any permission");
  }
  return file;
}

}  // namespace motet
