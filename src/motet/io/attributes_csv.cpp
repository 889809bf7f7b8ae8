#include "motet/io/attributes_csv.h"

#include <fmt/format.h>

#include <vector>

#include "motet/io/distinct_names.h"
#include "motet/io/table_reader.h"

namespace motet {
AttributesFile read_attributes(const std::string& path, char delimiter, const KnownNames& users,
                               const RunContext& run) {
  TableReader table(path, delimiter, run);
  table.require_two("the user and at least one attribute are needed");
  table.require_names();
  const FoundColumn user_column{"user", 0};
  const std::size_t user_count = users.table.names().size();
  const std::size_t attribute_count = table.header().size() - 1;
  std::vector<NameTable> words(attribute_count);
  std::vector<std::size_t> lines(user_count);  // by user; 0: not seen
  NameTable strangers;
  AttributesFile file;
  Attributes& attributes = file.attributes;
  attributes.names.assign(table.header().begin() + 1, table.header().end());
  attributes.value.assign(user_count * attribute_count, Attributes::missing);
  file.users_left_out = user_count;
  table.for_each_row([&](const TableRow& row) {
    const std::string_view name = row.name(user_column);
    const std::uint32_t user = users.table.find(name);
    if (user == NameTable::absent) {
      strangers.id_of(name);
      return;
    }
    if (lines[user] != 0) row.fail(repeated_name_text("user", name, lines[user]));
    lines[user] = row.line;
    --file.users_left_out;
    for (std::size_t a = 0; a < attribute_count; ++a) {
      if (!row[a + 1].empty()) attributes.value[user * attribute_count + a] = words[a].id_of(row[a + 1]);
    }
  });
  file.strangers = strangers.names().size();
  if (file.users_left_out == user_count) {
    table.fail_file(file.strangers == 0 ? "there are no users"
                                        : fmt::format("none of its users is in {}", users.source));
  }
  for (NameTable& names : words) attributes.values.push_back(names.take_names());
  return file;
}

}  // namespace motet
