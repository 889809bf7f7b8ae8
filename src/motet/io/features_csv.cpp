#include "motet/io/features_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "motet/base/available_memory.h"
#include "motet/data/names.h"
#include "motet/io/column_uses.h"
#include "motet/io/distinct_names.h"
#include "motet/io/numbers.h"
#include "motet/io/table_reader.h"

namespace motet {
namespace {

constexpr std::size_t none = ColumnUses::absent;
constexpr std::uint64_t reserve_after = std::uint64_t{1} << 24;  // bytes

struct Columns {
  std::size_t sequence = none;
  std::size_t item = none;
  std::size_t time = none;
  std::vector<std::size_t> labels;
  std::vector<std::size_t> features;
  std::vector<std::string> left_out;
};

Columns columns_in(const TableReader& table, const FeaturesFormat& format) {
  ColumnUses uses(table.header_place(), table.header());
  const auto take = [&](const std::string& name) { return uses.take(uses.required(name)); };
  Columns columns;
  for (const std::string& name : format.leave_out) take(name);
  for (const std::string& name : format.leave_out_if_there) {
    if (uses.take_if_free(name) != none) columns.left_out.push_back(name);
  }
  for (const std::string& name : format.labels) columns.labels.push_back(take(name));
  const auto take_special = [&](const std::string& named, std::string_view usual) {
    return named.empty() ? uses.take_if_free(usual) : take(named);
  };
  columns.sequence = take_special(format.sequence_column, "sequence");
  columns.item = take_special(format.item_column, "item");
  columns.time = take_special("", "time");
  for (const std::string& name : format.only) columns.features.push_back(take(name));
  for (std::size_t c = 0; format.only.empty() && c < table.header().size(); ++c) {
    if (uses.is_free(c)) columns.features.push_back(c);
  }
  if (columns.features.empty()) uses.fail_here("there is no column of features" + uses.found());
  return columns;
}

// Names the sequences in the order in which they come; each must come in one piece.
class SequenceCutter {
 public:
  void add(std::string_view name, const TableRow& at, Features& features, std::size_t row) {
    if (row != 0 && name == names_.names()[current_]) return;
    const std::uint32_t id = names_.id_of(name);
    if (id < features.sequences.size()) {
      at.fail(fmt::format("sequence '{}' comes again after '{}'; its rows must follow one another", name,
                          names_.names()[current_]));
    }
    if (row != 0) features.starts.push_back(row);
    features.sequences.emplace_back(name);
    current_ = id;
  }

 private:
  NameTable names_;
  std::uint32_t current_ = 0;
};

// Room for the whole table once enough of a file was read to tell its size: growing by doubling would need up to
// three times the memory.
void reserve_for_all(std::vector<double>& values, const CsvReader& reader) {
  constexpr double slack = 1.05;
  if (reader.bytes_total() <= reader.bytes_done()) return;
  const double growth = static_cast<double>(reader.bytes_total()) / static_cast<double>(reader.bytes_done());
  const auto whole = static_cast<std::size_t>(static_cast<double>(values.size()) * growth * slack);
  if (values.capacity() >= whole) return;
  require_memory(reader.name(), "what is read of it", 8.0 * static_cast<double>(whole), "choose fewer rows or columns");
  values.reserve(whole);
}

// The clock that a column of times stands for; none when they are not evenly spaced.
std::optional<FrameClock> clock_of(const std::vector<double>& times, const Features& features) {
  constexpr double exactly = 1e-9;  // of a hop: the writer's own times
  constexpr double roughly = 0.1;   // times that were rounded to a few digits
  std::size_t longest = 0;
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    const auto size = [&](std::size_t of) { return features.starts[of + 1] - features.starts[of]; };
    if (size(s) > size(longest)) longest = s;
  }
  const std::size_t first = features.starts[longest];
  const std::size_t last = features.starts[longest + 1] - 1;
  if (last == first) return std::nullopt;
  const double mean = (times[last] - times[first]) / static_cast<double>(last - first);
  for (const auto& [hop, tolerance] : {std::pair{times[first + 1] - times[first], exactly}, std::pair{mean, roughly}}) {
    bool is_even = hop > 0.0;
    for (std::size_t s = 0; s + 1 < features.starts.size() && is_even; ++s) {
      const std::size_t begin = features.starts[s];
      for (std::size_t n = begin; n < features.starts[s + 1] && is_even; ++n) {
        const double position = (times[n] - times[begin]) / hop;
        is_even = std::abs(position - static_cast<double>(n - begin)) <= tolerance * static_cast<double>(n - begin + 1);
        is_even = is_even && std::abs(position - static_cast<double>(n - begin)) <= roughly;
      }
    }
    if (is_even) return FrameClock{hop, hop};
  }
  return std::nullopt;
}

void set_clock(FeaturesFile& file, const FeaturesFormat& format, const std::vector<double>& times,
               const std::string& name) {
  FrameClock& clock = file.features.clock;
  clock = format.clock;
  if (!clock.has_time() && !times.empty()) {
    if (const auto found = clock_of(times, file.features)) {
      clock = {found->hop, format.clock.window};
      const bool starts_late = std::any_of(file.features.starts.begin(), file.features.starts.end() - 1,
                                           [&](std::size_t n) { return std::abs(times[n]) > 0.1 * clock.hop; });
      if (starts_late) {
        file.warnings.push_back(
            fmt::format("{}: the times do not start at 0; they are counted from the start of each sequence", name));
      }
    } else {
      file.warnings.push_back(
          fmt::format("{}: the times are not evenly spaced; rows are counted instead of seconds", name));
    }
  }
  if (clock.has_time() && clock.window <= 0.0) clock.window = clock.hop;
  if (!clock.has_time()) clock = {};
}

class Collector {
 public:
  Collector(const TableReader& table, const FeaturesFormat& format)
      : table_(table),
        columns_(columns_in(table, format)),
        items_(table.name(), "item"),
        label_names_(columns_.labels.size()) {
    for (const std::size_t c : columns_.features) file_.features.columns.push_back(table.header()[c]);
    for (const std::size_t c : columns_.labels) file_.labels.push_back({table.header()[c], {}, {}});
    file_.left_out = columns_.left_out;
    file_.name = table.name();
  }

  void add(const TableRow& row) {
    Features& features = file_.features;
    file_.lines.add(row.line);
    if (columns_.sequence != none) sequences_.add(row[columns_.sequence], row, features, row_);
    if (columns_.item != none) items_.add(row[columns_.item], row.line);
    if (columns_.time != none) times_.push_back(number_at(row, columns_.time));
    for (std::size_t l = 0; l < columns_.labels.size(); ++l) {
      const std::string_view label = row[columns_.labels[l]];
      file_.labels[l].of_row.push_back(label.empty() ? -1 : static_cast<std::int32_t>(label_names_[l].id_of(label)));
    }
    make_room(features.values, columns_.features.size(), table_.name());
    for (const std::size_t c : columns_.features) features.values.push_back(number_at(row, c));
    ++row_;
    // Packed by far more than usual, a file tells its size by what came out of it.
    if (!is_reserved_ && std::max(table_.csv().bytes_done(), 8 * features.values.size()) > reserve_after) {
      reserve_for_all(features.values, table_.csv());
      is_reserved_ = true;
    }
  }

  FeaturesFile finish(const FeaturesFormat& format) {
    if (row_ == 0) table_.fail_file("there are no rows");
    if (columns_.sequence == none) file_.features.sequences.emplace_back();
    file_.features.starts.push_back(row_);
    file_.features.items = items_.take().to_vector();
    for (std::size_t l = 0; l < label_names_.size(); ++l) {
      file_.labels[l].classes = label_names_[l].names().to_vector();
    }
    set_clock(file_, format, times_, table_.name());
    return std::move(file_);
  }

 private:
  double number_at(const TableRow& row, std::size_t column) const {
    const double number = number_in(row[column]);
    if (std::isnan(number)) fail_number(row, column);
    return number;
  }

  [[noreturn]] void fail_number(const TableRow& row, std::size_t column) const {
    const std::string_view text = row[column];
    row.fail(fmt::format("row {} column '{}' {}", row_ + 1, table_.header()[column],
                         text.empty() ? "is empty; every feature needs a number"
                                      : feature_problem(text,
                                                        "a column that holds text has to be left out or named as "
                                                        "labels")));
  }

  const TableReader& table_;
  Columns columns_;
  SequenceCutter sequences_;
  DistinctNames items_;
  std::vector<NameTable> label_names_;
  FeaturesFile file_;
  std::vector<double> times_;
  std::size_t row_ = 0;
  bool is_reserved_ = false;
};

}  // namespace

std::string FeaturesFile::place(std::size_t row) const { return fmt::format("{}:{}", name, lines.line_of(row)); }

FeaturesFile read_features_csv(const std::string& path, const FeaturesFormat& format, const RunContext& run) {
  TableReader table(path, format.delimiter, run);
  table.require_names();
  Collector collector(table, format);
  table.for_each_row([&](const TableRow& row) { collector.add(row); });
  return collector.finish(format);
}

void write_features_csv(CsvWriter& csv, const Features& features) {
  const bool has_sequences =
      features.sequences.size() > 1 || (!features.sequences.empty() && !features.sequences[0].empty());
  const bool has_items = !features.items.empty();
  const bool has_time = features.clock.has_time();
  if (has_sequences) csv.text("sequence");
  if (has_items) csv.text("item");
  if (has_time) csv.text("time");
  csv.row(features.columns);
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    for (std::size_t n = features.starts[s]; n < features.starts[s + 1]; ++n) {
      if (has_sequences) csv.text(features.sequences[s]);
      if (has_items) csv.text(features.items[n]);
      if (has_time) csv.number(features.clock.begin(n - features.starts[s]));
      for (const double value : features.row(n)) csv.number(value);
      csv.end_row();
    }
  }
}

}  // namespace motet
