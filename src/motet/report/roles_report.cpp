#include "motet/report/roles_report.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/report/interval_text.h"
#include "motet/report/roles_parts.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

using roles_parts::all_warnings;
using roles_parts::exception_count;
using roles_parts::ExceptionCount;

constexpr std::size_t widest_telling = 70;  // of a cell with the names of three permissions

Value role_value(const RoleFit& fit, std::size_t k) {
  const RoleModel& model = fit.model;
  Value::List permissions;
  for (std::size_t d = 0; d < model.permission_count(); ++d) {
    if (model.has(k, d)) permissions.emplace_back(model.permissions[d]);
  }
  const RoleEstimate& role = fit.roles[k];
  return Value::object({{"name", model.roles[k]},
                        {"permissions", std::move(permissions)},
                        {"members", role.members},
                        {"expected_members", role.expected},
                        {"confidence", role.members == 0 ? std::nan("") : role.confidence},
                        {"frozen", k < model.frozen.size() && model.frozen[k] != 0}});
}

Value noise_value(const RoleFit& fit) {
  return Value::object({{"fraction", noise_fraction(fit.model)},
                        {"fraction_interval", interval_value(fit.noise_fraction)},
                        {"set_probability", set_probability(fit.model)},
                        {"set_probability_interval", interval_value(fit.set_probability)},
                        {"scope", name_of(fit.model.scope)},
                        {"model", name_of(fit.model.noise)}});
}

Value starts_value(const RoleFit& fit) {
  Value::List starts;
  for (const StartTrial& start : fit.starts) {
    starts.push_back(Value::object({{"name", start.name},
                                    {"rounded", start.rounded},
                                    {"held_out", start.held_out},
                                    {"objective", start.objective}}));
  }
  return starts;
}

Value comparison_value(const std::vector<ComparisonRow>& rows) {
  Value::List list;
  for (const ComparisonRow& row : rows) {
    list.push_back(Value::object({{"method", row.method},
                                  {"roles", row.roles},
                                  {"training_error", row.training_error},
                                  {"coverage", row.coverage},
                                  {"mean_overlap", row.mean_overlap},
                                  {"generalization_error", row.generalization_error},
                                  {"standard_error", row.standard_error}}));
  }
  return list;
}

Value changes_value(const RolesReport& report) {
  const RoleChanges& changes = *report.changes;
  const std::vector<std::string>& names = report.fit.model.roles;
  Value::List stayed;
  Value::List changed;
  Value::List appeared;
  for (const MatchedRole& role : changes.matched) {
    if (role.is_same()) {
      stayed.emplace_back(names[role.current]);
      continue;
    }
    changed.push_back(Value::object({{"name", names[role.current]},
                                     {"previous_name", role.previous_name},
                                     {"similarity", role.similarity},
                                     {"added", Value::list_of(role.added)},
                                     {"removed", Value::list_of(role.removed)}}));
  }
  for (const std::size_t role : changes.appeared) appeared.emplace_back(names[role]);
  return Value::object({{"stayed", std::move(stayed)},
                        {"changed", std::move(changed)},
                        {"appeared", std::move(appeared)},
                        {"vanished", Value::list_of(changes.vanished)},
                        {"permissions_added", Value::list_of(changes.permissions_added)},
                        {"permissions_removed", Value::list_of(changes.permissions_removed)}});
}

Value attributes_value(const RolesReport& report) {
  const AttributeProfile& profile = *report.profile;
  Value::List list;
  for (std::size_t k = 0; k < profile.roles.size(); ++k) {
    Value explained = Value(Value::Object{});
    for (std::size_t a = 0; a < profile.names.size(); ++a) {
      explained.set(profile.names[a], profile.roles[k].explained[a]);
    }
    list.push_back(Value::object({{"role", report.fit.model.roles[k]}, {"explained", std::move(explained)}}));
  }
  return list;
}

bool does_as_well(const ComparisonRow& simple, const ComparisonRow& fit) {
  if (!std::isnan(simple.generalization_error) && !std::isnan(fit.generalization_error)) {
    const double error = std::isnan(fit.standard_error) ? 0.0 : fit.standard_error;
    return simple.generalization_error <= fit.generalization_error + error;
  }
  return simple.training_error <= fit.training_error && simple.roles <= fit.roles;
}

}  // namespace

std::string comparison_sentence(const std::vector<ComparisonRow>& rows) {
  if (rows.size() < 2) return "";
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!does_as_well(rows[i], rows[0])) continue;
    const bool has_errors = !std::isnan(rows[i].generalization_error) && !std::isnan(rows[0].generalization_error);
    return has_errors ? fmt::format("The simpler method '{}' predicts held-out users as well: {:.4f} against {:.4f}.",
                                    rows[i].method, rows[i].generalization_error, rows[0].generalization_error)
                      : fmt::format("The simpler method '{}' reproduces the data as well: error {:.4f} against {:.4f}.",
                                    rows[i].method, rows[i].training_error, rows[0].training_error);
  }
  return "No simpler method tried does as well.";
}

std::string roles_text(const RolesReport& report) {
  const RoleFit& fit = report.fit;
  const ExceptionCount exceptions = exception_count(fit);
  std::string text = fmt::format("{} users, {} permissions, {} held\n{} roles; {}\n", report.access.user_count(),
                                 report.access.permission_count(), report.access.held.count(), fit.model.role_count(),
                                 roles_parts::fit_sentence(fit));
  text += roles_parts::noise_sentence(report) + "\n";
  text += fmt::format("training error {:.4f}, coverage {:.4f}", fit.training_error, fit.coverage);
  if (!std::isnan(fit.capacity_bits)) text += fmt::format(", capacity {:.3f} bits", fit.capacity_bits);
  text += fmt::format("; exceptions: {} extra, {} missing\n\n", exceptions.extra, exceptions.missing);
  text += to_text(roles_parts::role_table(report), {40, widest_telling});
  if (report.comparison.size() > 1) {
    text += "\n" + to_text(roles_parts::comparison_table(report.comparison));
    text += one_line(comparison_sentence(report.comparison)) + "\n";
  }
  if (report.selection != nullptr) text += "\n" + select_text(*report.selection);
  if (report.profile != nullptr) {
    const Table findings = roles_parts::finding_table(report);
    text += findings.rows.empty() ? "\nno attribute explains a role\n" : "\n" + to_text(findings);
  }
  if (report.changes != nullptr) {
    text += "\nsince the previous model: " + roles_parts::changes_sentence(*report.changes) + "\n";
    const Table changes = roles_parts::changes_table(report);
    if (!changes.rows.empty()) text += to_text(changes);
  }
  const std::vector<std::string> warnings = all_warnings(report);
  return text + (warnings.empty() ? "" : "\n") + warning_lines(warnings);
}

Value roles_json(const RolesReport& report) {
  const RoleFit& fit = report.fit;
  const ExceptionCount exceptions = exception_count(fit);
  Value::List roles;
  for (std::size_t k = 0; k < fit.model.role_count(); ++k) roles.push_back(role_value(fit, k));
  Value json = Value::object(
      {{"roles", std::move(roles)},
       {"noise", noise_value(fit)},
       {"training_error", fit.training_error},
       {"coverage", fit.coverage},
       {"free_energy", fit.free_energy},
       {"capacity_bits", fit.capacity_bits},
       {"log_likelihood", fit.log_likelihood},
       {"iterations", fit.summary.iterations()},
       {"converged", fit.summary.stop == Stop::converged},
       {"stop", name_of(fit.summary.stop)},
       {"method", name_of(fit.model.method)},
       {"starts", starts_value(fit)},
       {"winning_start", fit.winning_start},
       {"dropped_mass", fit.dropped_mass},
       {"exceptions", Value::object({{"extra", exceptions.extra}, {"missing", exceptions.missing}})},
       {"comparison", comparison_value(report.comparison)},
       {"selection", report.selection == nullptr ? Value(Value::List{}) : selection_rows_value(*report.selection)},
       {"changes", report.changes == nullptr ? Value() : changes_value(report)},
       {"users", report.access.user_count()},
       {"permissions", report.access.permission_count()},
       {"confidence", report.confidence},
       {"warnings", Value::list_of(all_warnings(report))},
       {"objective", Value::list_of(fit.summary.objective)}});
  if (report.profile != nullptr) json.set("attributes", attributes_value(report));
  return json;
}

}  // namespace motet
