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
  TableReader table(path, delimiter);
  const FoundColumn role = table.find({"role"});
  const FoundColumn permission = table.find({"permission"});
  const FoundColumn probability = table.find({"probability"});
  table.require({role, permission});
  table.require_once({role, permission, probability});
  NameTable names;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> grants;  // role, permission
  table.for_each_row([&](const TableRow& row) {
    const std::uint32_t granted_to = names.id_of(row.name(role));
    const bool granted = is_granted(row, row.text(probability));
    if (row.text(permission).empty()) return;  // the role is there, and grants nothing
    const std::uint32_t known = row.known(permission.place, permissions);
    if (granted) grants.emplace_back(granted_to, known);
  });
  NamedRoles roles;
  roles.names = names.names().to_vector();
  if (roles.names.empty()) table.fail_file("there are no roles");
  roles.permissions = BitMatrix(roles.names.size(), permissions.table.names().size());
  for (const auto& [granted_to, known] : grants) roles.permissions.set(granted_to, known);
  return roles;
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
