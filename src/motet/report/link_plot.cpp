#include "motet/report/link_plot.h"

#include <algorithm>
#include <functional>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr double last_label_room = 2.0;  // right of the last step, in steps
constexpr double row_room = 0.5;         // above and below, in rows

struct Place {
  std::size_t step = 0;  // from the left
  std::size_t row = 0;
  bool is_there = false;
};

std::vector<std::size_t> count_above(const Links& data) {
  std::vector<std::size_t> above(data.names.size(), 0);
  for (const auto& links : data.below) {
    for (const std::uint32_t i : links) ++above[i];
  }
  return above;
}

// Right of all names above it: a name is settled when the last of those is.
void settle_steps(const Links& data, std::vector<Place>& places) {
  std::vector<std::size_t> open = count_above(data);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < open.size(); ++i) {
    if (open[i] == 0) ready.push_back(i);
  }
  for (std::size_t next = 0; next < ready.size(); ++next) {
    for (const std::uint32_t i : data.below[ready[next]]) {
      places[i].step = std::max(places[i].step, places[ready[next]].step + 1);
      if (--open[i] == 0) ready.push_back(i);
    }
  }
}

std::vector<Place> places_of(const Links& data) {
  std::vector<Place> places(data.names.size());
  settle_steps(data, places);
  const std::vector<std::size_t> above = count_above(data);
  std::size_t row = 0;
  const std::function<void(std::uint32_t)> put = [&](std::uint32_t i) {
    if (places[i].is_there) return;
    places[i].is_there = true;
    places[i].row = row++;
    for (const std::uint32_t below : data.below[i]) put(below);
  };
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    if (above[i] == 0 && !data.below[i].empty()) put(i);
  }
  return places;
}

// A place on a scale without an axis.
Value place_of(const char* field, double low, double high) {
  Value place = numbers(field, "");
  place.set("axis", Value());
  place.set("scale", Value::object({{"domain", Value::list({low, high})}, {"nice", false}, {"zero", false}}));
  return place;
}

}  // namespace

Plot link_plot(PlotText text, const Links& data) {
  require_length("link_plot: below", data.below.size(), data.names.size());
  const std::vector<Place> places = places_of(data);
  Value::List rows;
  Table table{{{data.above_title}, {data.below_title}}, {}};
  std::size_t row_count = 0;
  std::size_t last_step = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].is_there) continue;
    ++row_count;
    last_step = std::max(last_step, places[i].step);
    rows.push_back(Value::object({{"name", data.names[i]}, {"x", places[i].step}, {"y", places[i].row}}));
    for (const std::uint32_t below : data.below[i]) {
      rows.push_back(Value::object(
          {{"x", places[i].step}, {"y", places[i].row}, {"x2", places[below].step}, {"y2", places[below].row}}));
      table.rows.push_back({data.names[i], data.names[below]});
    }
  }
  Value x = place_of("x", 0.0, static_cast<double>(last_step) + last_label_room);
  Value y = place_of("y", static_cast<double>(row_count) - row_room, -row_room);
  Value line = layer(
      Value::object({{"type", "rule"}, {"color", "var(--grid)"}, {"strokeWidth", 1.5}}),
      Value::object(
          {{"x", x}, {"y", y}, {"x2", Value::object({{"field", "x2"}})}, {"y2", Value::object({{"field", "y2"}})}}));
  Value name =
      layer(Value::object({{"type", "text"}, {"align", "left"}, {"dx", 6}, {"color", "var(--ink)"}, {"fontSize", 12}}),
            Value::object({{"x", x}, {"y", y}, {"text", tooltip("name", "")}}));
  Value dot = layer(Value::object({{"type", "point"}, {"filled", true}, {"size", 40}, {"color", "var(--series-1)"}}),
                    Value::object({{"x", x}, {"y", y}}));
  Value drawn =
      spec(std::move(rows), height_for(row_count),
           {only_where(std::move(line), "isValid(datum.x2)"), only_where(std::move(dot), "isValid(datum.name)"),
            only_where(std::move(name), "isValid(datum.name)")});
  return {std::move(text.title), std::move(text.caption), std::move(drawn), std::move(table)};
}

}  // namespace motet
