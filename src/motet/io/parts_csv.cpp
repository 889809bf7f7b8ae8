#include "motet/io/parts_csv.h"

#include <fmt/format.h>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/csv.h"
#include "motet/io/header.h"

namespace motet {

std::vector<std::uint32_t> read_parts(const std::string& path, std::size_t items) {
  CsvReader reader(path);
  const auto column = column_of(reader.header(), "part");
  if (!column) {
    reader.fail_at(reader.header_line(),
                   fmt::format("a column 'part' is needed; found {}", quoted_list(reader.header())));
  }
  NameTable names;
  std::vector<std::uint32_t> part;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i][*column].empty()) reader.fail_at(rows.line(i), "the part is empty");
      part.push_back(names.id_of(rows[i][*column]));
    }
  }
  if (part.size() != items) {
    fail(ErrorKind::bad_data, fmt::format("{}: {} rows for {} items; one each is needed, in the order of the items",
                                          reader.name(), part.size(), items));
  }
  if (names.names().size() < 2) {
    fail(ErrorKind::bad_data, fmt::format("{}: only one part; at least two are needed", reader.name()));
  }
  return part;
}

}  // namespace motet
