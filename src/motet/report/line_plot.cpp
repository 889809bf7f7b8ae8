#include "motet/report/line_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr double line_height = 340.0;

void require_lengths(const Series& series) {
  require_length("line_plot: y", series.y.size(), series.x.size());
  require_length("line_plot: high", series.high.size(), series.low.size());
  if (!series.low.empty()) require_length("line_plot: low", series.low.size(), series.x.size());
}

Value point_on(double value, bool is_log) { return is_log && !(value > 0.0) ? Value() : number_or_null(value); }

Value::List rows_of(const Lines& data) {
  Value::List rows;
  for (const Series& series : data.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      Value row = Value::object({{"series", series.name},
                                 {"source", series.is_published ? data.reference : "ours"},
                                 {"x", point_on(series.x[i], data.log_x)},
                                 {"y", point_on(series.y[i], data.log_y)}});
      if (!series.low.empty()) {
        row.set("low", point_on(series.low[i], data.log_y));
        row.set("high", point_on(series.high[i], data.log_y));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

int digits_of_x(const Lines& data) {
  for (const Series& series : data.series) {
    for (const double x : series.x) {
      if (x != std::floor(x)) return data.digits;
    }
  }
  return 0;
}

// Columns that would say the same in every row are left out.
struct TableShape {
  bool has_names = false;
  bool has_published = false;
  bool has_bands = false;
};

std::vector<Cell> line_row(const Lines& data, const Series& series, std::size_t i, const TableShape& shape) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const bool has_band = !series.low.empty();
  std::vector<Cell> row;
  if (shape.has_names) row.emplace_back(series.name);
  if (shape.has_published) row.emplace_back(series.is_published ? data.reference : "ours");
  row.emplace_back(series.x[i]);
  row.emplace_back(series.y[i]);
  if (shape.has_bands) {
    row.emplace_back(has_band ? series.low[i] : none);
    row.emplace_back(has_band ? series.high[i] : none);
  }
  return row;
}

Table line_table(const Lines& data, const TableShape& shape) {
  Table table;
  if (shape.has_names) table.columns.push_back({"series"});
  if (shape.has_published) table.columns.push_back({"source"});
  table.columns.push_back({data.x_title, digits_of_x(data)});
  table.columns.push_back({data.y_title, data.digits});
  if (shape.has_bands) {
    table.columns.push_back({"low", data.digits});
    table.columns.push_back({"high", data.digits});
  }
  for (const Series& series : data.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) table.rows.push_back(line_row(data, series, i, shape));
  }
  return table;
}

// The powers of ten from the one below the smallest value to the one above the
// largest; empty unless there are three at least, when the usual ticks serve better.
Value::List decades(const std::vector<Series>& list, std::vector<double> Series::*member) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const Series& series : list) {
    for (const double value : series.*member) {
      if (!(value > 0.0) || !std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  Value::List values;
  if (!(low <= high)) return values;
  const double last = std::ceil(std::log10(high));
  for (double power = std::floor(std::log10(low)); power <= last; ++power) values.emplace_back(std::pow(10.0, power));
  return values.size() >= 3 ? values : Value::List{};
}

Value numbers_on(std::string_view name, std::string_view title, bool is_log, const Value::List& ticks) {
  Value channel = numbers(name, title);
  channel.set("scale", is_log ? Value::object({{"type", "log"}}) : Value::object({{"zero", false}}));
  if (is_log) channel.set("axis", Value::object({{"labelOverlap", true}, {"format", ",~g"}}));
  if (!ticks.empty()) {
    channel.set("axis", Value::object({{"values", ticks}, {"labelOverlap", true}, {"format", ",~g"}}));
  }
  return channel;
}

std::vector<std::string> distinct_names(const std::vector<Series>& list) {
  std::vector<std::string> names;
  for (const Series& series : list) {
    if (std::find(names.begin(), names.end(), series.name) == names.end()) names.push_back(series.name);
  }
  return names;
}

}  // namespace

Plot line_plot(PlotText text, const Lines& data) {
  for (const Series& series : data.series) require_lengths(series);
  const auto is_published = [](const Series& series) { return series.is_published; };
  const auto has_band = [](const Series& series) { return !series.low.empty(); };
  const bool has_published = std::any_of(data.series.begin(), data.series.end(), is_published);
  const bool has_bands = std::any_of(data.series.begin(), data.series.end(), has_band);

  const std::vector<std::string> names = distinct_names(data.series);
  const Value legend =
      names.size() > 1 ? Value::object({{"title", Value()}, {"symbolType", "stroke"}, {"symbolSize", 300}}) : Value();
  const Value by_series = Value::object({{"field", "series"},
                                         {"type", "nominal"},
                                         {"scale", Value::object({{"domain", Value::list_of(names)}})},
                                         {"legend", legend}});
  const Value::List x_ticks = data.log_x ? decades(data.series, &Series::x) : Value::List{};
  const Value::List y_ticks = data.log_y ? decades(data.series, &Series::y) : Value::List{};
  const Value x = numbers_on("x", data.x_title, data.log_x, x_ticks);
  const Value y = numbers_on("y", data.y_title, data.log_y, y_ticks);
  const Value tips = Value::list({tooltip("series", "series"), tooltip("source", "source"),
                                  tooltip("x", data.x_title, data.digits), tooltip("y", data.y_title, data.digits)});

  Value::List layers;
  if (has_bands) {
    const Value low = numbers_on("low", data.y_title, data.log_y, y_ticks);
    layers.push_back(only_where(
        layer(Value::object({{"type", "area"}, {"opacity", 0.18}}),
              Value::object({{"x", x}, {"y", low}, {"y2", Value::object({{"field", "high"}})}, {"color", by_series}})),
        "isValid(datum.low) && isValid(datum.high)"));
  }
  layers.push_back(
      only_where(layer(Value::object({{"type", "line"}, {"strokeWidth", 2}}),
                       Value::object({{"x", x}, {"y", y}, {"color", by_series}, {"strokeDash", by_series}})),
                 "datum.source === 'ours'"));
  Value points = Value::object({{"x", x}, {"y", y}, {"color", by_series}, {"tooltip", tips}});
  if (data.has_points) {
    const Value mark = Value::object({{"type", "point"}, {"filled", true}, {"size", 40}, {"opacity", 1}});
    layers.push_back(only_where(layer(mark, points), "datum.source === 'ours'"));
  }
  if (has_published) {
    points.set("shape", open_diamond(data.reference));
    const Value mark =
        Value::object({{"type", "point"}, {"filled", false}, {"size", 75}, {"strokeWidth", 2}, {"opacity", 1}});
    layers.push_back(only_where(layer(mark, std::move(points)), "datum.source !== 'ours'"));
  }
  return {std::move(text.title), std::move(text.caption), spec(rows_of(data), line_height, std::move(layers)),
          line_table(data, {names.size() > 1, has_published, has_bands})};
}

}  // namespace motet
