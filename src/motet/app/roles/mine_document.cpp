#include "motet/app/roles/mine_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/roles/access_picture.h"
#include "motet/app/roles/mine_parts.h"
#include "motet/report/heat_map.h"
#include "motet/report/interval_text.h"
#include "motet/roles/jaccard.h"
#include "motet/roles/role_order.h"
#include "motet/roles/role_summary.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_telling = 3;
constexpr std::size_t widest_telling = 70;  // of a cell with the names of three permissions
constexpr std::size_t most_cards = 100;
constexpr std::size_t most_card_permissions = 6;
constexpr std::size_t most_exceptions = 200;
constexpr std::size_t most_users_listed = 20;
constexpr std::size_t most_mapped_roles = 40;  // more cells can neither be read nor drawn

bool is_frozen(const RoleModel& model, std::size_t role) {
  return role < model.frozen.size() && model.frozen[role] != 0;
}

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
                   {"held-out log-likelihood a user", "held_out"},
                   {"log-likelihood a user", "objective"},
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
  std::vector<std::string> warnings;
  // Empty where there is nothing to tell.
  Document selection, comparison, attributes, changes;
};

Told told_parts(const RolesReport& report) {
  const RoleFit& fit = report.fit;
  Told told{report,
            role_listing(fit),
            count_exceptions(fit.exceptions),
            joined(fit.warnings, report.warnings),
            {},
            comparison_part(report.comparison),
            {},
            {}};
  if (report.selection != nullptr) {
    told.selection = roles_select_document(*report.selection);
    told.selection.sections.front().title = told.selection.title;
  }
  if (report.profile != nullptr) told.attributes = attributes_part(*report.profile, fit);
  if (report.changes != nullptr) told.changes = changes_part(*report.changes, fit.model.roles);
  return told;
}

void say_fit(Document& document, const Told& told) {
  const RolesReport& report = told.report;
  const RoleFit& fit = report.fit;
  document.text = fmt::format("{} users, {} permissions, {} held\n{} roles; {}\n{}\n", report.access.user_count(),
                              report.access.permission_count(), report.access.held.count(), fit.model.role_count(),
                              fit_sentence(fit), noise_sentence(report));
  document.text += fmt::format("training error {:.4f}, coverage {:.4f}", fit.training_error, fit.coverage);
  if (!std::isnan(fit.capacity_bits)) document.text += fmt::format(", capacity {:.3f} bits", fit.capacity_bits);
  document.text += fmt::format("; exceptions: {} extra, {} missing\n", told.exceptions.extra, told.exceptions.missing);
  document.show(told.roles.table(), {.max_width = widest_telling});
  for (const Document* part : {&told.comparison, &told.selection, &told.attributes, &told.changes}) {
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
       {"starts", start_listing(fit).json()},
       {"winning_start", fit.winning_start},
       {"dropped_mass", fit.dropped_mass},
       {"exceptions", Value::object({{"extra", told.exceptions.extra}, {"missing", told.exceptions.missing}})},
       {"comparison", told.comparison.json},
       {"selection", report.selection == nullptr ? Value(Value::List{}) : told.selection.json.at("rows")},
       {"changes", told.changes.json},
       {"users", report.access.user_count()},
       {"permissions", report.access.permission_count()},
       {"confidence", report.confidence},
       {"warnings", Value::list_of(told.warnings)},
       {"objective", Value::list_of(fit.summary.objective)}});
  if (report.profile != nullptr) json.set("attributes", told.attributes.json);
  return json;
}

Card role_card(const RolesReport& report, std::size_t k) {
  const RoleModel& model = report.fit.model;
  const RoleEstimate& role = report.fit.roles[k];
  Card card;
  card.title = model.roles[k];
  if (is_frozen(model, k)) card.badges.emplace_back("kept as given");
  if (role.members == 0) card.badges.emplace_back("no members");
  card.facts = {{"members", std::to_string(role.members)},
                {"expected", fmt::format("{:.1f}", role.expected)},
                {"permissions", std::to_string(role_size(model, k))}};
  if (role.members > 0) card.facts.emplace_back("confidence", fmt::format("{:.3f}", role.confidence));
  CardBars telling{"Most telling permissions", {}};
  for (const std::uint32_t d : role.telling) {
    if (telling.bars.size() == most_card_permissions) break;
    telling.bars.push_back({model.permissions[d], 1.0 - model.beta(k, d)});
  }
  if (!telling.bars.empty()) card.bars.push_back(std::move(telling));
  if (report.profile != nullptr && !report.profile->roles[k].values.empty()) {
    CardBars values{"Attributes of members, and of all users", {}};
    for (const ValueShare& share : report.profile->roles[k].values) {
      values.bars.push_back({fmt::format("{}: {}", report.profile->names[share.attribute],
                                         report.profile->values[share.attribute][share.value]),
                             share.of_members, share.of_all});
    }
    card.bars.push_back(std::move(values));
  }
  return card;
}

void add_roles(Document& document, const Told& told) {
  Section& section = document.section(
      "The roles",
      "Members are users whose most probable set of roles holds the role; the expected number counts every user by "
      "probability. Confidence is the mean probability over the members. Beside the permissions that tell a role from "
      "the others stands their probability in it.");
  std::vector<std::size_t> order = roles_by_members(told.report.fit);
  if (order.size() > most_cards) {
    section.lead +=
        fmt::format(" Shown are the {} largest of {} roles; the table has them all.", most_cards, order.size());
    order.resize(most_cards);
  }
  for (const std::size_t k : order) section.cards.push_back(role_card(told.report, k));
  section.tables.push_back({"All roles", told.roles.table()});
}

void add_exceptions(Document& document, const Told& told, const BitMatrix& assignments) {
  const Access& access = told.report.access;
  const std::vector<FoundException>& all = told.report.fit.exceptions;
  Section& section = document.section(
      "Exceptions to review",
      fmt::format("{} permissions are held although no role grants them (extra), {} are granted by a role but not held "
                  "(missing).",
                  told.exceptions.extra, told.exceptions.missing));
  if (all.empty()) return;
  if (all.size() > most_exceptions) {
    section.lead += fmt::format(" The {} most probable are shown; all are in the exceptions file.", most_exceptions);
  }
  Listing listing{{{"user"}, {"permission"}, {"kind"}, {"probability", "", 3}, {"roles of the user"}}};
  for (std::size_t i = 0; i < std::min(all.size(), most_exceptions); ++i) {
    const FoundException& exception = all[i];
    listing.rows.push_back({access.users[exception.user], access.permissions[exception.permission],
                            exception.kind == ExceptionKind::extra ? "extra" : "missing", exception.probability,
                            role_set_name(told.report.fit.model.roles, ones_of(assignments, exception.user))});
  }
  section.tables.push_back({"Most probable exceptions", listing.table()});
  Listing users{{{"user"}, {"extra"}, {"missing"}}};
  for (const auto& [user, count] : exceptions_by_user(all)) {
    if (users.rows.size() == most_users_listed) break;
    users.rows.push_back({access.users[user], count.extra, count.missing});
  }
  section.tables.push_back({"Users with most exceptions", users.table()});
}

Plot overlap_plot(const RoleFit& fit, const BitMatrix& sets, PlotText text, const char* value_title) {
  std::vector<std::size_t> order = roles_by_members(fit);
  order.resize(std::min(order.size(), most_mapped_roles));
  const std::vector<double> shared = pairwise_jaccard(sets);
  HeatMap map{{}, {}, {}, "role", "role", value_title, 2};
  for (const std::size_t a : order) {
    map.rows.push_back(fit.model.roles[a]);
    for (const std::size_t b : order) map.values.push_back(shared[a * sets.rows() + b]);
  }
  map.columns = map.rows;
  return heat_map(std::move(text), map);
}

void add_overlap(Document& document, const RoleFit& fit, const BitMatrix& roles, const BitMatrix& assignments) {
  Section& section = document.section(
      "Where roles overlap",
      "What two roles have in common, as a share of what either has. Two roles that share most of both may be one.");
  if (roles.rows() > most_mapped_roles) {
    section.lead += fmt::format(" Shown are the {} roles with most members.", most_mapped_roles);
  }
  section.plots.push_back(overlap_plot(fit, roles,
                                       {"Shared permissions", "Permissions two roles share, of all that either has."},
                                       "share of permissions"));
  section.plots.push_back(overlap_plot(fit, assignments.transposed(),
                                       {"Shared members", "Members two roles share, of all who have either."},
                                       "share of members"));
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
                        {"extra", std::to_string(told.exceptions.extra)},
                        {"missing", std::to_string(told.exceptions.missing)}};
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
  const BitMatrix assignments = most_probable_roles(report.fit.model, report.fit.users);
  document.warn_first(told.warnings);
  document.section("The access matrix", "What the roles explain, and what they do not. Zoom in to see single users.")
      .pictures.push_back(access_picture(report.access, report.fit.model.roles, roles, assignments));
  add_roles(document, told);
  add_exceptions(document, told, assignments);
  if (roles.rows() > 1) add_overlap(document, report.fit, roles, assignments);
  document.append(told.selection);
  add_noise(document, report);
  for (const Document* part : {&told.comparison, &told.attributes, &told.changes}) document.append(*part);
  add_fit(document, report);
  return document;
}

}  // namespace motet::roles
