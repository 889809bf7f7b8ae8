#include "motet/report/box_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "motet/base/quantile.h"
#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr double whisker_reach = 1.5;  // lengths of the box

struct BoxShape {
  std::array<double, 5> quartiles{};
  double low = 0.0;  // ends of the whiskers
  double high = 0.0;
  std::vector<double> beyond;  // rising
};

std::vector<double> drawable(const std::vector<double>& values, bool log_values) {
  std::vector<double> kept;
  for (const double value : values) {
    if (std::isfinite(value) && (!log_values || value > 0.0)) kept.push_back(value);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

// `sorted`: one value or more.
BoxShape shape_of(const std::vector<double>& sorted) {
  BoxShape shape;
  shape.quartiles = quartiles_of(sorted);
  const double reach = whisker_reach * (shape.quartiles[3] - shape.quartiles[1]);
  shape.low = shape.quartiles[1];
  shape.high = shape.quartiles[3];
  for (const double value : sorted) {
    if (value < shape.quartiles[1] - reach || value > shape.quartiles[3] + reach) {
      shape.beyond.push_back(value);
    } else {
      shape.low = std::min(shape.low, value);
      shape.high = std::max(shape.high, value);
    }
  }
  return shape;
}

Value row_of(const Box& box, std::string_view part) {
  Value row = Value::object({{"part", part}, {"name", box.name}});
  if (!box.group.empty()) row.set("group", box.group);
  return row;
}

void append_box(const Box& box, const BoxShape& shape, Value::List& rows) {
  Value row = row_of(box, "box");
  row.set("low", shape.low);
  row.set("first", shape.quartiles[1]);
  row.set("median", shape.quartiles[2]);
  row.set("third", shape.quartiles[3]);
  row.set("high", shape.high);
  rows.push_back(std::move(row));
  for (const double value : shape.beyond) {
    Value circle = row_of(box, "beyond");
    circle.set("value", value);
    rows.push_back(std::move(circle));
  }
}

Table box_table_of(const Boxes& data, bool has_groups) {
  const int digits = data.digits;
  Table table{{{data.name_title}}, {}};
  if (has_groups) table.columns.push_back({"group"});
  for (const char* column : {"least", "25 %", "median", "75 %", "most"}) table.columns.push_back({column, digits});
  table.columns.insert(table.columns.begin() + (has_groups ? 2 : 1), {"values", 0});
  for (const Box& box : data.boxes) {
    const std::vector<double> kept = drawable(box.values, false);
    std::vector<Cell> row{box.name};
    if (has_groups) row.emplace_back(box.group);
    row.emplace_back(static_cast<std::int64_t>(kept.size()));
    for (const double quartile : quartiles_of(kept)) row.emplace_back(kept.empty() ? std::nan("") : quartile);
    table.rows.push_back(std::move(row));
  }
  return table;
}

class BoxLayers {
 public:
  BoxLayers(const Boxes& data, std::size_t names, bool has_groups) : data_(data), has_groups_(has_groups) {
    y_ = names_down(names, "");
    y_.set("scale", Value::object({{"paddingInner", 0.3}}));
    tips_ = {tooltip("name", data.name_title)};
    if (has_groups) tips_.push_back(tooltip("group", "group"));
  }

  Value::List all() const {
    Value::List box_tips = tips_;
    for (const auto& [field, title] : {std::pair{"median", "median"}, {"first", "25 %"}, {"third", "75 %"}}) {
      box_tips.push_back(tooltip(field, title, data_.digits));
    }
    Value::List beyond_tips = tips_;
    beyond_tips.push_back(tooltip("value", data_.value_title, data_.digits));
    const Value ink = Value("var(--ink)");
    return {from_to("box", Value::object({{"type", "rule"}, {"color", ink}}), "low", "high", box_tips, false),
            from_to("box", Value::object({{"type", "bar"}, {"opacity", 0.75}}), "first", "third", box_tips, true),
            from_to("box", Value::object({{"type", "tick"}, {"color", ink}, {"thickness", 2}}), "median", "", box_tips,
                    false),
            from_to("beyond", Value::object({{"type", "point"}, {"filled", false}, {"color", ink}, {"size", 18}}),
                    "value", "", beyond_tips, false)};
  }

 private:
  Value from_to(std::string_view part, Value mark, std::string_view from, std::string_view to, const Value::List& tips,
                bool has_color) const {
    Value x = numbers(from, data_.value_title);
    x.set("scale", data_.log_values ? Value::object({{"type", "log"}}) : Value::object({{"zero", false}}));
    Value encoding = Value::object({{"y", y_}, {"x", std::move(x)}, {"tooltip", Value(tips)}});
    if (!to.empty()) encoding.set("x2", Value::object({{"field", to}}));
    if (has_groups_) {
      const Value group = Value::object({{"field", "group"}, {"type", "nominal"}, {"sort", Value()}});
      encoding.set("yOffset", group);
      if (has_color) {
        Value color = group;
        color.set("legend", Value::object({{"title", Value()}}));
        encoding.set("color", std::move(color));
      }
    }
    return only_where(layer(std::move(mark), std::move(encoding)), "datum.part === '" + std::string(part) + "'");
  }

  const Boxes& data_;
  bool has_groups_;
  Value y_;
  Value::List tips_;
};

}  // namespace

Plot box_plot(PlotText text, const Boxes& data) {
  const auto grouped = static_cast<std::size_t>(
      std::count_if(data.boxes.begin(), data.boxes.end(), [](const Box& box) { return !box.group.empty(); }));
  if (grouped > 0) require_length("box_plot: groups", grouped, data.boxes.size());
  Value::List rows;
  std::set<std::string> names;
  for (const Box& box : data.boxes) {
    names.insert(box.name);
    const std::vector<double> kept = drawable(box.values, data.log_values);
    if (!kept.empty()) append_box(box, shape_of(kept), rows);
  }
  const double boxes_a_name =
      static_cast<double>(data.boxes.size()) / static_cast<double>(std::max<std::size_t>(names.size(), 1));
  const double height = height_for(names.size()) * std::clamp(0.8 * boxes_a_name, 1.0, 5.0);
  return {std::move(text.title), std::move(text.caption),
          spec(std::move(rows), height, BoxLayers(data, names.size(), grouped > 0).all()),
          box_table_of(data, grouped > 0)};
}

}  // namespace motet
