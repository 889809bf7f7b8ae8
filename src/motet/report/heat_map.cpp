#include "motet/report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr std::size_t most_labelled_columns = 16;
constexpr std::size_t most_labelled_rows = 40;
constexpr std::size_t most_letters_across = 90;  // of column names side by side
constexpr double labelled_width = 40.0;          // least width of a cell with its number, in pixels
constexpr double letter_width = 7.5;
constexpr double name_limit = 120.0;
constexpr double plain_width = 8.0;    // and without
constexpr double names_width = 130.0;  // of the row names

struct Extent {
  double low = 0.0;
  double high = 1.0;
};

// [0, 1] for anything that lies in it, so that probabilities compare between plots.
Extent extent_of(const std::vector<double>& values) {
  Extent extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    extent.low = std::min(extent.low, value);
    extent.high = std::max(extent.high, value);
  }
  const bool is_within_unit = extent.low >= 0.0 && extent.high <= 1.0;
  return extent.low > extent.high || is_within_unit ? Extent{} : extent;
}

std::size_t longest_name(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return longest;
}

// Column names stand side by side while there is room, and slant otherwise.
bool is_slanted(const HeatMap& data) { return data.columns.size() * longest_name(data.columns) > most_letters_across; }

double least_cell_width(const HeatMap& data, bool has_labels) {
  if (!has_labels) return plain_width;
  if (is_slanted(data)) return labelled_width;
  return std::clamp(letter_width * static_cast<double>(longest_name(data.columns)), labelled_width, name_limit);
}

Value across(const HeatMap& data, bool has_labels) {
  Value axis = Value::object({{"orient", "top"}, {"grid", false}, {"domain", false}, {"ticks", false}});
  axis.set("labelAngle", is_slanted(data) ? -60 : 0);
  axis.set("labelLimit", name_limit);
  axis.set("labelOverlap", !has_labels);
  return Value::object({{"field", "column"},
                        {"type", "nominal"},
                        {"sort", Value()},
                        {"title", data.column_title.empty() ? Value() : Value(data.column_title)},
                        {"axis", std::move(axis)}});
}

Table heat_table(const HeatMap& data) {
  Table table;
  table.columns.push_back({data.row_title});
  for (const std::string& name : data.columns) table.columns.push_back({name, data.digits});
  for (std::size_t r = 0; r < data.rows.size(); ++r) {
    std::vector<Cell> row = {data.rows[r]};
    for (std::size_t c = 0; c < data.columns.size(); ++c) row.emplace_back(data.values[r * data.columns.size() + c]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Plot heat_map(PlotText text, const HeatMap& data) {
  require_length("heat_map: values", data.values.size(), data.rows.size() * data.columns.size());
  const bool has_labels = data.columns.size() <= most_labelled_columns && data.rows.size() <= most_labelled_rows;
  const Extent extent = extent_of(data.values);
  Value::List rows;
  for (std::size_t r = 0; r < data.rows.size(); ++r) {
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      rows.push_back(Value::object({{"name", data.rows[r]},
                                    {"column", data.columns[c]},
                                    {"value", number_or_null(data.values[r * data.columns.size() + c])}}));
    }
  }

  Value color = numbers("value", data.value_title);
  color.set("scale", Value::object({{"domain", Value::list({extent.low, extent.high})}}));
  color.set("legend", has_labels ? Value() : Value::object({{"gradientLength", 200}}));
  const Value tips = Value::list({tooltip("name", data.row_title), tooltip("column", data.column_title),
                                  tooltip("value", data.value_title, data.digits)});
  const Value y = names_down(data.rows.size(), data.row_title);
  const Value x = across(data, has_labels);
  Value::List layers = {layer(Value::object({{"type", "rect"}}),
                              Value::object({{"y", y}, {"x", x}, {"color", std::move(color)}, {"tooltip", tips}}))};
  if (has_labels) {
    const std::string is_high = fmt::format("datum.value > {}", extent.low + 0.5 * (extent.high - extent.low));
    const Value ink =
        Value::object({{"condition", Value::object({{"test", is_high}, {"value", "var(--on-ramp-high)"}})},
                       {"value", "var(--on-ramp-low)"}});
    Value number = numbers("value", data.value_title);
    number.set("format", fmt::format(".{}f", data.digits));
    layers.push_back(only_where(
        layer(Value::object({{"type", "text"}, {"fontSize", 12}}),
              Value::object({{"y", y}, {"x", x}, {"text", std::move(number)}, {"color", ink}, {"tooltip", tips}})),
        "isValid(datum.value)"));
  }
  const double cell_height = has_labels ? 32.0 : 16.0;
  const double height = std::min(static_cast<double>(data.rows.size()) * cell_height, height_for(data.rows.size()) * 2);
  Value plot_spec = spec(std::move(rows), height, std::move(layers));
  const double columns = static_cast<double>(data.columns.size());
  plot_spec.set("usermeta", Value::object({{"min_width", names_width + columns * least_cell_width(data, has_labels)}}));
  return {std::move(text.title), std::move(text.caption), std::move(plot_spec), heat_table(data)};
}

}  // namespace motet
