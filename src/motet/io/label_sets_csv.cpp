#include "motet/io/label_sets_csv.h"

#include <fmt/format.h>

#include <string_view>

#include "motet/data/names.h"
#include "motet/io/table_reader.h"

namespace motet {
namespace {

void add_item(NamedLabelSets& sets, const TableRow& row, std::string_view item, std::vector<std::size_t> labels) {
  if (!sets.of_item.emplace(std::string(item), std::move(labels)).second) {
    row.fail(fmt::format("item '{}' comes a second time", item));
  }
}

std::vector<std::size_t> joined_set(const TableRow& row, std::string_view text, NameTable& names) {
  std::vector<std::size_t> set;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    if (end == begin) row.fail(fmt::format("'{}' has a label without a name", text));
    set.push_back(names.id_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return set;
}

}  // namespace

NamedLabelSets read_label_sets(const std::string& path, char delimiter) {
  TableReader table(path, delimiter);
  const FoundColumn item = table.find({"item", {"sequence", "recording", "file", "filename"}});
  const FoundColumn labels = table.find({"labels"});
  table.require({item}, " (or 'sequence', 'recording', 'file')");
  NamedLabelSets sets;
  NameTable names;
  if (!labels.is_there()) {
    for (std::size_t c = 0; c < table.header().size(); ++c) {
      if (c != item.place) names.id_of(table.header()[c]);
    }
  }
  table.for_each_row([&](const TableRow& row) {
    if (labels.is_there()) return add_item(sets, row, row.name(item), joined_set(row, row.text(labels), names));
    std::vector<std::size_t> set;
    std::size_t label = 0;
    for (std::size_t c = 0; c < table.header().size(); ++c) {
      if (c == item.place) continue;
      if (row[c] != "0" && row[c] != "1") {
        row.fail(fmt::format("column '{}': '{}' is neither 0 nor 1", table.header()[c], row[c]));
      }
      if (row[c] == "1") set.push_back(label);
      ++label;
    }
    add_item(sets, row, row.name(item), std::move(set));
  });
  sets.labels = names.names().to_vector();
  return sets;
}

}  // namespace motet
