#include "motet/report/event_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "motet/base/error.h"
#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr double lane_height = 34.0;
constexpr const char* shapes[] = {"circle", "triangle-down", "cross", "diamond", "square"};

std::vector<std::size_t> shown_bars(const EventLanes& data) {
  std::vector<std::size_t> order(data.bars.size());
  std::iota(order.begin(), order.end(), 0U);
  if (order.size() > most_lane_bars) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return data.bars[a].end - data.bars[a].begin > data.bars[b].end - data.bars[b].begin;
    });
    order.resize(most_lane_bars);
    std::sort(order.begin(), order.end());
  }
  return order;
}

Value::List rows_of(const EventLanes& data) {
  Value::List rows;
  for (const std::size_t i : shown_bars(data)) {
    const LaneBar& bar = data.bars[i];
    rows.push_back(Value::object({{"name", data.lanes.at(bar.lane)},
                                  {"begin", bar.begin},
                                  {"end", bar.end},
                                  {"value", number_or_null(bar.value)}}));
  }
  for (const LaneMark& mark : data.marks) {
    rows.push_back(Value::object({{"name", data.lanes.at(mark.lane)},
                                  {"at", mark.at},
                                  {"kind", data.kinds.at(mark.kind)},
                                  {"note", mark.note}}));
  }
  return rows;
}

// Lanes down the side in their order, also those without an event.
Value lanes_down(const EventLanes& data) {
  return Value::object(
      {{"field", "name"},
       {"type", "nominal"},
       {"title", Value()},
       {"scale", Value::object({{"domain", Value::list_of(data.lanes)}})},
       {"axis", Value::object({{"grid", true}, {"tickBand", "extent"}, {"domain", false}, {"ticks", false}})}});
}

Value along(std::string_view field, const EventLanes& data) {
  Value channel = numbers(field, data.time_title);
  channel.set("scale", Value::object({{"domain", Value::list({0.0, std::max(data.end, 1e-9)})}, {"nice", false}}));
  return channel;
}

Value shape_of_kinds(const EventLanes& data) {
  Value::List range;
  for (std::size_t k = 0; k < data.kinds.size(); ++k) range.emplace_back(shapes[k % std::size(shapes)]);
  return Value::object({{"field", "kind"},
                        {"type", "nominal"},
                        {"scale", Value::object({{"domain", Value::list_of(data.kinds)}, {"range", std::move(range)}})},
                        {"legend", Value::object({{"title", Value()}, {"orient", "top"}})}});
}

Table lane_table(const EventLanes& data) {
  Table table{{{"lane"}, {"segments"}, {"total " + data.time_title, 1}}, {}};
  for (const std::string& kind : data.kinds) table.columns.push_back({kind});
  for (std::size_t lane = 0; lane < data.lanes.size(); ++lane) {
    std::int64_t count = 0;
    double total = 0.0;
    for (const LaneBar& bar : data.bars) {
      if (bar.lane != lane) continue;
      ++count;
      total += bar.end - bar.begin;
    }
    std::vector<Cell> row{data.lanes[lane], count, total};
    for (std::size_t kind = 0; kind < data.kinds.size(); ++kind) {
      row.emplace_back(std::count_if(data.marks.begin(), data.marks.end(),
                                     [&](const LaneMark& mark) { return mark.lane == lane && mark.kind == kind; }));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Plot lanes_plot(PlotText text, const EventLanes& data) {
  Value bar_mark = Value::object({{"type", "rect"},
                                  {"color", "var(--series-1)"},
                                  {"stroke", "var(--series-1)"},
                                  {"strokeWidth", 1.5},
                                  {"clip", true},
                                  {"height", Value::object({{"band", 0.55}})}});
  Value bar = only_where(
      layer(
          std::move(bar_mark),
          Value::object({{"x", along("begin", data)},
                         {"x2", Value::object({{"field", "end"}})},
                         {"y", lanes_down(data)},
                         {"fillOpacity", Value::object({{"field", "value"},
                                                        {"type", "quantitative"},
                                                        {"scale", Value::object({{"domain", Value::list({0.0, 1.0})},
                                                                                 {"range", Value::list({0.1, 0.75})}})},
                                                        {"legend", Value()}})},
                         {"tooltip", Value::list({tooltip("name", "class"), tooltip("begin", "begin", 2),
                                                  tooltip("end", "end", 2), tooltip("value", data.value_title, 3)})}})),
      "isValid(datum.begin)");
  bar.set("params", Value::list({Value::object({{"name", "zoom"},
                                                {"select", Value::object({{"type", "interval"},
                                                                          {"encodings", Value::list({"x"})},
                                                                          {"zoom", "wheel![event.shiftKey]"}})},
                                                {"bind", "scales"}})}));
  Value mark =
      only_where(layer(Value::object({{"type", "point"},
                                      {"filled", true},
                                      {"size", 70},
                                      {"color", "var(--series-2)"},
                                      {"opacity", 0.9},
                                      {"clip", true}}),
                       Value::object({{"x", along("at", data)},
                                      {"y", lanes_down(data)},
                                      {"shape", shape_of_kinds(data)},
                                      {"tooltip", Value::list({tooltip("kind", "what"), tooltip("name", "class"),
                                                               tooltip("at", "at", 2), tooltip("note", "item")})}})),
                 "isValid(datum.at)");
  const double height = std::max(60.0, lane_height * static_cast<double>(data.lanes.size()));
  return {std::move(text.title), std::move(text.caption),
          spec(rows_of(data), height, {std::move(bar), std::move(mark)}), lane_table(data)};
}

}  // namespace motet
