#include "motet/io/votes_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "motet/base/error.h"
#include "motet/io/csv.h"
#include "motet/io/header.h"
#include "motet/io/reading_progress.h"
#include "motet/io/vote_collector.h"

namespace motet {
namespace {

struct LongColumns {
  std::size_t item = 0;
  std::size_t judge = 0;
  std::size_t label = 0;
};

std::optional<LongColumns> long_columns(const std::vector<std::string>& header) {
  const auto label = column_of(header, "label");
  for (const auto& [item_name, judge_name] : {std::pair{"item", "judge"}, std::pair{"task", "worker"}}) {
    const auto item = column_of(header, item_name);
    const auto judge = column_of(header, judge_name);
    if (item && judge && label) return LongColumns{*item, *judge, *label};
  }
  return std::nullopt;
}

[[noreturn]] void fail_long_header(const CsvReader& reader) {
  const auto& header = reader.header();
  const bool looks_like_data = std::any_of(header.begin(), header.end(), looks_like_number);
  reader.fail_at(
      reader.header_line(),
      fmt::format("columns 'item', 'judge' and 'label' are needed (or 'task', 'worker', 'label'); found {}{}",
                  quoted_list(header), looks_like_data ? header_hint : ""));
}

void require_once(const CsvReader& reader, std::size_t column) {
  const auto& header = reader.header();
  if (std::count(header.begin(), header.end(), header[column]) > 1) {
    reader.fail_at(reader.header_line(), fmt::format("column '{}' appears twice", header[column]));
  }
}

[[noreturn]] void fail_empty(const CsvReader& reader, std::size_t line, std::string_view column) {
  reader.fail_at(line, fmt::format("the {} is empty", column));
}

// How many rows come before the first that lacks an item, a judge or a label.
std::size_t complete_rows(const CsvRows& rows, const LongColumns& columns) {
  std::size_t row = 0;
  for (const std::string_view* fields = rows.column(0); row < rows.size(); ++row, fields += rows.width()) {
    if (fields[columns.item].empty() || fields[columns.judge].empty() || fields[columns.label].empty()) break;
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
    item_keys[i] = key_of(fields[columns.item]);
    votes.items.prefetch(item_keys[i]);
    list[i].judge = votes.judges.id_of(fields[columns.judge]);
    list[i].label = votes.labels.id_of(fields[columns.label]);
  }
  const std::string_view* item = rows.column(columns.item);
  for (std::size_t i = 0; i < count; ++i, item += rows.width()) list[i].item = votes.items.id_of(*item, item_keys[i]);
  votes.add(list, rows.lines().first(count));
}

void collect_long(CsvReader& reader, const LongColumns& columns, ReadingProgress& progress, VoteCollector& votes) {
  for (const std::size_t column : {columns.item, columns.judge, columns.label}) require_once(reader, column);
  std::vector<NameKey> item_keys;
  std::vector<Vote> list;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    progress.step();
    const std::size_t count = complete_rows(rows, columns);
    add_rows(rows, count, columns, item_keys, list, votes);
    if (count == rows.size()) continue;
    const auto row = rows[count];
    fail_empty(reader, rows.line(count),
               row[columns.item].empty()    ? "item"
               : row[columns.judge].empty() ? "judge"
                                            : "label");
  }
}

// In a table without a header the first votes are taken for the names of judges.
void require_judges_are_no_labels(const CsvReader& reader, const VoteCollector& votes) {
  for (std::size_t i = 0; i < votes.judges.names().size(); ++i) {
    const std::string_view judge = votes.judges.names()[i];
    if (!looks_like_number(judge) && votes.labels.find(judge) != NameTable::absent) {
      reader.fail_at(reader.header_line(), fmt::format("'{}' names a column and is also a vote{}", judge, header_hint));
    }
  }
}

void collect_wide(CsvReader& reader, ReadingProgress& progress, VoteCollector& votes) {
  const auto& header = reader.header();
  if (header.size() < 2) {
    reader.fail_at(reader.header_line(), fmt::format("only one column, '{}'; a wide table needs the item and at least "
                                                     "one judge (is the delimiter right?)",
                                                     header[0]));
  }
  for (std::size_t judge = 1; judge < header.size(); ++judge) votes.judges.id_of(header[judge]);
  std::vector<Vote> list;
  std::vector<std::size_t> lines;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    progress.step();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = rows[i];
      const std::size_t line = rows.line(i);
      if (row[0].empty()) fail_empty(reader, line, "item");
      const std::uint32_t item = votes.items.id_of(row[0]);
      list.clear();
      for (std::uint32_t judge = 0; judge + 1 < row.size(); ++judge) {
        if (!row[judge + 1].empty()) list.push_back({item, judge, votes.labels.id_of(row[judge + 1])});
      }
      lines.assign(list.size(), line);
      votes.add(list, lines);
    }
  }
  require_judges_are_no_labels(reader, votes);
}

// A table that has some but not all columns of the long layout was meant as one.
bool is_meant_as_long(const std::vector<std::string>& header) {
  return column_of(header, "judge") || column_of(header, "worker") || column_of(header, "label");
}

}  // namespace

Votes read_votes(const std::string& path, const VotesFormat& format, const RunContext& run,
                 std::span<const std::string> classes) {
  CsvReader reader(path, {.delimiter = format.delimiter});
  ReadingProgress progress(reader, run);
  VoteCollector votes(reader.name(), classes);
  const auto columns = long_columns(reader.header());
  const bool is_automatic = format.layout == VotesLayout::automatic;
  if (format.layout == VotesLayout::long_rows || (is_automatic && (columns || is_meant_as_long(reader.header())))) {
    if (!columns) fail_long_header(reader);
    collect_long(reader, *columns, progress, votes);
  } else {
    require_header(reader);
    collect_wide(reader, progress, votes);
  }
  return votes.finish(format.repeated);
}

}  // namespace motet
