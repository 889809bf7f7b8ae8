#include "motet/report/plot_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr std::size_t most_axis_labels = 120;
constexpr double tallest = 1800.0;

}  // namespace

void require_length(std::string_view what, std::size_t found, std::size_t needed) {
  if (found != needed) {
    fail(ErrorKind::internal, fmt::format("{} has {} entries; {} are needed", what, found, needed));
  }
}

Value number_or_null(double value) { return std::isfinite(value) ? Value(value) : Value(); }

Value numbers(std::string_view name, std::string_view title) {
  return Value::object({{"field", name}, {"type", "quantitative"}, {"title", title}});
}

Value names_down(std::size_t count, std::string_view title) {
  Value axis = Value::object({{"grid", false}, {"domain", false}, {"ticks", false}});
  if (count > most_axis_labels) axis.set("labels", false);
  return Value::object({{"field", "name"},
                        {"type", "nominal"},
                        {"sort", Value()},
                        {"title", title.empty() ? Value() : Value(title)},
                        {"axis", std::move(axis)}});
}

double height_for(std::size_t count) {
  const auto rows = static_cast<double>(std::max<std::size_t>(count, 1));
  const double row_height = rows <= 40.0 ? 24.0 : 15.0;
  return std::clamp(rows * row_height, 48.0, tallest);
}

Value tooltip(std::string_view field, std::string_view title) {
  return Value::object({{"field", field}, {"type", "nominal"}, {"title", title}});
}

Value tooltip(std::string_view field, std::string_view title, int digits) {
  return Value::object(
      {{"field", field}, {"type", "quantitative"}, {"title", title}, {"format", fmt::format(".{}f", digits)}});
}

Value open_diamond(std::string_view name) {
  return Value::object(
      {{"datum", name},
       {"type", "nominal"},
       {"scale", Value::object({{"domain", Value::list({name})}, {"range", Value::list({"diamond"})}})},
       {"legend", Value::object({{"title", Value()}})}});
}

Value layer(Value mark, Value encoding) {
  return Value::object({{"mark", std::move(mark)}, {"encoding", std::move(encoding)}});
}

Value only_where(Value layer, std::string condition) {
  layer.set("transform", Value::list({Value::object({{"filter", std::move(condition)}})}));
  return layer;
}

Value spec(Value::List rows, double height, Value::List layers) {
  return Value::object({{"width", "container"},
                        {"height", height},
                        {"data", Value::object({{"values", std::move(rows)}})},
                        {"layer", std::move(layers)}});
}

}  // namespace motet
