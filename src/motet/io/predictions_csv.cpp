#include "motet/io/predictions_csv.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "motet/io/distinct_names.h"
#include "motet/io/line_map.h"
#include "motet/io/numbers.h"
#include "motet/io/table_reader.h"

namespace motet {
namespace {

struct PredictionRows {
  NameList first_fields;
  LineMap lines;
  std::vector<double> others;  // all columns but the first
  bool first_is_text = false;
};

PredictionRows read_rows(TableReader& table) {
  PredictionRows read;
  table.for_each_row([&](const TableRow& row) {
    read.first_fields.push_back(row[0]);
    read.lines.add(row.line);
    read.first_is_text = read.first_is_text || is_text(row[0]);
    for (std::size_t c = 1; c < row.fields.size(); ++c) read.others.push_back(row.number_or_unknown(c));
  });
  return read;
}

void check_items(const TableReader& table, const PredictionRows& read) {
  DistinctNames items(table.name(), "item");
  for (std::size_t i = 0; i < read.first_fields.size(); ++i) items.add(read.first_fields[i], read.lines.line_of(i));
}

// The first column in front of the others, row by row.
std::vector<double> with_first_column(const TableReader& table, const PredictionRows& read) {
  const std::size_t other_count = table.header().size() - 1;
  std::vector<double> values;
  values.reserve(read.first_fields.size() * (other_count + 1));
  for (std::size_t i = 0; i < read.first_fields.size(); ++i) {
    const std::string_view first = read.first_fields[i];
    values.push_back(TableRow{table.csv(), {&first, 1}, read.lines.line_of(i)}.number_or_unknown(0));
    const auto others = read.others.begin() + static_cast<std::ptrdiff_t>(i * other_count);
    values.insert(values.end(), others, others + static_cast<std::ptrdiff_t>(other_count));
  }
  return values;
}

}  // namespace

Predictions read_predictions(const std::string& path, char delimiter) {
  TableReader table(path, delimiter);
  table.require_names();
  const auto& header = table.header();
  PredictionRows read = read_rows(table);
  const std::size_t items = read.first_fields.size();
  if (items == 0) table.fail_file("there are no predictions");
  const bool has_items = header[0] == "item" || header[0] == "id" || header[0] == "task" || read.first_is_text;
  if (has_items && header.size() < 2) table.fail_header("at least one judge column is needed");
  Predictions predictions;
  for (std::size_t c = has_items ? 1 : 0; c < header.size(); ++c) predictions.judges.push_back(header[c]);
  if (has_items) {
    check_items(table, read);
    predictions.items = std::move(read.first_fields);
    predictions.values = std::move(read.others);
    return predictions;
  }
  for (std::size_t i = 0; i < items; ++i) predictions.items.push_back(std::to_string(i + 1));
  predictions.values = with_first_column(table, read);
  return predictions;
}

}  // namespace motet
