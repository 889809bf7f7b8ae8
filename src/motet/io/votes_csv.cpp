#include "motet/io/votes_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "motet/io/numbers.h"
#include "motet/io/table_reader.h"
#include "motet/io/vote_collector.h"

namespace motet {
namespace {

struct LongColumns {
  FoundColumn item;
  FoundColumn judge;
  FoundColumn label;
};

LongColumns long_columns(const TableReader& table) {
  const LongColumns columns{table.find({"item"}), table.find({"judge"}), table.find({"label"})};
  if (columns.item.is_there() && columns.judge.is_there()) return columns;
  return {{columns.item.name, table.find({"task"}).place},
          {columns.judge.name, table.find({"worker"}).place},
          columns.label};
}

// How many rows come before the first that lacks an item, a judge or a label.
std::size_t complete_rows(const CsvRows& rows, const LongColumns& columns) {
  std::size_t row = 0;
  for (const std::string_view* fields = rows.column(0); row < rows.size(); ++row, fields += rows.width()) {
    if (fields[columns.item.place].empty() || fields[columns.judge.place].empty() ||
        fields[columns.label.place].empty()) {
      break;
    }
  }
  return row;
}

// The memory an item's number lies in is fetched while the judges and labels of the
// rows around it are looked up: the items are too many for the cache.
void add_rows(const CsvRows& rows, std::size_t count, const LongColumns& columns, std::vector<NameKey>& item_keys,
              std::vector<Vote>& list, VoteCollector& votes) {
  item_keys.resize(count);
  list.resize(count);
  const std::string_view* fields = rows.column(0);
  for (std::size_t i = 0; i < count; ++i, fields += rows.width()) {
    item_keys[i] = key_of(fields[columns.item.place]);
    votes.items.prefetch(item_keys[i]);
    list[i].judge = votes.judges.id_of(fields[columns.judge.place]);
    list[i].label = votes.labels.id_of(fields[columns.label.place]);
  }
  const std::string_view* item = rows.column(columns.item.place);
  for (std::size_t i = 0; i < count; ++i, item += rows.width()) list[i].item = votes.items.id_of(*item, item_keys[i]);
  votes.add(list, rows.lines().first(count));
}

void collect_long(TableReader& table, const LongColumns& columns, VoteCollector& votes) {
  table.require_once({columns.item, columns.judge, columns.label});
  std::vector<NameKey> item_keys;
  std::vector<Vote> list;
  for (CsvRows rows = table.next_rows(); rows.size() != 0; rows = table.next_rows()) {
    const std::size_t count = complete_rows(rows, columns);
    add_rows(rows, count, columns, item_keys, list, votes);
    if (count == rows.size()) continue;
    const TableRow row = table.row(rows, count);
    for (const FoundColumn& column : {columns.item, columns.judge, columns.label}) row.name(column);
  }
}

// In a table without a header the first votes are taken for the names of judges.
void require_judges_are_no_labels(const TableReader& table, const VoteCollector& votes) {
  for (std::size_t i = 0; i < votes.judges.names().size(); ++i) {
    const std::string_view judge = votes.judges.names()[i];
    if (std::isnan(number_in(judge)) && votes.labels.find(judge) != NameTable::absent) {
      table.fail_header(fmt::format("'{}' names a column and is also a vote{}", judge, header_hint));
    }
  }
}

void collect_wide(TableReader& table, VoteCollector& votes) {
  table.require_names();
  table.require_two("a wide table needs the item and at least one judge");
  for (std::size_t judge = 1; judge < table.header().size(); ++judge) votes.judges.id_of(table.header()[judge]);
  const FoundColumn item_column{"item", 0};
  std::vector<Vote> list;
  std::vector<std::size_t> lines;
  table.for_each_row([&](const TableRow& row) {
    const std::uint32_t item = votes.items.id_of(row.name(item_column));
    list.clear();
    for (std::uint32_t judge = 0; judge + 1 < row.fields.size(); ++judge) {
      if (!row[judge + 1].empty()) list.push_back({item, judge, votes.labels.id_of(row[judge + 1])});
    }
    lines.assign(list.size(), row.line);
    votes.add(list, lines);
  });
  require_judges_are_no_labels(table, votes);
}

// A table that has some but not all columns of the long layout was meant as one.
bool is_meant_as_long(const TableReader& table) { return table.find({"judge", {"worker", "label"}}).is_there(); }

}  // namespace

Votes read_votes(const std::string& path, const VotesFormat& format, const RunContext& run,
                 std::span<const std::string> classes) {
  TableReader table(path, format.delimiter, run);
  VoteCollector votes(table.name(), classes);
  const bool is_automatic = format.layout == VotesLayout::automatic;
  if (format.layout == VotesLayout::long_rows || (is_automatic && is_meant_as_long(table))) {
    const LongColumns columns = long_columns(table);
    table.require({columns.item, columns.judge, columns.label}, " (or 'task', 'worker', 'label')",
                  table.has_number() ? header_hint : "");
    collect_long(table, columns, votes);
  } else {
    collect_wide(table, votes);
  }
  return votes.finish(format.repeated);
}

}  // namespace motet
