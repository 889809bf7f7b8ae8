#include "motet/report/roles_select_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/plots.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

// "capacity_bits" as words.
std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

Plot criterion_plot(const RoleSelection& selection, std::size_t criterion) {
  Lines lines;
  lines.x_title = "roles";
  lines.y_title = words_of(selection.criteria[criterion]);
  Series series;
  series.name = lines.y_title;
  for (const RoleSelectionRow& row : selection.rows) {
    const double value = row.value[criterion];
    if (std::isnan(value)) continue;
    const double error = std::isnan(row.standard_error[criterion]) ? 0.0 : row.standard_error[criterion];
    series.x.push_back(static_cast<double>(row.roles));
    series.y.push_back(value);
    series.low.push_back(value - error);
    series.high.push_back(value + error);
  }
  lines.series = {std::move(series)};
  const bool decided = selection.criteria[criterion] == selection.criterion;
  std::string title = lines.y_title + " by number of roles";
  if (title.front() >= 'a' && title.front() <= 'z') title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return line_plot(
      {std::move(title), fmt::format("The band is one standard error.{}",
                                     decided ? fmt::format(" This decided for {} roles.", selection.chosen) : "")},
      lines);
}

}  // namespace

Table selection_table(const RoleSelection& selection) {
  Table table{{{"roles"}}, {}};
  for (const std::string& criterion : selection.criteria) {
    table.columns.push_back({words_of(criterion)});
    table.columns.push_back({"+-"});
  }
  table.columns.push_back({"chosen"});
  for (const RoleSelectionRow& row : selection.rows) {
    std::vector<Cell> cells = {static_cast<std::int64_t>(row.roles)};
    for (std::size_t c = 0; c < selection.criteria.size(); ++c) {
      cells.emplace_back(row.value[c]);
      cells.emplace_back(row.standard_error[c]);
    }
    cells.emplace_back(std::string(row.roles == selection.chosen ? "yes" : ""));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Section selection_section(const RoleSelection& selection) {
  Section section;
  section.title = "How many roles?";
  section.lead = fmt::format("{} roles by {}. {}", selection.chosen, words_of(selection.criterion), selection.reason);
  section.notes = selection.warnings;
  if (selection.rows.size() > 1) {
    for (std::size_t c = 0; c < selection.criteria.size(); ++c) {
      const bool is_measured = std::any_of(selection.rows.begin(), selection.rows.end(),
                                           [&](const RoleSelectionRow& row) { return !std::isnan(row.value[c]); });
      if (is_measured) section.plots.push_back(criterion_plot(selection, c));
    }
  }
  section.tables.push_back({"All numbers of roles tried", selection_table(selection)});
  return section;
}

std::string select_text(const RoleSelection& selection) {
  std::string text = fmt::format("{} roles by {}\n", selection.chosen, words_of(selection.criterion));
  if (!selection.reason.empty()) text += one_line(selection.reason) + "\n";
  return text + "\n" + to_text(selection_table(selection)) + warning_lines(selection.warnings);
}

Value selection_rows_value(const RoleSelection& selection) {
  Value::List rows;
  for (const RoleSelectionRow& row : selection.rows) {
    Value value = Value::object({{"roles", row.roles}});
    for (std::size_t c = 0; c < selection.criteria.size(); ++c) {
      value.set(selection.criteria[c], row.value[c]);
      value.set(selection.criteria[c] + "_standard_error", row.standard_error[c]);
    }
    rows.push_back(std::move(value));
  }
  return rows;
}

Value select_json(const RoleSelection& selection) {
  return Value::object({{"criterion", selection.criterion},
                        {"chosen", selection.chosen},
                        {"reason", selection.reason},
                        {"rows", selection_rows_value(selection)},
                        {"warnings", Value::list_of(selection.warnings)}});
}

Page select_page(const RoleSelection& selection) {
  Page page;
  page.title = "How many roles?";
  page.subtitle = selection.source;
  page.facts = {{"roles chosen", std::to_string(selection.chosen)}, {"criterion", words_of(selection.criterion)}};
  page.sections.push_back(selection_section(selection));
  page.sections.back().title = "The criteria";
  return page;
}

}  // namespace motet
