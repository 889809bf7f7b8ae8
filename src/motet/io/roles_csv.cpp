#include "motet/io/roles_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/io/csv.h"
#include "motet/io/header.h"

namespace motet {
namespace {

constexpr double granted_from = 0.5;

struct RoleColumns {
  std::size_t role = 0;
  std::size_t permission = 0;
  std::optional<std::size_t> probability;
};

RoleColumns role_columns(const CsvReader& reader) {
  const auto& header = reader.header();
  const auto role = column_of(header, "role");
  const auto permission = column_of(header, "permission");
  if (!role || !permission) {
    reader.fail_at(reader.header_line(),
                   fmt::format("columns 'role' and 'permission' are needed; found {}", quoted_list(header)));
  }
  for (const std::string_view name : {"role", "permission", "probability"}) {
    if (std::count(header.begin(), header.end(), name) > 1) {
      reader.fail_at(reader.header_line(), fmt::format("column '{}' appears twice", name));
    }
  }
  return {*role, *permission, column_of(header, "probability")};
}

bool is_granted(const CsvReader& reader, std::size_t line, std::string_view text) {
  if (text.empty()) return true;  // a line added by hand
  const Result<double> probability = parse_double(text);
  if (!probability || probability.value() < 0.0 || probability.value() > 1.0) {
    reader.fail_at(line, fmt::format("column 'probability': '{}' is not a number from 0 to 1", text));
  }
  return probability.value() >= granted_from;
}

void require_two_columns(const CsvReader& reader, const KnownNames& known) {
  const auto& header = reader.header();
  if (header.size() != 2) {
    reader.fail_at(reader.header_line(),
                   fmt::format("two columns are needed, a {} in each; found {}{}", known.kind, quoted_list(header),
                               header.size() == 1 ? " (is the delimiter right?)" : ""));
  }
  const bool is_data = header[0] != header[1] && known.table.find(header[0]) != NameTable::absent &&
                       known.table.find(header[1]) != NameTable::absent;
  if (is_data) reader.fail_at(reader.header_line(), fmt::format("found {}{}", quoted_list(header), header_hint));
}

}  // namespace

void write_roles(CsvWriter& csv, std::span<const std::string> roles, std::span<const std::string> permissions,
                 std::span<const double> absence) {
  csv.text("role").text("permission").text("probability").end_row();
  std::vector<std::size_t> granted;
  for (std::size_t k = 0; k < roles.size(); ++k) {
    const std::span<const double> beta = absence.subspan(k * permissions.size(), permissions.size());
    granted.clear();
    for (std::size_t d = 0; d < beta.size(); ++d) {
      if (beta[d] < 1.0 - granted_from) granted.push_back(d);
    }
    std::sort(granted.begin(), granted.end(), [&](std::size_t a, std::size_t b) {
      return beta[a] != beta[b] ? beta[a] < beta[b] : permissions[a] < permissions[b];
    });
    for (const std::size_t d : granted) csv.text(roles[k]).text(permissions[d]).number(1.0 - beta[d]).end_row();
    if (granted.empty()) csv.text(roles[k]).text("").text("").end_row();
  }
}

void write_assignments_header(CsvWriter& csv) { csv.text("user").text("role").text("probability").end_row(); }

void write_assignments(CsvWriter& csv, std::span<const std::string> roles, const UserRoles& user, double threshold) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < roles.size(); ++k) {
    if (user.probability[k] >= threshold) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return user.probability[a] > user.probability[b]; });
  for (const std::size_t k : order) csv.text(user.user).text(roles[k]).number(user.probability[k]).end_row();
  if (order.empty()) csv.text(user.user).text("").number(user.of_none).end_row();
}

void write_exceptions_header(CsvWriter& csv) {
  csv.text("user").text("permission").text("kind").text("probability").end_row();
}

void write_exception(CsvWriter& csv, std::string_view user, std::string_view permission, std::string_view kind,
                     double probability) {
  csv.text(user).text(permission).text(kind).number(probability).end_row();
}

NamedRoles read_roles(const std::string& path, char delimiter, const KnownNames& permissions) {
  CsvReader reader(path, {.delimiter = delimiter});
  const RoleColumns columns = role_columns(reader);
  NameTable names;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> grants;  // role, permission
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = rows[i];
      if (row[columns.role].empty()) reader.fail_at(rows.line(i), "the role is empty");
      const std::uint32_t role = names.id_of(row[columns.role]);
      const bool granted = !columns.probability || is_granted(reader, rows.line(i), row[*columns.probability]);
      if (row[columns.permission].empty()) continue;  // the role is there, and grants nothing
      const std::uint32_t permission = number_of(permissions, row[columns.permission], reader, rows.line(i));
      if (granted) grants.emplace_back(role, permission);
    }
  }
  NamedRoles roles;
  roles.names = names.names().to_vector();
  if (roles.names.empty()) fail(ErrorKind::bad_data, reader.name() + ": there are no roles");
  roles.permissions = BitMatrix(roles.names.size(), permissions.table.names().size());
  for (const auto& [role, permission] : grants) roles.permissions.set(role, permission);
  return roles;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> read_name_pairs(const std::string& path, char delimiter,
                                                                     const KnownNames& known) {
  CsvReader reader(path, {.delimiter = delimiter});
  require_two_columns(reader, known);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t first = number_of(known, rows[i][0], reader, rows.line(i));
      const std::uint32_t second = number_of(known, rows[i][1], reader, rows.line(i));
      if (first == second) {
        reader.fail_at(rows.line(i), fmt::format("{0} '{1}' is paired with itself; a pair needs two different {0}s",
                                                 known.kind, rows[i][0]));
      }
      const auto pair = std::minmax(first, second);
      if (seen.insert(pair).second) pairs.emplace_back(pair);
    }
  }
  if (pairs.empty()) fail(ErrorKind::bad_data, reader.name() + ": there are no pairs");
  return pairs;
}

}  // namespace motet
