#include "motet/report/scatter_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "motet/base/error.h"
#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr double scatter_height = 340.0;
constexpr std::size_t corners = 60;  // of an ellipse

const std::string& kind_of(const Scatter& data, std::size_t kind) {
  if (kind >= data.kinds.size()) fail(ErrorKind::internal, "scatter_plot: a kind that is not there");
  return data.kinds[kind];
}

// mean + radius L (cos, sin) with L L^T the covariance.
void add_ellipse(const Scatter& data, std::size_t number, Value::List& rows) {
  const ScatterEllipse& ellipse = data.ellipses[number];
  const double a = std::sqrt(std::max(ellipse.xx, 0.0));
  const double b = a > 0.0 ? ellipse.xy / a : 0.0;
  const double c = std::sqrt(std::max(ellipse.yy - b * b, 0.0));
  for (std::size_t i = 0; i <= corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(corners);
    const double u = ellipse.radius * std::cos(angle);
    const double v = ellipse.radius * std::sin(angle);
    rows.push_back(Value::object({{"part", "ellipse"},
                                  {"number", number},
                                  {"corner", i},
                                  {"kind", kind_of(data, ellipse.kind)},
                                  {"x", ellipse.x + a * u},
                                  {"y", ellipse.y + b * u + c * v}}));
  }
}

Table table_of(const Scatter& data) {
  Table table{{{"what"}, {"points", 0}, {data.x_title, 2}, {data.y_title, 2}}, {}};
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t kind = 0; kind < data.kinds.size(); ++kind) {
    const auto count = std::count_if(data.points.begin(), data.points.end(),
                                     [kind](const ScatterPoint& point) { return point.kind == kind; });
    table.rows.push_back({data.kinds[kind], static_cast<std::int64_t>(count), none, none});
  }
  for (const ScatterEllipse& ellipse : data.ellipses) {
    table.rows.push_back({"centre of " + kind_of(data, ellipse.kind), "", ellipse.x, ellipse.y});
  }
  if (!data.marked.empty()) {
    table.rows.push_back({data.marked_title, static_cast<std::int64_t>(data.marked.size()), none, none});
  }
  return table;
}

}  // namespace

Plot scatter_plot(PlotText text, const Scatter& data) {
  Value::List rows;
  for (const ScatterPoint& point : data.points) {
    rows.push_back(
        Value::object({{"part", "point"}, {"kind", kind_of(data, point.kind)}, {"x", point.x}, {"y", point.y}}));
  }
  for (std::size_t i = 0; i < data.ellipses.size(); ++i) add_ellipse(data, i, rows);
  for (const ScatterPoint& point : data.marked) {
    rows.push_back(Value::object({{"part", "marked"}, {"x", point.x}, {"y", point.y}}));
  }
  const Value free = Value::object({{"zero", false}});
  Value x = numbers("x", data.x_title);
  Value y = numbers("y", data.y_title);
  x.set("scale", free);
  y.set("scale", free);
  const Value by_kind = Value::object({{"field", "kind"},
                                       {"type", "nominal"},
                                       {"sort", Value()},
                                       {"scale", Value::object({{"domain", Value::list_of(data.kinds)}})},
                                       {"legend", Value::object({{"title", Value()}})}});
  const Value tips =
      Value::list({tooltip("kind", "kind"), tooltip("x", data.x_title, 3), tooltip("y", data.y_title, 3)});
  Value::List layers;
  layers.push_back(
      only_where(layer(Value::object({{"type", "point"}, {"filled", true}, {"size", 14}, {"opacity", 0.6}}),
                       Value::object({{"x", x}, {"y", y}, {"color", by_kind}, {"shape", by_kind}, {"tooltip", tips}})),
                 "datum.part === 'point'"));
  if (!data.ellipses.empty()) {
    layers.push_back(
        only_where(layer(Value::object({{"type", "line"}, {"strokeWidth", 2.5}, {"interpolate", "linear"}}),
                         Value::object({{"x", x},
                                        {"y", y},
                                        {"color", by_kind},
                                        {"order", Value::object({{"field", "corner"}, {"type", "quantitative"}})},
                                        {"detail", Value::object({{"field", "number"}, {"type", "nominal"}})}})),
                   "datum.part === 'ellipse'"));
  }
  if (!data.marked.empty()) {
    layers.push_back(only_where(layer(Value::object({{"type", "point"},
                                                     {"shape", "cross"},
                                                     {"filled", true},
                                                     {"size", 80},
                                                     {"opacity", 1},
                                                     {"color", "var(--series-3)"}}),
                                      Value::object({{"x", x}, {"y", y}})),
                                "datum.part === 'marked'"));
  }
  return {std::move(text.title), std::move(text.caption), spec(std::move(rows), scatter_height, std::move(layers)),
          table_of(data)};
}

}  // namespace motet
