#include "motet/report/document.h"

#include <fmt/format.h>

#include "motet/report/interval_text.h"
#include "motet/report/line_plot.h"

namespace motet {
namespace {

Cell cell_of(const Value& value, int digits) {
  if (value.is_whole()) return value.as_whole();
  if (value.is_number()) return value.as_number();
  if (value.is_list()) return interval_text({value.as_list()[0].as_number(), value.as_list()[1].as_number()}, digits);
  return value.is_text() ? value.as_text() : std::string();
}

}  // namespace

Table Listing::table() const {
  Table table;
  for (const ListingColumn& column : columns) {
    if (!column.heading.empty()) table.columns.push_back({column.heading, column.digits});
  }
  for (const std::vector<Value>& row : rows) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!columns[c].heading.empty()) cells.push_back(cell_of(row[c], columns[c].digits));
    }
  }
  return table;
}

Value Listing::json() const {
  Value::List list;
  for (const std::vector<Value>& row : rows) {
    Value::Object object;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (columns[c].key.empty() || (columns[c].optional && row[c].is_null())) continue;
      object.emplace_back(columns[c].key, row[c]);
    }
    list.emplace_back(std::move(object));
  }
  return list;
}

Section& Document::section(std::string heading, std::string lead) {
  Section& section = sections.emplace_back();
  section.title = std::move(heading);
  section.lead = std::move(lead);
  return section;
}

void Document::show(const Table& table, const TextTableOptions& options) { text += "\n" + to_text(table, options); }

void Document::append(const Document& part) {
  sections.insert(sections.end(), part.sections.begin(), part.sections.end());
}

void Document::warn_first(const std::vector<std::string>& warnings) {
  if (!warnings.empty()) section("What to know first").notes = warnings;
}

NamedTable options_table(std::string title, const WhatAndValue& options) {
  Listing listing{{{"option"}, {"value"}}};
  for (const auto& [what, value] : options) listing.rows.push_back({what, value});
  return {std::move(title), listing.table()};
}

std::vector<Plot> trace_plot(std::string title, std::string caption, std::string y_title,
                             const std::vector<double>& objective, std::size_t most_points) {
  if (objective.size() < 2) return {};
  Series series{"objective", {}, objective, {}, {}};
  for (std::size_t i = 0; i < objective.size(); ++i) series.x.push_back(static_cast<double>(i + 1));
  Lines lines{{std::move(series)}, "iteration", std::move(y_title)};
  lines.has_points = objective.size() <= most_points;
  return {line_plot({std::move(title), std::move(caption)}, lines)};
}

void add(Bars& bars, std::string name, double value, double error) {
  bars.names.push_back(std::move(name));
  bars.values.push_back(value);
  bars.low.push_back(value - error);
  bars.high.push_back(value + error);
}

void add(Intervals& intervals, std::string name, double value, const Interval& interval) {
  intervals.names.push_back(std::move(name));
  intervals.value.push_back(value);
  intervals.low.push_back(interval.low);
  intervals.high.push_back(interval.high);
}

std::string plus_minus(double value, double error) { return fmt::format("{:.3f} ± {:.3f}", value, error); }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string capitalized(std::string sentence) {
  if (!sentence.empty() && sentence.front() >= 'a' && sentence.front() <= 'z') sentence.front() += 'A' - 'a';
  return sentence;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace motet
