#include "motet/app/audio/row_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "motet/base/error.h"
#include "motet/io/csv_writer.h"
#include "motet/io/features_file.h"
#include "motet/io/json.h"
#include "motet/io/npy.h"

namespace motet::audio {
namespace {

// What a row is named by: the recording it comes from, or the item it is, where it stands for the whole recording.
std::string_view name_column(const RowShape& shape) { return shape.clock.has_time() ? "sequence" : "item"; }

std::string arff_quoted(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string csv_header(const RowShape& shape) {
  std::ostringstream text;
  CsvWriter csv(text);
  csv.text(name_column(shape));
  if (shape.clock.has_time()) csv.text("time");
  csv.row(shape.columns);
  csv.finish();
  return text.str();
}

std::string arff_header(const RowShape& shape) {
  std::string text = "% " + to_json(shape_value(shape), 0) + "\n@relation 'motet audio features'\n";
  text += fmt::format("@attribute {} string\n", name_column(shape));
  if (shape.clock.has_time()) text += "@attribute time numeric\n";
  for (std::size_t c = 0; c < shape.columns.size(); ++c) {
    text += fmt::format("@attribute {} numeric % {}\n", arff_quoted(shape.columns[c]), shape.units[c]);
  }
  return text + "@data\n";
}

std::string arff_line(const RowShape& shape, const std::string& name, std::size_t row, std::span<const double> values) {
  std::string line = name;
  if (shape.clock.has_time()) line += "," + to_text(shape.clock.begin(row));
  for (const double value : values) line += "," + to_text(value);
  return line + "\n";
}

std::string json_line(const RowShape& shape, std::string_view recording, std::size_t row,
                      std::span<const double> values) {
  Value line = Value::object({{std::string(name_column(shape)), std::string(recording)}});
  if (shape.clock.has_time()) line.set("time", shape.clock.begin(row));
  line.set("values", Value::list_of(std::vector<double>(values.begin(), values.end())));
  return to_json(line, 0) + "\n";
}

}  // namespace

RowFile row_file_of(const std::string& path) {
  if (is_npy(path)) return RowFile::npy;
  if (path.ends_with(".arff")) return RowFile::arff;
  if (path.ends_with(".jsonl")) return RowFile::json_lines;
  return RowFile::csv;
}

Value shape_value(const RowShape& shape) {
  return Value::object({{"kind", "motet audio features"},
                        {"version", 1},
                        {"columns", Value::list_of(shape.columns)},
                        {"units", Value::list_of(shape.units)},
                        {"hop", shape.clock.hop},
                        {"window", shape.clock.window},
                        {"options", shape.options}});
}

std::string row_header(RowFile kind, const RowShape& shape, std::size_t rows) {
  switch (kind) {
    case RowFile::npy: return npy_header(rows, shape.columns.size());
    case RowFile::arff: return arff_header(shape);
    case RowFile::json_lines: return to_json(shape_value(shape), 0) + "\n";
    case RowFile::csv: break;
  }
  return csv_header(shape);
}

std::string row_text(RowFile kind, const RowShape& shape, std::string_view recording, std::size_t first,
                     std::span<const double> rows) {
  if (kind == RowFile::npy) return {reinterpret_cast<const char*>(rows.data()), rows.size_bytes()};
  const std::size_t width = shape.columns.size();
  const std::size_t count = rows.size() / width;
  std::string lines;
  if (kind == RowFile::csv) {
    std::ostringstream text;
    CsvWriter csv(text);
    for (std::size_t n = 0; n < count; ++n) {
      csv.text(recording);
      if (shape.clock.has_time()) csv.number(shape.clock.begin(first + n));
      for (const double value : rows.subspan(n * width, width)) csv.number(value);
      csv.end_row();
    }
    csv.finish();
    return std::move(text).str();
  }
  const std::string name = arff_quoted(recording);
  for (std::size_t n = 0; n < count; ++n) {
    const std::span<const double> row = rows.subspan(n * width, width);
    lines += kind == RowFile::json_lines ? json_line(shape, recording, first + n, row)
                                         : arff_line(shape, name, first + n, row);
  }
  return lines;
}

}  // namespace motet::audio
