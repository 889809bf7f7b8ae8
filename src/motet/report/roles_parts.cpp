#include "motet/report/roles_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/interval_text.h"
#include "motet/report/text_table.h"

namespace motet::roles_parts {
namespace {

constexpr std::size_t most_telling = 3;
constexpr std::size_t longest_name = 40;

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "0.031 (95 % interval 0.020 to 0.042)"
std::string with_interval(double value, const Interval& interval, double confidence) {
  if (std::isnan(interval.low)) return fmt::format("{:.4f}", value);
  return fmt::format("{:.4f} ({:g} % interval {})", value, 100.0 * confidence, interval_text(interval, 4));
}

}  // namespace

ExceptionCount exception_count(const RoleFit& fit) {
  ExceptionCount count;
  for (const Exception& exception : fit.exceptions) {
    ++(exception.kind == ExceptionKind::extra ? count.extra : count.missing);
  }
  return count;
}

std::string fit_sentence(const RoleFit& fit) {
  if (fit.summary.iterations() == 0) return fmt::format("log-likelihood {:.3f}", fit.log_likelihood);
  return fmt::format("{} after {}, log-likelihood {:.3f}", name_of(fit.summary.stop),
                     plural(fit.summary.iterations(), "iteration", "iterations"), fit.log_likelihood);
}

std::string noise_sentence(const RolesReport& report) {
  const RoleModel& model = report.fit.model;
  if (model.noise == RoleNoise::none) return "no noise assumed: every exception is taken at its word";
  std::string text = fmt::format("noise ({}, {}): fraction {}", name_of(model.noise), name_of(model.scope),
                                 with_interval(noise_fraction(model), report.fit.noise_fraction, report.confidence));
  return text + fmt::format(", set with probability {}",
                            with_interval(set_probability(model), report.fit.set_probability, report.confidence));
}

std::string changes_sentence(const RoleChanges& changes) {
  const auto same = static_cast<std::size_t>(std::count_if(changes.matched.begin(), changes.matched.end(),
                                                           [](const MatchedRole& role) { return role.is_same(); }));
  return fmt::format("{} the same, {} changed, {} appeared, {} vanished; permissions: {} new, {} gone",
                     plural(same, "role", "roles"), changes.matched.size() - same, changes.appeared.size(),
                     changes.vanished.size(), changes.permissions_added.size(), changes.permissions_removed.size());
}

Table role_table(const RolesReport& report) {
  const RoleModel& model = report.fit.model;
  Table table{{{"role"}, {"permissions"}, {"members"}, {"expected", 1}, {"confidence", 3}, {"most telling"}}, {}};
  const bool has_frozen = std::any_of(model.frozen.begin(), model.frozen.end(), [](std::uint8_t f) { return f != 0; });
  if (has_frozen) table.columns.push_back({"kept"});
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    const RoleEstimate& role = report.fit.roles[k];
    std::size_t size = 0;
    for (std::size_t d = 0; d < model.permission_count(); ++d) size += model.has(k, d) ? 1U : 0U;
    std::vector<std::string> telling;
    for (const std::uint32_t d : role.telling) telling.push_back(model.permissions[d]);
    telling.resize(std::min(telling.size(), most_telling));
    table.rows.push_back({model.roles[k], static_cast<std::int64_t>(size), static_cast<std::int64_t>(role.members),
                          role.expected, role.members == 0 ? std::nan("") : role.confidence,
                          some_names(telling, most_telling)});
    if (has_frozen) table.rows.back().emplace_back(std::string(model.frozen[k] != 0 ? "yes" : ""));
  }
  return table;
}

Table comparison_table(const std::vector<ComparisonRow>& rows) {
  Table table{{{"method"}, {"roles"}, {"training error"}, {"coverage"}, {"mean overlap", 3}}, {}};
  const bool has_errors = std::any_of(rows.begin(), rows.end(),
                                      [](const ComparisonRow& row) { return !std::isnan(row.generalization_error); });
  if (has_errors) table.columns.insert(table.columns.end(), {{"generalization error"}, {"+-"}});
  for (const ComparisonRow& row : rows) {
    table.rows.push_back(
        {row.method, static_cast<std::int64_t>(row.roles), row.training_error, row.coverage, row.mean_overlap});
    if (has_errors) {
      table.rows.back().emplace_back(row.generalization_error);
      table.rows.back().emplace_back(row.standard_error);
    }
  }
  return table;
}

Table changes_table(const RolesReport& report) {
  constexpr std::size_t most_named = 6;
  Table table{{{"role"}, {"what"}, {"similarity", 2}, {"permissions added"}, {"permissions removed"}}, {}};
  const std::vector<std::string>& names = report.fit.model.roles;
  for (const MatchedRole& role : report.changes->matched) {
    if (role.is_same()) continue;
    table.rows.push_back({names[role.current], std::string("changed"), role.similarity,
                          some_names(role.added, most_named), some_names(role.removed, most_named)});
  }
  const auto add = [&](const std::string& name, const char* what) {
    table.rows.push_back({name, std::string(what), std::nan(""), std::string(), std::string()});
  };
  for (const std::size_t role : report.changes->appeared) add(names[role], "appeared");
  for (const std::string& name : report.changes->vanished) add(name, "vanished");
  return table;
}

Table finding_table(const RolesReport& report) {
  const AttributeProfile& profile = *report.profile;
  Table table{
      {{"role"}, {"best attribute"}, {"explained", 3}, {"most typical value"}, {"of members", 2}, {"of all", 2}}, {}};
  for (std::size_t k = 0; k < profile.roles.size(); ++k) {
    const RoleProfile& role = profile.roles[k];
    if (role.best == Attributes::missing) continue;
    std::vector<Cell> row = {report.fit.model.roles[k], profile.names[role.best], role.explained[role.best]};
    const auto typical = std::find_if(role.values.begin(), role.values.end(),
                                      [&](const ValueShare& share) { return share.attribute == role.best; });
    if (typical != role.values.end()) {
      row.insert(row.end(), {Cell(profile.values[typical->attribute][typical->value]), Cell(typical->of_members),
                             Cell(typical->of_all)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> all_warnings(const RolesReport& report) {
  std::vector<std::string> warnings = report.fit.warnings;
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  return warnings;
}

std::string some_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += (i > 0 ? ", " : "") + shortened(names[i], longest_name);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace motet::roles_parts
