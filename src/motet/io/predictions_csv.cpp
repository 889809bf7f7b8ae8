#include "motet/io/predictions_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/io/csv.h"
#include "motet/io/header.h"

namespace motet {
namespace {

// Also nan and inf, which look like numbers but are refused later.
std::optional<double> finite_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || code == std::errc::invalid_argument) return std::nullopt;
  if (code == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return number;
}

double prediction_in(const CsvReader& reader, std::size_t line, std::size_t column, std::string_view text) {
  if (text.empty()) return no_number;
  const auto number = finite_number(text);
  if (!number || !std::isfinite(*number)) {
    reader.fail_at(line, fmt::format("column '{}': '{}' is not a finite number", reader.header()[column], text));
  }
  return *number;
}

struct Rows {
  NameList first_fields;
  std::vector<std::size_t> lines;
  std::vector<double> others;  // all columns but the first
  bool first_is_text = false;
};

Rows read_rows(CsvReader& reader) {
  Rows read;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = rows[i];
      read.first_fields.push_back(row[0]);
      read.lines.push_back(rows.line(i));
      read.first_is_text = read.first_is_text || (!row[0].empty() && !finite_number(row[0]));
      for (std::size_t c = 1; c < row.size(); ++c) {
        read.others.push_back(prediction_in(reader, rows.line(i), c, row[c]));
      }
    }
  }
  return read;
}

void check_items(const CsvReader& reader, const Rows& read) {
  NameTable seen;
  for (std::size_t i = 0; i < read.lines.size(); ++i) {
    const std::string_view item = read.first_fields[i];
    if (item.empty()) reader.fail_at(read.lines[i], "the item is empty");
    if (const std::uint32_t id = seen.id_of(item); id != i) {
      reader.fail_at(read.lines[i],
                     fmt::format("item '{}' appears twice (first on line {}); keep one", item, read.lines[id]));
    }
  }
}

// The first column in front of the others, row by row.
std::vector<double> with_first_column(const CsvReader& reader, const Rows& read) {
  const std::size_t other_count = reader.header().size() - 1;
  std::vector<double> values;
  values.reserve(read.lines.size() * (other_count + 1));
  for (std::size_t i = 0; i < read.lines.size(); ++i) {
    values.push_back(prediction_in(reader, read.lines[i], 0, read.first_fields[i]));
    const auto others = read.others.begin() + static_cast<std::ptrdiff_t>(i * other_count);
    values.insert(values.end(), others, others + static_cast<std::ptrdiff_t>(other_count));
  }
  return values;
}

}  // namespace

Predictions read_predictions(const std::string& path, char delimiter) {
  CsvReader reader(path, {.delimiter = delimiter});
  require_header(reader);
  const auto& header = reader.header();
  Rows read = read_rows(reader);
  if (read.lines.empty()) fail(ErrorKind::bad_data, reader.name() + ": there are no predictions");
  const bool has_items = header[0] == "item" || header[0] == "id" || header[0] == "task" || read.first_is_text;
  if (has_items && header.size() < 2) reader.fail_at(reader.header_line(), "at least one judge column is needed");
  Predictions predictions;
  for (std::size_t c = has_items ? 1 : 0; c < header.size(); ++c) predictions.judges.push_back(header[c]);
  if (has_items) {
    check_items(reader, read);
    predictions.items = std::move(read.first_fields);
    predictions.values = std::move(read.others);
    return predictions;
  }
  for (std::size_t i = 0; i < read.lines.size(); ++i) predictions.items.push_back(std::to_string(i + 1));
  predictions.values = with_first_column(reader, read);
  return predictions;
}

}  // namespace motet
