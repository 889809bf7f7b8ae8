#include "motet/report/bar_plot.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr std::size_t most_labelled_bars = 60;
constexpr double label_room = 1.12;  // of the longest bar, so that its number fits beside it

void require_lengths(const Bars& data) {
  const std::size_t count = data.names.size();
  require_length("bar_plot: values", data.values.size(), count);
  require_length("bar_plot: high", data.high.size(), data.low.size());
  if (!data.groups.empty()) require_length("bar_plot: groups", data.groups.size(), count);
  if (!data.low.empty()) require_length("bar_plot: low", data.low.size(), count);
}

Table bar_table(const Bars& data) {
  Table table;
  table.columns = {{data.name_title}, {data.value_title, data.digits}};
  if (!data.groups.empty()) table.columns.insert(table.columns.begin() + 1, {"group"});
  if (!data.low.empty()) table.columns.insert(table.columns.end(), {{"low", data.digits}, {"high", data.digits}});
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    std::vector<Cell> row = {data.names[i]};
    if (!data.groups.empty()) row.emplace_back(data.groups[i]);
    row.emplace_back(data.values[i]);
    if (!data.low.empty()) {
      row.emplace_back(data.low[i]);
      row.emplace_back(data.high[i]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) most = std::max(most, value);
  }
  return most;
}

}  // namespace

Plot bar_plot(PlotText text, const Bars& data) {
  require_lengths(data);
  const bool has_groups = !data.groups.empty();
  const bool has_errors = !data.low.empty();
  const bool has_numbers = !has_errors && data.names.size() <= most_labelled_bars;
  Value::List rows;
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    Value row = Value::object({{"name", data.names[i]}, {"value", number_or_null(data.values[i])}});
    if (has_groups) row.set("group", data.groups[i]);
    if (has_errors) {
      row.set("low", number_or_null(data.low[i]));
      row.set("high", number_or_null(data.high[i]));
    }
    rows.push_back(std::move(row));
  }

  Value::List tips = {tooltip("name", data.name_title), tooltip("value", data.value_title, data.digits)};
  if (has_groups) tips.push_back(tooltip("group", "group"));
  const std::size_t name_count = std::set<std::string>(data.names.begin(), data.names.end()).size();
  Value y = names_down(name_count, "");
  y.set("scale", Value::object({{"paddingInner", 0.3}}));
  Value base = Value::object({{"y", std::move(y)}, {"tooltip", Value(tips)}});
  if (has_groups) {
    base.set("yOffset", Value::object({{"field", "group"}, {"type", "nominal"}, {"sort", Value()}}));
  }
  Value x = numbers("value", data.value_title);
  if (has_numbers && largest(data.values) > 0.0) {
    x.set("scale", Value::object({{"domainMax", largest(data.values) * label_room}, {"nice", false}}));
  }

  Value bar = base;
  bar.set("x", x);
  if (has_groups) {
    bar.set("color", Value::object({{"field", "group"},
                                    {"type", "nominal"},
                                    {"sort", Value()},
                                    {"legend", Value::object({{"title", Value()}})}}));
  }
  Value::List layers = {layer(
      Value::object({{"type", "bar"}, {"cornerRadiusEnd", 2}, {"opacity", has_errors ? 0.65 : 1.0}}), std::move(bar))};
  if (has_errors) {
    Value rule = base;
    rule.set("x", numbers("low", data.value_title));
    rule.set("x2", Value::object({{"field", "high"}}));
    layers.push_back(layer(Value::object({{"type", "rule"}, {"color", "var(--ink)"}, {"strokeWidth", 1.5}}), rule));
  }
  if (has_numbers) {
    Value number = base;
    number.set("x", x);
    number.set("text", tooltip("value", data.value_title, data.digits));
    layers.push_back(layer(
        Value::object({{"type", "text"}, {"align", "left"}, {"dx", 4}, {"color", "var(--ink)"}, {"fontSize", 12}}),
        std::move(number)));
  }
  const double bars_a_name =
      static_cast<double>(rows.size()) / static_cast<double>(std::max<std::size_t>(name_count, 1));
  const double height = height_for(name_count) * std::clamp(0.8 * bars_a_name, 1.0, 5.0);
  return {std::move(text.title), std::move(text.caption), spec(std::move(rows), height, std::move(layers)),
          bar_table(data)};
}

}  // namespace motet
