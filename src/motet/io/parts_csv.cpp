#include "motet/io/parts_csv.h"

#include <fmt/format.h>

#include "motet/data/names.h"
#include "motet/io/table_reader.h"

namespace motet {

std::vector<std::uint32_t> read_parts(const std::string& path, std::size_t items) {
  TableReader table(path);
  const FoundColumn column = table.find({"part"});
  table.require({column});
  NameTable names;
  std::vector<std::uint32_t> part;
  table.for_each_row([&](const TableRow& row) { part.push_back(names.id_of(row.name(column))); });
  if (part.size() != items) {
    table.fail_file(
        fmt::format("{} rows for {} items; one each is needed, in the order of the items", part.size(), items));
  }
  if (names.names().size() < 2) table.fail_file("only one part; at least two are needed");
  return part;
}

}  // namespace motet
