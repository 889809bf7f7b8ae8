#include "motet/io/labelled_items_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "motet/base/error.h"
#include "motet/io/arff.h"
#include "motet/io/item_columns.h"
#include "motet/io/item_table.h"
#include "motet/io/libsvm_items.h"
#include "motet/io/mulan_xml.h"
#include "motet/io/reading_progress.h"
#include "motet/io/table_reader.h"

namespace motet {
namespace {

std::string without_ending(std::string path, std::string_view ending) {
  if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  return path;
}

ItemsKind kind_of(const std::string& path, ItemsKind told) {
  if (told != ItemsKind::by_name) return told;
  const std::string name = without_ending(path, ".gz");
  if (name.ends_with(".arff")) return ItemsKind::arff;
  for (const std::string_view ending : {".svm", ".libsvm", ".txt"}) {
    if (name.ends_with(ending)) return ItemsKind::libsvm;
  }
  return ItemsKind::csv;
}

// The labels that an .arff itself leads to: MEKA's count, or the .xml beside it.
std::optional<NamedLabels> own_labels(const std::string& path, const ArffHeader& header,
                                      std::vector<std::string>& warnings) {
  if (const int count = meka_label_count(header.relation); count != 0) {
    const auto labels = static_cast<std::size_t>(std::abs(count));
    const std::size_t width = header.attributes.size();
    if (labels >= width) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: the relation's name says -C {}, but there are {} attributes", path, count, width));
    }
    NamedLabels named;
    for (std::size_t i = 0; i < labels; ++i) {
      named.names.push_back(header.attributes[count > 0 ? i : width - labels + i].name);
    }
    return named;
  }
  const std::string file = labels_beside(path);
  if (file.empty()) return std::nullopt;
  warnings.push_back(fmt::format("{}: labels are those of {}, which lies beside it", path, file));
  return NamedLabels{read_mulan_labels(file), file};
}

LabelledFile read_arff(const std::string& path, const LabelledFormat& format, const RunContext& run) {
  LabelledFile result;
  ArffReader reader(path);
  std::vector<ItemColumn> columns;
  for (const ArffAttribute& attribute : reader.header().attributes) {
    columns.push_back({attribute.name, attribute.values, attribute.type == ArffType::text});
  }
  const bool is_told = !format.labels_file.empty() || !format.label_columns.empty() || format.label_count != 0 ||
                       !format.known_labels.empty();
  const auto own = is_told ? std::nullopt : own_labels(path, reader.header(), result.warnings);
  ItemPlan plan = plan_columns(reader.lines().name(), columns, format, own);
  ItemTable table(reader.lines().name(), std::move(columns), std::move(plan),
                  {format.needs_labels, format.keeps_missing});
  ReadingProgress progress(reader.lines().file(), run);
  std::vector<ArffCell> cells;
  bool is_sparse = false;
  while (reader.next_row(cells, is_sparse)) {
    progress.step();
    table.begin_row(reader.lines().line());
    for (const ArffCell& cell : cells) {
      cell.is_missing ? table.put_missing(cell.attribute) : table.put(cell.attribute, cell.text);
    }
  }
  result.items = table.finish();
  return result;
}

LabelledFile read_csv(const std::string& path, const LabelledFormat& format, const RunContext& run) {
  TableReader reader(path, format.delimiter, run);
  reader.require_names();
  std::vector<ItemColumn> columns;
  for (const std::string& name : reader.header()) columns.push_back({name, {}, false});
  ItemPlan plan = plan_columns(reader.name(), columns, format, std::nullopt);
  ItemTable table(reader.name(), std::move(columns), std::move(plan), {format.needs_labels, format.keeps_missing});
  reader.for_each_row([&](const TableRow& row) {
    table.begin_row(row.line);
    for (std::size_t c = 0; c < row.fields.size(); ++c) table.put(c, row[c]);
  });
  return {table.finish(), {}};
}

}  // namespace

std::string labels_beside(const std::string& path) {
  const std::string packed_away = without_ending(path, ".gz");
  if (!packed_away.ends_with(".arff")) return "";
  const std::string stem = without_ending(packed_away, ".arff");
  std::error_code none;
  for (const std::string& name : {stem, without_ending(stem, "-train"), without_ending(stem, "-test")}) {
    if (std::filesystem::is_regular_file(name + ".xml", none)) return name + ".xml";
  }
  return "";
}

LabelledFile read_labelled_items(const std::string& path, const LabelledFormat& format, const RunContext& run) {
  const int told = static_cast<int>(!format.labels_file.empty()) + static_cast<int>(!format.label_columns.empty()) +
                   static_cast<int>(format.label_count != 0);
  if (told > 1) {
    fail(ErrorKind::usage, "--labels, --label-columns, --label-count: more than one is given; one is enough");
  }
  switch (kind_of(path, format.kind)) {
    case ItemsKind::arff: return read_arff(path, format, run);
    case ItemsKind::libsvm: return {read_libsvm_items(path, format, run), {}};
    default: return read_csv(path, format, run);
  }
}

void write_labelled_csv(CsvWriter& csv, const LabelledItems& items) {
  const NumberTable& features = items.features;
  const bool has_items = !features.items.empty();
  const bool has_sets = items.has_sets();
  if (has_items) csv.text("item");
  for (const std::string& name : features.columns) csv.text(name);
  if (has_sets) {
    for (const std::string& name : items.labels) csv.text(name);
  }
  csv.end_row();
  for (std::size_t n = 0; n < items.rows(); ++n) {
    if (has_items) csv.text(features.items[n]);
    for (const double value : features.row(n)) csv.number(value);
    for (std::size_t k = 0; has_sets && k < items.labels.size(); ++k) csv.whole(items.sets(n, k) ? 1 : 0);
    csv.end_row();
  }
}

}  // namespace motet
