#include "motet/io/gold_csv.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "motet/io/line_map.h"
#include "motet/io/table_reader.h"
#include "motet/io/votes_csv.h"

namespace motet {
namespace {

struct GoldItems {
  NameTable names;
  std::vector<std::uint32_t> classes;
  LineMap lines;
};

GoldItems collect_gold(TableReader& table, const NameTable& classes) {
  const FoundColumn item = table.find({"item", {"task"}});
  const FoundColumn label = table.find({"label"});
  table.require({item, label}, " (or 'task' and 'label')");
  GoldItems gold;
  table.for_each_row([&](const TableRow& row) {
    const std::string_view name = row.name(item);
    const std::uint32_t known = classes.find(row.name(label));
    if (known == NameTable::absent) row.fail(unknown_label_text(row.text(label), classes.names()));
    const std::uint32_t id = gold.names.id_of(name);
    if (id == gold.classes.size()) {
      gold.classes.push_back(known);
      gold.lines.add(row.line);
    } else if (gold.classes[id] != known) {
      row.fail(fmt::format("item '{}' is '{}' here and '{}' on line {}; keep one", name, classes.names()[known],
                           classes.names()[gold.classes[id]], gold.lines.line_of(id)));
    }
  });
  return gold;
}

}  // namespace

GoldCounts read_gold(const std::string& path, Votes& votes, char delimiter) {
  TableReader table(path, delimiter);
  const GoldItems gold = collect_gold(table, NameTable(votes.classes));
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
