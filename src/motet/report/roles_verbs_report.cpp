#include "motet/report/roles_verbs_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/plots.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_named = 5;  // permissions in a sentence

Table member_table(const AssignReport& report) {
  Table table{{{"role"}, {"members"}}, {}};
  for (const auto& [name, members] : report.roles) table.rows.push_back({name, static_cast<std::int64_t>(members)});
  return table;
}

std::vector<std::string> assign_warnings(const AssignReport& report) {
  std::vector<std::string> warnings;
  const std::size_t unknown = report.unknown_permissions.size();
  if (unknown > 0) {
    std::string names;
    for (std::size_t i = 0; i < std::min(unknown, most_named); ++i) {
      names += (i > 0 ? ", " : "") + shortened(report.unknown_permissions[i], 40);
    }
    if (unknown > most_named) names += ", ...";
    warnings.push_back(fmt::format("{} permission{} the model does not know {} left out: {}", unknown,
                                   unknown == 1 ? "" : "s", unknown == 1 ? "was" : "were", names));
  }
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  return warnings;
}

std::string share_text(std::size_t part, std::size_t whole) {
  return whole == 0 ? "0 %" : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Table error_table(const EvaluateReport& report) {
  Table table{{{"prediction"}, {"error"}, {"+-"}}, {}};
  const auto add = [&](const std::string& name, const ErrorRate& rate) {
    table.rows.push_back({name, rate.value, rate.standard_error});
  };
  add("roles, by posterior", report.posterior);
  add("roles, nearest set", report.literal);
  for (const auto& [name, rate] : report.references) add(name, rate);
  return table;
}

// A simple rule that predicts better is worth knowing.
std::string reference_sentence(const EvaluateReport& report) {
  const std::pair<std::string, ErrorRate>* best = nullptr;
  for (const auto& reference : report.references) {
    if (best == nullptr || reference.second.value < best->second.value) best = &reference;
  }
  if (best == nullptr) return "";
  const double error = std::isnan(report.posterior.standard_error) ? 0.0 : report.posterior.standard_error;
  if (best->second.value > report.posterior.value + error) {
    return fmt::format("The roles predict better than every simple reference; the best of those is '{}'.", best->first);
  }
  return fmt::format("The simple reference '{}' predicts as well as or better than the roles.", best->first);
}

Value rate_value(const ErrorRate& rate) {
  return Value::object({{"error", rate.value}, {"standard_error", rate.standard_error}});
}

}  // namespace

std::string assign_text(const AssignReport& report) {
  std::string text =
      fmt::format("{} users, {} with a role ({}); mean probability of the most probable set {:.3f}\n", report.users,
                  report.users_with_role, share_text(report.users_with_role, report.users), report.confidence);
  text += fmt::format("exceptions: {} extra, {} missing\n\n", report.extra, report.missing);
  return text + to_text(member_table(report)) + warning_lines(assign_warnings(report));
}

Value assign_json(const AssignReport& report) {
  Value::List roles;
  for (const auto& [name, members] : report.roles) {
    roles.push_back(Value::object({{"name", name}, {"members", members}}));
  }
  return Value::object({{"users", report.users},
                        {"users_with_role", report.users_with_role},
                        {"confidence", report.confidence},
                        {"roles", std::move(roles)},
                        {"unknown_permissions", Value::list_of(report.unknown_permissions)},
                        {"absent_permissions", report.absent_permissions},
                        {"exceptions", Value::object({{"extra", report.extra}, {"missing", report.missing}})},
                        {"warnings", Value::list_of(assign_warnings(report))}});
}

Page assign_page(const AssignReport& report) {
  Page page;
  page.title = "Users and their roles";
  page.subtitle = report.source;
  page.facts = {{"users", std::to_string(report.users)},
                {"with a role", share_text(report.users_with_role, report.users)},
                {"mean probability", fmt::format("{:.3f}", report.confidence)},
                {"unknown permissions", std::to_string(report.unknown_permissions.size())},
                {"extra", std::to_string(report.extra)},
                {"missing", std::to_string(report.missing)}};
  Section section;
  section.title = "Members of each role";
  section.notes = assign_warnings(report);
  section.tables.push_back({"Members", member_table(report)});
  page.sections.push_back(std::move(section));
  return page;
}

std::string evaluate_text(const EvaluateReport& report) {
  const std::string error =
      std::isnan(report.posterior.standard_error) ? "" : fmt::format(" +- {:.4f}", report.posterior.standard_error);
  std::string text = fmt::format(
      "generalization error {:.4f}{}: share of the hidden permissions predicted wrongly\n"
      "{} users, {} roles, {:g} % of the permissions shown, {} repeat{}\n\n",
      report.posterior.value, error, report.users, report.roles, 100.0 * report.reveal, report.repeats,
      report.repeats == 1 ? "" : "s");
  text += to_text(error_table(report));
  const std::string sentence = reference_sentence(report);
  if (!sentence.empty()) text += sentence + "\n";
  return text + warning_lines(report.warnings);
}

Value evaluate_json(const EvaluateReport& report) {
  Value references = Value(Value::Object{});
  for (const auto& [name, rate] : report.references) references.set(name, rate_value(rate));
  return Value::object({{"generalization_error", report.posterior.value},
                        {"standard_error", report.posterior.standard_error},
                        {"reveal", report.reveal},
                        {"repeats", report.repeats},
                        {"literal", Value::object({{"generalization_error", report.literal.value},
                                                   {"standard_error", report.literal.standard_error}})},
                        {"references", std::move(references)},
                        {"users", report.users},
                        {"roles", report.roles},
                        {"warnings", Value::list_of(report.warnings)}});
}

Page evaluate_page(const EvaluateReport& report) {
  Page page;
  page.title = "How well do the roles predict?";
  page.subtitle = report.source;
  page.facts = {{"generalization error", fmt::format("{:.4f}", report.posterior.value)},
                {"users", std::to_string(report.users)},
                {"roles", std::to_string(report.roles)},
                {"permissions shown", fmt::format("{:g} %", 100.0 * report.reveal)},
                {"repeats", std::to_string(report.repeats)}};
  Bars bars;
  bars.name_title = "prediction";
  bars.value_title = "share of hidden permissions predicted wrongly";
  for (const std::vector<Cell>& row : error_table(report).rows) {
    const double value = std::get<double>(row[1]);
    const double error = std::isnan(std::get<double>(row[2])) ? 0.0 : std::get<double>(row[2]);
    bars.names.push_back(std::get<std::string>(row[0]));
    bars.values.push_back(value);
    bars.low.push_back(std::max(0.0, value - error));
    bars.high.push_back(value + error);
  }
  Section section;
  section.title = "Against simple references";
  section.lead =
      "A part of each user's permissions is shown to the model, which then predicts the rest; smaller is better. " +
      reference_sentence(report);
  section.notes = report.warnings;
  section.plots.push_back(
      bar_plot({"Errors", "Share of the hidden permissions predicted wrongly, with one standard error."}, bars));
  page.sections.push_back(std::move(section));
  return page;
}

}  // namespace motet
