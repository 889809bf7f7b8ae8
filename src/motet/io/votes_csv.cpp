#include "motet/io/votes_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <vector>

#include "motet/base/error.h"
#include "motet/io/line_map.h"
#include "motet/io/numbers.h"
#include "motet/io/table_reader.h"

namespace motet {
namespace {

// Gathers votes as a file is read, and turns them into Votes at the end: ids for names, the line of every vote for
// messages, and the rules for a whole file.
class VoteCollector {
 public:
  // `source` names the file in messages. With `classes`, other labels are errors.
  VoteCollector(std::string source, std::span<const std::string> classes);

  NameTable items;
  NameTable judges;
  NameTable labels;  // with fixed classes, an id beyond them is an error

  void add(std::span<const Vote> votes, std::span<const std::size_t> lines);  // a line for each vote
  Votes finish(RepeatedVotes repeated);                                       // the collector is empty afterwards

 private:
  void check_labels(std::span<const Vote> votes, std::span<const std::size_t> lines) const;
  std::vector<std::uint32_t> order_classes(Votes& votes);
  VoteList without_repeats(RepeatedVotes repeated) const;

  std::string source_;
  std::size_t fixed_classes_;  // how many; 0 when the labels decide
  VoteList list_;
  LineMap lines_;
};

VoteCollector::VoteCollector(std::string source, std::span<const std::string> classes)
    : labels(NameList(classes)), source_(std::move(source)), fixed_classes_(classes.size()) {}

void VoteCollector::add(std::span<const Vote> votes, std::span<const std::size_t> lines) {
  if (fixed_classes_ != 0 && labels.names().size() > fixed_classes_) check_labels(votes, lines);
  list_.append(votes);
  for (const std::size_t line : lines) lines_.add(line);
}

void VoteCollector::check_labels(std::span<const Vote> votes, std::span<const std::size_t> lines) const {
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (votes[i].label < fixed_classes_) continue;
    NameList classes;
    for (std::size_t c = 0; c < fixed_classes_; ++c) classes.push_back(labels.names()[c]);
    fail(ErrorKind::bad_data,
         fmt::format("{}:{}: {}", source_, lines[i], unknown_label_text(labels.names()[votes[i].label], classes)));
  }
}

// Sets votes.classes; returns the class of each label id.
std::vector<std::uint32_t> VoteCollector::order_classes(Votes& votes) {
  const NameList names = labels.take_names();
  std::vector<std::uint32_t> class_of(names.size());
  const std::vector<std::uint32_t> order = natural_order(names);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const std::uint32_t label = fixed_classes_ != 0 ? i : order[i];
    votes.classes.push_back(names[label]);
    class_of[label] = i;
  }
  return class_of;
}

VoteList VoteCollector::without_repeats(RepeatedVotes repeated) const {
  std::unordered_map<std::uint64_t, std::size_t> place;  // item and judge: where the vote stands that counts
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Vote vote = list_[i];
    const auto [at, is_new] = place.try_emplace(std::uint64_t{vote.item} << 32 | vote.judge, i);
    if (!is_new && repeated == RepeatedVotes::last) at->second = i;
  }
  VoteList kept;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Vote vote = list_[i];
    if (place.at(std::uint64_t{vote.item} << 32 | vote.judge) == i) kept.append({&vote, 1});
  }
  return kept;
}

Votes VoteCollector::finish(RepeatedVotes repeated) {
  if (list_.size() == 0) fail(ErrorKind::bad_data, source_ + ": there are no votes");
  if (labels.names().size() < 2) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: all votes say '{}'; at least two classes are needed", source_, labels.names()[0]));
  }
  Votes votes;
  votes.items = items.take_names();
  votes.judges = judges.take_names();
  const std::vector<std::uint32_t> class_of = order_classes(votes);
  if (const auto twice = group_by_item(list_, class_of, votes)) {
    if (repeated != RepeatedVotes::refuse) {
      const VoteList kept = without_repeats(repeated);
      votes.repeats_left_out = list_.size() - kept.size();
      group_by_item(kept, class_of, votes);
      return votes;
    }
    const Vote vote = list_[twice->second];
    fail(ErrorKind::bad_data,
         fmt::format(
             "{}:{}: judge '{}' voted twice on item '{}' (first on line {}); keep one, or say which with --repeated",
             source_, lines_.line_of(twice->second), votes.judges[vote.judge], votes.items[vote.item],
             lines_.line_of(twice->first)));
  }
  list_ = {};
  return votes;
}

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

std::string unknown_label_text(std::string_view label, const NameList& classes) {
  constexpr std::size_t most = 20;
  std::vector<std::string> names = classes.to_vector();
  const std::size_t left = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - left);
  return fmt::format("label '{}' is not one of {{{}{}}}", label, fmt::join(names, ", "),
                     left == 0 ? "" : fmt::format(" and {} more", left));
}

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
