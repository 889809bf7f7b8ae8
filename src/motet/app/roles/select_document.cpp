#include "motet/app/roles/select_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/report/line_plot.h"

namespace motet::roles {
namespace {

struct CriterionColumn {
  const char* key;
  double SelectionRow::*value;
  double SelectionRow::*error;  // null: it has none
  Criterion criterion;
};

constexpr CriterionColumn criterion_columns[] = {
    {"held_out_log_likelihood", &SelectionRow::held_out, &SelectionRow::held_out_se, Criterion::held_out},
    {"generalization_error", &SelectionRow::generalization, &SelectionRow::generalization_se,
     Criterion::generalization},
    {"stability", &SelectionRow::stability, &SelectionRow::stability_se, Criterion::stability},
    {"capacity_bits", &SelectionRow::capacity, &SelectionRow::capacity_se, Criterion::capacity},
    {"bic", &SelectionRow::bic, nullptr, Criterion::bic},
    {"description_length", &SelectionRow::description_length, nullptr, Criterion::description_length},
};

std::string key_of(Criterion criterion) {
  for (const CriterionColumn& column : criterion_columns) {
    if (column.criterion == criterion) return column.key;
  }
  return {};
}

// "capacity_bits" as words.
std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

constexpr std::string_view error_suffix = "_standard_error";

// Criteria with one price for all users have none.
bool has_error_column(const RoleSelection& selection, std::size_t criterion) {
  return std::any_of(selection.rows.begin(), selection.rows.end(),
                     [&](const RoleSelectionRow& row) { return !std::isnan(row.standard_error[criterion]); });
}

Listing row_listing(const RoleSelection& selection) {
  Listing listing{{{"roles", "roles"}}};
  for (std::size_t c = 0; c < selection.criteria.size(); ++c) {
    const std::string& criterion = selection.criteria[c];
    listing.columns.push_back({words_of(criterion), criterion});
    // A column without a value is for machines only.
    listing.columns.push_back({has_error_column(selection, c) ? "+-" : "", criterion + std::string(error_suffix)});
  }
  listing.columns.push_back({"chosen"});
  for (const RoleSelectionRow& row : selection.rows) {
    std::vector<Value>& values = listing.rows.emplace_back();
    values = {row.roles};
    for (std::size_t c = 0; c < selection.criteria.size(); ++c) {
      values.emplace_back(row.value[c]);
      values.emplace_back(row.standard_error[c]);
    }
    values.emplace_back(row.roles == selection.chosen ? "yes" : "");
  }
  return listing;
}

bool is_hidden(const RoleSelection& selection, const std::string& key) {
  for (std::size_t c = 0; c < selection.criteria.size(); ++c) {
    if (key == selection.criteria[c] + std::string(error_suffix)) return !has_error_column(selection, c);
  }
  return false;
}

// Empty cells of one criterion and one reason in one line: "capacity bits is empty for 4 to 6 roles: ...".
std::vector<std::string> empty_lines(const RoleSelection& selection) {
  struct Group {
    std::string criterion, reason;
    std::size_t first, last;
  };
  std::vector<Group> groups;
  for (const EmptyCell& cell : selection.empty) {
    if (is_hidden(selection, cell.criterion)) continue;
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.criterion == cell.criterion && group.reason == cell.reason && group.last + 1 == cell.roles;
    });
    if (found == groups.end()) {
      groups.push_back({cell.criterion, cell.reason, cell.roles, cell.roles});
    } else {
      found->last = cell.roles;
    }
  }
  std::vector<std::string> lines;
  for (const Group& group : groups) {
    const std::string roles =
        group.first == group.last ? fmt::format("{}", group.first) : fmt::format("{} to {}", group.first, group.last);
    lines.push_back(fmt::format("{} is empty for {} role{}: {}", words_of(group.criterion), roles,
                                roles == "1" ? "" : "s", group.reason));
  }
  return lines;
}

Value empty_json(const RoleSelection& selection) {
  Value::List list;
  for (const EmptyCell& cell : selection.empty) {
    list.push_back(Value::object({{"roles", cell.roles}, {"criterion", cell.criterion}, {"reason", cell.reason}}));
  }
  return list;
}

// A standard error is empty where there is but one value.
std::vector<EmptyCell> empty_errors(const RoleSelection& selection) {
  std::vector<EmptyCell> cells;
  for (const RoleSelectionRow& row : selection.rows) {
    for (std::size_t c = 0; c < selection.criteria.size(); ++c) {
      if (std::isnan(row.value[c]) || !std::isnan(row.standard_error[c])) continue;
      cells.push_back(
          {row.roles, selection.criteria[c] + std::string(error_suffix), "there is one value, of all users"});
    }
  }
  return cells;
}

Series criterion_series(const RoleSelection& selection, std::size_t criterion) {
  Series series;
  series.name = words_of(selection.criteria[criterion]);
  for (const RoleSelectionRow& row : selection.rows) {
    const double value = row.value[criterion];
    if (std::isnan(value)) continue;
    const double error = std::isnan(row.standard_error[criterion]) ? 0.0 : row.standard_error[criterion];
    series.x.push_back(static_cast<double>(row.roles));
    series.y.push_back(value);
    series.low.push_back(value - error);
    series.high.push_back(value + error);
  }
  return series;
}

Plot criterion_plot(const RoleSelection& selection, std::size_t criterion, Series series) {
  const std::string words = series.name;
  const bool decided = selection.criteria[criterion] == selection.criterion;
  return line_plot({capitalized(words + " by number of roles"),
                    fmt::format("The band is one standard error.{}",
                                decided ? fmt::format(" This decided for {} roles.", selection.chosen) : "")},
                   {{std::move(series)}, "roles", words});
}

}  // namespace

RoleSelection told_selection(const Selection& selection, Criterion criterion, RoleRange range,
                             const std::string& source) {
  RoleSelection told;
  told.source = source;
  for (const SelectionRow& row : selection.rows) told.rows.push_back({row.roles, {}, {}});
  for (const CriterionColumn& column : criterion_columns) {
    if (column.criterion == criterion) told.criterion = column.key;
    const bool is_measured = std::any_of(selection.rows.begin(), selection.rows.end(),
                                         [&](const SelectionRow& row) { return !std::isnan(row.*column.value); });
    if (!is_measured) continue;
    told.criteria.emplace_back(column.key);
    for (std::size_t i = 0; i < told.rows.size(); ++i) {
      const SelectionRow& row = selection.rows[i];
      told.rows[i].value.push_back(row.*column.value);
      told.rows[i].standard_error.push_back(column.error == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                                                    : row.*column.error);
    }
  }
  const std::optional<std::size_t> chosen = selection.by(criterion);
  if (!chosen) {
    fail(ErrorKind::unanswerable,
         fmt::format("--roles {}..{}: nothing in the data asks for so many roles; ask for fewer", range.low,
                     range.high));
  }
  told.chosen = *chosen;
  switch (criterion) {
    case Criterion::bic: told.reason = "It has the smallest BIC."; break;
    case Criterion::description_length:
      told.reason = "The data take the fewest nats to describe by so many roles.";
      break;
    default: told.reason = "It is the smallest number that is within one standard error of the best.";
  }
  for (const EmptyScore& empty : selection.empty) {
    told.empty.push_back({empty.roles, key_of(empty.criterion), empty.reason});
  }
  for (EmptyCell& cell : empty_errors(told)) told.empty.push_back(std::move(cell));
  if (range.low < range.high && *chosen == range.high) {
    told.warnings.push_back(
        fmt::format("the largest number of the range was chosen: more than {} may be better", range.high));
  }
  if (range.low > 1 && *chosen == range.low) {
    told.warnings.push_back(
        fmt::format("the smallest number of the range was chosen: fewer than {} may do", range.low));
  }
  return told;
}

Document roles_select_document(const RoleSelection& selection) {
  const Listing rows = row_listing(selection);
  Document document{{"How many roles?", selection.source, {}, {}}, {}, {}};
  const std::string chosen = fmt::format("{} roles by {}", selection.chosen, words_of(selection.criterion));
  document.text = chosen + "\n";
  if (!selection.reason.empty()) document.text += one_line(selection.reason) + "\n";
  document.show(rows.table());
  const std::vector<std::string> empty = empty_lines(selection);
  for (const std::string& line : empty) document.text += one_line(line) + "\n";
  document.text += warning_lines(selection.warnings);
  document.json = Value::object({{"criterion", selection.criterion},
                                 {"chosen", selection.chosen},
                                 {"reason", selection.reason},
                                 {"rows", rows.json()},
                                 {"empty", empty_json(selection)},
                                 {"warnings", Value::list_of(selection.warnings)}});
  document.facts = {{"roles chosen", std::to_string(selection.chosen)}, {"criterion", words_of(selection.criterion)}};
  Section& section = document.section("The criteria", chosen + ". " + selection.reason);
  section.notes = selection.warnings;
  section.notes.insert(section.notes.end(), empty.begin(), empty.end());
  for (std::size_t c = 0; selection.rows.size() > 1 && c < selection.criteria.size(); ++c) {
    Series series = criterion_series(selection, c);
    if (!series.x.empty()) section.plots.push_back(criterion_plot(selection, c, std::move(series)));
  }
  section.tables.push_back({"All numbers of roles tried", rows.table()});
  return document;
}

}  // namespace motet::roles
