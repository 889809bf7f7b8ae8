#include "motet/io/permission_columns.h"

#include <fmt/format.h>

#include "motet/io/access_columns.h"
#include "motet/io/distinct_names.h"
#include "motet/io/numbers.h"
#include "motet/io/table_reader.h"

namespace motet {
namespace {

constexpr double most_risk = 1e6;

double risk_in(const TableRow& row, std::string_view text) {
  if (text.empty()) return 1.0;
  const double risk = number_in(text);
  if (!(risk >= 0.0 && risk <= most_risk)) {
    row.fail(fmt::format("column 'risk': '{}' is not a number from 0 to 1000000", text));
  }
  return risk;
}

}  // namespace

PermissionColumns read_permission_columns(const std::string& path, char delimiter, const KnownNames& permissions) {
  TableReader table(path, delimiter);
  table.require_names();
  const FoundColumn permission = find_pair_columns(table.header()).permission;
  const FoundColumn risk = table.find({"risk", {}, true});
  table.require({permission});
  const std::size_t count = permissions.table.names().size();
  PermissionColumns columns;
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    if (c == permission.place) continue;
    places.push_back(c);
    columns.names.push_back(table.header()[c]);
  }
  columns.values.assign(count, std::vector<std::string>(places.size()));
  if (risk.is_there()) columns.risk.assign(count, 1.0);
  DistinctNames seen(table.name(), "permission");
  table.for_each_row([&](const TableRow& row) {
    const std::string_view name = row[permission.place];
    seen.add(name, row.line);
    const double weight = risk.is_there() ? risk_in(row, row[risk.place]) : 1.0;
    const std::uint32_t number = permissions.table.find(name);
    if (number == NameTable::absent) {
      ++columns.strangers;
      return;
    }
    if (risk.is_there()) columns.risk[number] = weight;
    for (std::size_t i = 0; i < places.size(); ++i) columns.values[number][i] = row[places[i]];
  });
  return columns;
}

}  // namespace motet
