#include "motet/io/attributes_csv.h"

#include <fmt/format.h>

#include <vector>

#include "motet/base/error.h"
#include "motet/io/csv.h"
#include "motet/io/header.h"
#include "motet/io/reading_progress.h"

namespace motet {
namespace {

// Users of the table that the access data do not have; told together at the end.
struct Strangers {
  NameTable names;
  std::size_t first_line = 0;
};

void require_no_strangers(const CsvReader& reader, const Strangers& strangers, const KnownNames& users) {
  const NameList& names = strangers.names.names();
  if (names.empty()) return;
  reader.fail_at(strangers.first_line,
                 fmt::format("user '{}' is not in {}; {}", names[0], users.source,
                             names.size() == 1 ? "leave the line out"
                                               : fmt::format("{} users are not: leave their lines out", names.size())));
}

void require_columns(const CsvReader& reader) {
  const auto& header = reader.header();
  if (header.size() < 2) {
    reader.fail_at(reader.header_line(), fmt::format("only one column, '{}'; the user and at least one attribute are "
                                                     "needed (is the delimiter right?)",
                                                     header[0]));
  }
  require_header(reader);
}

}  // namespace

AttributesFile read_attributes(const std::string& path, char delimiter, const KnownNames& users,
                               const RunContext& run) {
  CsvReader reader(path, {.delimiter = delimiter});
  require_columns(reader);
  ReadingProgress progress(reader, run);
  const std::size_t user_count = users.table.names().size();
  const std::size_t attribute_count = reader.header().size() - 1;
  std::vector<NameTable> words(attribute_count);
  std::vector<std::size_t> lines(user_count);  // by user; 0: not seen
  Strangers strangers;
  AttributesFile file;
  Attributes& attributes = file.attributes;
  attributes.names.assign(reader.header().begin() + 1, reader.header().end());
  attributes.value.assign(user_count * attribute_count, Attributes::missing);
  file.users_left_out = user_count;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    progress.step();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = rows[i];
      if (row[0].empty()) reader.fail_at(rows.line(i), "the user is empty");
      const std::uint32_t user = users.table.find(row[0]);
      if (user == NameTable::absent) {
        if (strangers.first_line == 0) strangers.first_line = rows.line(i);
        strangers.names.id_of(row[0]);
        continue;
      }
      if (lines[user] != 0) {
        reader.fail_at(rows.line(i),
                       fmt::format("user '{}' appears twice (first on line {}); keep one", row[0], lines[user]));
      }
      lines[user] = rows.line(i);
      --file.users_left_out;
      for (std::size_t a = 0; a < attribute_count; ++a) {
        if (!row[a + 1].empty()) attributes.value[user * attribute_count + a] = words[a].id_of(row[a + 1]);
      }
    }
  }
  require_no_strangers(reader, strangers, users);
  if (file.users_left_out == user_count) fail(ErrorKind::bad_data, reader.name() + ": there are no users");
  for (NameTable& table : words) attributes.values.push_back(table.take_names());
  return file;
}

}  // namespace motet
