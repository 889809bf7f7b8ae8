#include "motet/report/interval_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

std::vector<std::size_t> by_falling_value(const std::vector<double>& value) {
  std::vector<std::size_t> order(value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    return std::isnan(value[i]) ? -std::numeric_limits<double>::infinity() : value[i];
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
  return order;
}

void require_lengths(const Intervals& data) {
  const std::size_t count = data.names.size();
  require_length("interval_plot: value", data.value.size(), count);
  require_length("interval_plot: low", data.low.size(), count);
  require_length("interval_plot: high", data.high.size(), count);
  if (!data.truth.empty()) require_length("interval_plot: truth", data.truth.size(), count);
}

Table interval_table(const Intervals& data, const std::vector<std::size_t>& order) {
  Table table;
  table.columns = {{data.name_title}, {data.value_title, data.digits}, {"low", data.digits}, {"high", data.digits}};
  if (!data.truth.empty()) table.columns.push_back({"truth", data.digits});
  for (const std::size_t i : order) {
    std::vector<Cell> row = {data.names[i], data.value[i], data.low[i], data.high[i]};
    if (!data.truth.empty()) row.emplace_back(data.truth[i]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Plot interval_plot(PlotText text, const Intervals& data) {
  require_lengths(data);
  const bool has_truth = !data.truth.empty();
  const std::vector<std::size_t> order = by_falling_value(data.value);
  Value::List rows;
  for (const std::size_t i : order) {
    Value row = Value::object({{"name", data.names[i]},
                               {"value", number_or_null(data.value[i])},
                               {"low", number_or_null(data.low[i])},
                               {"high", number_or_null(data.high[i])}});
    if (has_truth) row.set("truth", number_or_null(data.truth[i]));
    rows.push_back(std::move(row));
  }

  Value::List tips = {tooltip("name", data.name_title), tooltip("value", data.value_title, data.digits),
                      tooltip("low", "low", data.digits), tooltip("high", "high", data.digits)};
  if (has_truth) tips.push_back(tooltip("truth", "truth", data.digits));

  const Value y = names_down(order.size(), "");
  const auto x_of = [&](std::string_view name) {
    Value x = numbers(name, data.value_title);
    x.set("scale", Value::object({{"zero", false}}));
    return x;
  };
  Value bar = Value::object(
      {{"y", y}, {"x", x_of("low")}, {"x2", Value::object({{"field", "high"}})}, {"tooltip", Value(tips)}});
  Value dot = Value::object({{"y", y}, {"x", x_of("value")}, {"tooltip", Value(tips)}});
  Value::List layers = {
      layer(Value::object({{"type", "rule"}, {"color", "var(--series-1)"}, {"strokeWidth", 2.5}, {"opacity", 0.45}}),
            std::move(bar)),
      layer(Value::object({{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}), std::move(dot))};
  if (has_truth) {
    Value mark = Value::object({{"y", y}, {"x", x_of("truth")}, {"tooltip", Value(tips)}});
    mark.set("shape", open_diamond("truth"));
    layers.push_back(layer(Value::object({{"type", "point"},
                                          {"filled", false},
                                          {"color", "var(--series-2)"},
                                          {"size", 70},
                                          {"strokeWidth", 2},
                                          {"opacity", 1}}),
                           std::move(mark)));
  }
  return {std::move(text.title), std::move(text.caption),
          spec(std::move(rows), height_for(order.size()), std::move(layers)), interval_table(data, order)};
}

}  // namespace motet
