#include "motet/io/gold_csv.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "motet/io/csv.h"
#include "motet/io/header.h"
#include "motet/io/vote_collector.h"

namespace motet {
namespace {

struct GoldItems {
  NameTable names;
  std::vector<std::uint32_t> classes;
  std::vector<std::size_t> lines;
};

void add_gold(const CsvReader& reader, std::string_view item, std::uint32_t label, std::size_t line,
              const NameTable& classes, GoldItems& gold) {
  const std::uint32_t id = gold.names.id_of(item);
  if (id == gold.classes.size()) {
    gold.classes.push_back(label);
    gold.lines.push_back(line);
  } else if (gold.classes[id] != label) {
    reader.fail_at(line, fmt::format("item '{}' is '{}' here and '{}' on line {}; keep one", item,
                                     classes.names()[label], classes.names()[gold.classes[id]], gold.lines[id]));
  }
}

GoldItems collect_gold(CsvReader& reader, const NameTable& classes) {
  const auto item_column = column_of(reader.header(), "item");
  const auto item = item_column ? item_column : column_of(reader.header(), "task");
  const auto label = column_of(reader.header(), "label");
  if (!item || !label) {
    reader.fail_at(reader.header_line(),
                   fmt::format("columns 'item' and 'label' are needed (or 'task' and 'label'); found {}",
                               quoted_list(reader.header())));
  }
  GoldItems gold;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i][*item].empty()) reader.fail_at(rows.line(i), "the item is empty");
      if (rows[i][*label].empty()) reader.fail_at(rows.line(i), "the label is empty");
      const std::uint32_t id = classes.find(rows[i][*label]);
      if (id == NameTable::absent) {
        reader.fail_at(rows.line(i), unknown_label_text(rows[i][*label], classes.names()));
      }
      add_gold(reader, rows[i][*item], id, rows.line(i), classes, gold);
    }
  }
  return gold;
}

}  // namespace

GoldCounts read_gold(const std::string& path, Votes& votes, char delimiter) {
  CsvReader reader(path, {.delimiter = delimiter});
  const GoldItems gold = collect_gold(reader, NameTable(votes.classes));
  GoldCounts counts;
  votes.known.assign(votes.item_count(), Votes::unknown);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const std::uint32_t id = gold.names.find(votes.items[i]);
    if (id == NameTable::absent) continue;
    votes.known[i] = static_cast<std::int32_t>(gold.classes[id]);
    ++counts.used;
  }
  counts.without_votes = gold.classes.size() - counts.used;
  return counts;
}

}  // namespace motet
