#include "motet/report/polar_plot.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr double polar_height = 420.0;
constexpr int circles = 4;

Value polar_point(const PolarCurve& curve, std::size_t i, std::size_t order) {
  const double angle = curve.degrees[i] * std::numbers::pi / 180.0;
  return Value::object({{"series", curve.name},
                        {"source", curve.is_expected ? "expected" : "measured"},
                        {"order", order},
                        {"degrees", curve.degrees[i]},
                        {"radius", number_or_null(curve.radius[i])},
                        {"x", number_or_null(-curve.radius[i] * std::sin(angle))},
                        {"y", number_or_null(curve.radius[i] * std::cos(angle))}});
}

double largest_radius(const std::vector<PolarCurve>& curves) {
  double largest = 0.0;
  for (const PolarCurve& curve : curves) {
    for (const double radius : curve.radius) {
      if (std::isfinite(radius)) largest = std::max(largest, radius);
    }
  }
  return largest > 0.0 ? largest : 1.0;
}

void append_circles(double largest, Value::List& rows) {
  constexpr int points = 72;
  for (int circle = 1; circle <= circles; ++circle) {
    const double radius = largest * circle / circles;
    for (int i = 0; i <= points; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / points;
      rows.push_back(Value::object({{"source", "circle"},
                                    {"circle", circle},
                                    {"order", i},
                                    {"x", radius * std::sin(angle)},
                                    {"y", radius * std::cos(angle)}}));
    }
  }
}

Value place(std::string_view field, double largest) {
  return Value::object({{"field", field},
                        {"type", "quantitative"},
                        {"axis", Value()},
                        {"scale", Value::object({{"domain", Value::list({-1.05 * largest, 1.05 * largest})}})}});
}

Table polar_table(const std::vector<PolarCurve>& curves, const std::string& what) {
  Table table{{{"series"}, {"source"}, {"degrees", 0}, {what, 4}}, {}};
  for (const PolarCurve& curve : curves) {
    for (std::size_t i = 0; i < curve.degrees.size(); ++i) {
      table.rows.push_back(
          {curve.name, curve.is_expected ? "expected" : "measured", curve.degrees[i], curve.radius[i]});
    }
  }
  return table;
}

}  // namespace

Plot polar_plot(PlotText text, const std::vector<PolarCurve>& curves, const std::string& what) {
  Value::List rows;
  for (const PolarCurve& curve : curves) {
    require_length("polar_plot: radius", curve.radius.size(), curve.degrees.size());
    for (std::size_t i = 0; i < curve.degrees.size(); ++i) rows.push_back(polar_point(curve, i, i));
    if (!curve.is_expected && !curve.degrees.empty()) rows.push_back(polar_point(curve, 0, curve.degrees.size()));
  }
  const double largest = largest_radius(curves);
  append_circles(largest, rows);
  const Value order = Value::object({{"field", "order"}, {"type", "quantitative"}});
  const Value x = place("x", largest);
  const Value y = place("y", largest);
  const Value by_series =
      Value::object({{"field", "series"}, {"type", "nominal"}, {"legend", Value::object({{"title", Value()}})}});
  const Value tips = Value::list({tooltip("series", "series"), tooltip("source", "source"),
                                  tooltip("degrees", "degrees", 0), tooltip("radius", what, 4)});
  Value::List layers;
  layers.push_back(
      only_where(layer(Value::object({{"type", "line"}, {"strokeWidth", 1}, {"color", "var(--grid)"}}),
                       Value::object({{"x", x},
                                      {"y", y},
                                      {"order", order},
                                      {"detail", Value::object({{"field", "circle"}, {"type", "nominal"}})}})),
                 "datum.source === 'circle'"));
  layers.push_back(only_where(layer(Value::object({{"type", "line"}, {"strokeWidth", 2}}),
                                    Value::object({{"x", x}, {"y", y}, {"order", order}, {"color", by_series}})),
                              "datum.source === 'measured'"));
  layers.push_back(only_where(
      layer(Value::object({{"type", "point"}, {"filled", false}, {"size", 45}, {"strokeWidth", 1.5}, {"opacity", 1}}),
            Value::object(
                {{"x", x}, {"y", y}, {"color", by_series}, {"shape", open_diamond("expected")}, {"tooltip", tips}})),
      "datum.source === 'expected'"));
  Value drawing = spec(std::move(rows), polar_height, std::move(layers));
  drawing.set("width", polar_height);  // a circle is to be round
  return {std::move(text.title), std::move(text.caption), std::move(drawing), polar_table(curves, what)};
}

}  // namespace motet
