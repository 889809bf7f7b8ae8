#include "motet/io/roles_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "motet/io/numbers.h"
#include "motet/io/table_reader.h"

namespace motet {
namespace {

constexpr double granted_from = 0.5;

bool is_granted(const TableRow& row, std::string_view text) {
  if (text.empty()) return true;  // a line added by hand
  const double probability = number_in(text);
  if (!(probability >= 0.0 && probability <= 1.0)) {
    row.fail(fmt::format("column 'probability': '{}' is not a number from 0 to 1", text));
  }
  return probability >= granted_from;
}

void require_two_columns(const TableReader& table, const KnownNames& known) {
  const auto& header = table.header();
  if (header.size() != 2) {
    table.fail_found(fmt::format("two columns are needed, a {} in each", known.kind),
                     header.size() == 1 ? " (is the delimiter right?)" : "");
  }
  const bool is_data = header[0] != header[1] && known.table.find(header[0]) != NameTable::absent &&
                       known.table.find(header[1]) != NameTable::absent;
  if (is_data) table.fail_data();
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

void write_assignments(CsvWriter& csv, std::span<const std::string> roles, const UserRoles& user) {
  std::vector<std::uint32_t> order(user.roles.begin(), user.roles.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return user.probability[a] > user.probability[b]; });
  for (const std::uint32_t k : order) csv.text(user.user).text(roles[k]).number(user.probability[k]).end_row();
  if (order.empty()) csv.text(user.user).text("").number(user.of_none).end_row();
}

void write_exceptions_header(CsvWriter& csv, std::span<const std::string> along) {
  csv.text("user").text("permission").text("kind").text("probability");
  for (const std::string& name : along) csv.text(name);
  csv.end_row();
}

void write_exception(CsvWriter& csv, std::string_view user, std::string_view permission, std::string_view kind,
                     double probability, std::span<const std::string> along) {
  csv.text(user).text(permission).text(kind).number(probability);
  for (const std::string& value : along) csv.text(value);
  csv.end_row();
}

namespace {

// Who has what, and perhaps how surely.
struct NamedPair {
  FoundColumn owner, owned, probability;

  NamedPair(const TableReader& table, std::string_view owner_name, std::string_view owned_name)
      : owner(table.find({owner_name})), owned(table.find({owned_name})), probability(table.find({"probability"})) {
    table.require({owner, owned});
    table.require_once({owner, owned, probability});
  }
};

// `number_of` a row and the place of its permission.
template <class NumberOf>
NamedRoles read_grants(const std::string& path, char delimiter, const NumberOf& number_of) {
  TableReader table(path, delimiter);
  const NamedPair columns(table, "role", "permission");
  NameTable names;
  NamedRoles roles;
  table.for_each_row([&](const TableRow& row) {
    const std::uint32_t granted_to = names.id_of(row.name(columns.owner));
    const bool granted = is_granted(row, row.text(columns.probability));
    if (row.text(columns.owned).empty()) return;  // the role is there, and grants nothing
    const std::uint32_t known = number_of(row, columns.owned.place);
    if (granted) roles.grants.emplace_back(granted_to, known);
  });
  roles.names = names.names().to_vector();
  if (roles.names.empty()) table.fail_file("there are no roles");
  return roles;
}

BitMatrix matrix_of(const NamedRoles& roles, std::size_t permissions) {
  BitMatrix matrix(roles.names.size(), permissions);
  for (const auto& [granted_to, permission] : roles.grants) matrix.set(granted_to, permission);
  return matrix;
}

}  // namespace

NamedRoles read_roles(const std::string& path, char delimiter, const KnownNames& permissions) {
  NamedRoles roles = read_grants(path, delimiter,
                                 [&](const TableRow& row, std::size_t place) { return row.known(place, permissions); });
  roles.permissions = matrix_of(roles, permissions.table.names().size());
  return roles;
}

NamedRoles read_roles(const std::string& path, char delimiter, NameTable& permissions) {
  NamedRoles roles = read_grants(path, delimiter,
                                 [&](const TableRow& row, std::size_t place) { return permissions.id_of(row[place]); });
  roles.permissions = matrix_of(roles, permissions.names().size());
  return roles;
}

NamedAssignments read_assignments(const std::string& path, char delimiter, const KnownNames& roles) {
  TableReader table(path, delimiter);
  const NamedPair columns(table, "user", "role");
  NameTable users;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> assigned;
  table.for_each_row([&](const TableRow& row) {
    const std::uint32_t number = users.id_of(row.name(columns.owner));
    if (row[columns.owned.place].empty()) return;  // a user without a role
    const std::uint32_t has = row.known(columns.owned.place, roles);
    if (is_granted(row, row.text(columns.probability))) assigned.emplace_back(number, has);
  });
  if (users.names().empty()) table.fail_file("there are no users");
  NamedAssignments read{users.take_names(), {}};
  read.roles = BitMatrix(read.users.size(), roles.table.names().size());
  for (const auto& [number, has] : assigned) read.roles.set(number, has);
  return read;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> read_name_pairs(const std::string& path, char delimiter,
                                                                     const KnownNames& known) {
  TableReader table(path, delimiter);
  require_two_columns(table, known);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  table.for_each_row([&](const TableRow& row) {
    const std::uint32_t first = row.known(0, known);
    const std::uint32_t second = row.known(1, known);
    if (first == second) {
      row.fail(fmt::format("{0} '{1}' is paired with itself; a pair needs two different {0}s", known.kind, row[0]));
    }
    const auto pair = std::minmax(first, second);
    if (seen.insert(pair).second) pairs.emplace_back(pair);
  });
  if (pairs.empty()) table.fail_file("there are no pairs");
  return pairs;
}

}  // namespace motet
