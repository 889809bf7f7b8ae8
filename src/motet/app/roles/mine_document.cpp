#include "motet/app/roles/mine_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/roles/access_picture.h"
#include "motet/app/roles/cover_part.h"
#include "motet/app/roles/grants_sentence.h"
#include "motet/app/roles/hierarchy_part.h"
#include "motet/app/roles/member_changes_part.h"
#include "motet/app/roles/mine_parts.h"
#include "motet/app/roles/review_parts.h"
#include "motet/app/roles/users_document.h"
#include "motet/report/interval_text.h"
#include "motet/roles/role_summary.h"

namespace motet::roles {
namespace {

constexpr std::string_view association_sentence =
    "association's roles are kept: nothing that was tried explains the data better\n";
constexpr std::size_t most_telling = 3;
constexpr std::size_t widest_telling = 70;  // of a cell with the names of three permissions

// "0.031 (95 % interval 0.020 to 0.042)"
std::string with_interval(double value, const Interval& interval, double confidence) {
  if (std::isnan(interval.low)) return fmt::format("{:.4f}", value);
  return fmt::format("{:.4f} ({:g} % interval {})", value, 100.0 * confidence, interval_text(interval, 4));
}

std::string fit_sentence(const RoleFit& fit) {
  std::string likelihood = fmt::format("log-likelihood {:.3f}", fit.log_likelihood);
  if (fit.summary.iterations() == 0) return likelihood;
  return fmt::format("{} after {}, {}", name_of(fit.summary.stop), counted(fit.summary.iterations(), "iteration"),
                     likelihood);
}

std::string noise_sentence(const RolesReport& report) {
  const RoleModel& model = report.fit.model;
  if (model.noise == RoleNoise::none) return "no noise assumed: every exception is taken at its word";
  return fmt::format("noise ({}, {}): fraction {}, set with probability {}", name_of(model.noise), name_of(model.scope),
                     with_interval(noise_fraction(model), report.fit.noise_fraction, report.confidence),
                     with_interval(set_probability(model), report.fit.set_probability, report.confidence));
}

Listing role_listing(const RoleFit& fit) {
  const RoleModel& model = fit.model;
  const bool has_frozen = std::any_of(model.frozen.begin(), model.frozen.end(), [](std::uint8_t f) { return f != 0; });
  Listing listing{{{"role", "name"},
                   {"permissions"},
                   {"", "permissions"},
                   {"members", "members"},
                   {"expected", "expected_members", 1},
                   {"confidence", "confidence", 3},
                   {"most telling"},
                   {has_frozen ? "kept" : ""},
                   {"", "frozen"}}};
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    const RoleEstimate& role = fit.roles[k];
    Value::List permissions;
    for (std::size_t d = 0; d < model.permission_count(); ++d) {
      if (model.has(k, d)) permissions.emplace_back(model.permissions[d]);
    }
    std::vector<std::string> telling;
    for (const std::uint32_t d : role.telling) telling.push_back(model.permissions[d]);
    telling.resize(std::min(telling.size(), most_telling));
    const std::size_t size = permissions.size();
    listing.rows.push_back({model.roles[k], size, std::move(permissions), role.members, role.expected,
                            role.members == 0 ? std::nan("") : role.confidence, some_names(telling, most_telling),
                            is_frozen(model, k) ? "yes" : "", is_frozen(model, k)});
  }
  return listing;
}

Listing start_listing(const RoleFit& fit) {
  Listing listing{{{"start", "name"},
                   {"roles"},
                   {"", "rounded"},
                   {"held-out log-likelihood per user", "held_out"},
                   {"log-likelihood per user", "objective"},
                   {"chosen"}}};
  for (std::size_t i = 0; i < fit.starts.size(); ++i) {
    const StartTrial& start = fit.starts[i];
    listing.rows.push_back({start.name, start.rounded ? "yes/no" : "probabilities", start.rounded, start.held_out,
                            start.objective, i == fit.winning_start ? "yes" : ""});
  }
  return listing;
}

Value noise_value(const RoleFit& fit) {
  return Value::object({{"fraction", noise_fraction(fit.model)},
                        {"fraction_interval", interval_value(fit.noise_fraction)},
                        {"set_probability", set_probability(fit.model)},
                        {"set_probability_interval", interval_value(fit.set_probability)},
                        {"scope", name_of(fit.model.scope)},
                        {"model", name_of(fit.model.noise)}});
}

// What several renderings of one fit need.
struct Told {
  const RolesReport& report;
  Listing roles;
  ExceptionCount exceptions;
  GrantCount grants;
  std::vector<std::string> warnings;
  // Empty where there is nothing to tell.
  Document selection, comparison, attributes, changes, cover, users, hierarchy, violations;
};

Told told_parts(const RolesReport& report) {
  const RoleFit& fit = report.fit;
  Told told{report,
            role_listing(fit),
            count_exceptions(fit.exceptions),
            count_grants(fit, report.access.held),
            joined(fit.warnings, report.warnings),
            {},
            comparison_part(report.comparison),
            {},
            {},
            {},
            {},
            hierarchy_part(role_hierarchy(rounded_roles(fit.model)), fit.model.roles),
            violations_part(report.violations, {report.access.users, report.access.permissions, fit.model.roles})};
  if (const std::string warning = worse_than_none(told.grants); !warning.empty()) {
    told.warnings.insert(told.warnings.begin(), warning);
  }
  if (report.selection != nullptr) {
    told.selection = roles_select_document(*report.selection);
    told.selection.sections.front().title = told.selection.title;
  }
  if (report.profile != nullptr) told.attributes = attributes_part(*report.profile, fit);
  if (report.cover != nullptr) told.cover = cover_part(*report.cover);
  if (report.changes != nullptr) told.changes = changes_part(*report.changes, fit.model.roles);
  if (report.members != nullptr) add_member_changes(told.changes, *report.members, fit.model.roles);
  if (report.estimates != nullptr) told.users = users_part(*report.estimates, report.access.users, report.outliers);
  return told;
}

void say_fit(Document& document, const Told& told) {
  const RolesReport& report = told.report;
  const RoleFit& fit = report.fit;
  document.text = fmt::format("{}\n{} users, {} permissions; {}\n{}\n",
                              grants_sentence(fit.model.role_count(), told.grants), report.access.user_count(),
                              report.access.permission_count(), fit_sentence(fit), noise_sentence(report));
  document.text += fmt::format("training error {:.4f}, coverage {:.4f}", fit.training_error, fit.coverage);
  if (!std::isnan(fit.capacity_bits)) document.text += fmt::format(", capacity {:.3f} bits", fit.capacity_bits);
  document.text += fmt::format("; exceptions: {} extra, {} missing\n", told.exceptions.extra, told.exceptions.missing);
  if (fit.keeps_association) document.text += association_sentence;
  document.show(told.roles.table(), {.max_width = widest_telling});
  for (const Document* part : {&told.users, &told.cover, &told.violations, &told.comparison, &told.selection,
                               &told.attributes, &told.changes}) {
    if (!part->text.empty()) document.text += "\n" + part->text;
  }
  document.text += (told.warnings.empty() ? "" : "\n") + warning_lines(told.warnings);
}

Value json_of(const Told& told) {
  const RolesReport& report = told.report;
  const RoleFit& fit = report.fit;
  Value json = Value::object(
      {{"roles", told.roles.json()},
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
       {"keeps_association", fit.keeps_association},
       {"starts", start_listing(fit).json()},
       {"winning_start", fit.winning_start},
       {"dropped_mass", fit.dropped_mass},
       {"grants", told.grants.held()},
       {"newly_granted", told.grants.newly_granted},
       {"individual", told.grants.individual},
       {"exceptions", Value::object({{"extra", told.exceptions.extra}, {"missing", told.exceptions.missing}})},
       {"comparison", told.comparison.json},
       {"selection", report.selection == nullptr ? Value(Value::List{}) : told.selection.json.at("rows")},
       {"changes", told.changes.json},
       {"hierarchy", told.hierarchy.json},
       {"violations", told.violations.json},
       {"users", report.access.user_count()},
       {"permissions", report.access.permission_count()},
       {"confidence", report.confidence},
       {"warnings", Value::list_of(told.warnings)},
       {"objective", Value::list_of(fit.summary.objective)}});
  if (report.profile != nullptr) json.set("attributes", told.attributes.json);
  if (report.cover != nullptr) json.set("cover", told.cover.json);
  if (report.estimates != nullptr) json.set("user_estimates", told.users.json);
  return json;
}

void add_noise(Document& document, const RolesReport& report) {
  const RoleFit& fit = report.fit;
  Section& section = document.section("How noisy are the data?", capitalized(noise_sentence(report)) + ".");
  if (fit.model.noise == RoleNoise::none) return;
  section.lead +=
      " The fraction is the share of cells that do not follow the roles but chance; such a cell is held with the "
      "second probability.";
  if (std::isnan(fit.noise_fraction.low)) return;
  Intervals data;
  data.name_title = "parameter";
  data.value_title = "value";
  add(data, "fraction of noise", noise_fraction(fit.model), fit.noise_fraction);
  add(data, "probability that noise sets a cell", set_probability(fit.model), fit.set_probability);
  section.plots.push_back(
      interval_plot({"Noise", fmt::format("Estimates with {:g} % intervals.", 100.0 * report.confidence)}, data));
}

void add_fit(Document& document, const RolesReport& report) {
  const RoleFit& fit = report.fit;
  Section& section =
      document.section("The fit", fmt::format("Method {}: {}.", name_of(fit.model.method), fit_sentence(fit)));
  if (fit.dropped_mass > 0.0) {
    section.lead +=
        fmt::format(" Sets of roles left out held at most {:.2g} of the probability of any user.", fit.dropped_mass);
  }
  if (!fit.starts.empty()) section.tables.push_back({"Starts tried", start_listing(fit).table()});
  if (!report.options.empty()) section.tables.push_back(options_table("Options", report.options));
}

WhatAndValue facts_of(const Told& told) {
  const RoleFit& fit = told.report.fit;
  WhatAndValue facts = {{"users", std::to_string(told.report.access.user_count())},
                        {"permissions", std::to_string(told.report.access.permission_count())},
                        {"roles", std::to_string(fit.model.role_count())},
                        {"coverage", fmt::format("{:.1f} %", 100.0 * fit.coverage)},
                        {"training error", fmt::format("{:.4f}", fit.training_error)},
                        {"noise", fmt::format("{:.2f} %", 100.0 * noise_fraction(fit.model))},
                        {"newly granted", grouped_digits(told.grants.newly_granted)},
                        {"individual", grouped_digits(told.grants.individual)}};
  if (!std::isnan(fit.capacity_bits)) facts.emplace_back("capacity", fmt::format("{:.3f} bits", fit.capacity_bits));
  return facts;
}

}  // namespace

Document roles_mine_document(const RolesReport& report, Wanted wanted) {
  const Told told = told_parts(report);
  Document document{{"Roles in the access data", report.source, facts_of(told), {}}, {}, {}};
  say_fit(document, told);
  if (wanted.json) document.json = json_of(told);
  if (!wanted.page) return document;
  const BitMatrix roles = rounded_roles(report.fit.model);
  const BitMatrix& assignments = report.fit.told;
  document.section("In short", grants_sentence(report.fit.model.role_count(), told.grants) + ".");
  document.warn_first(told.warnings);
  document.section("The access matrix", "What the roles explain, and what they do not. Zoom in to see single users.")
      .pictures.push_back(access_picture(report.access, report.fit.model.roles, roles, assignments));
  add_role_cards(document, report, assignments, told.roles.table());
  add_exceptions(document, report, roles, assignments);
  document.append(told.users);
  document.append(told.violations);
  document.append(told.hierarchy);
  add_overlap(document, report.fit.model, roles, assignments);
  document.append(told.cover);
  document.append(told.selection);
  add_noise(document, report);
  for (const Document* part : {&told.comparison, &told.attributes, &told.changes}) document.append(*part);
  add_fit(document, report);
  return document;
}

}  // namespace motet::roles
