#include "motet/app/roles/check_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/roles/access_picture.h"
#include "motet/app/roles/grants_sentence.h"
#include "motet/app/roles/hierarchy_part.h"
#include "motet/app/roles/mine_parts.h"
#include "motet/roles/role_order.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_names = 8;     // in a sentence
constexpr std::size_t most_listed = 200;  // rows on the page

std::string answer(const CheckReport& report) {
  const GrantCount& grants = report.check.grants;
  return fmt::format("{} cover{} {} of {} grants ({}), would newly grant {}, and {} stay{} individual",
                     counted(report.catalogue.size(), "role"), report.catalogue.size() == 1 ? "s" : "", grants.covered,
                     grants.held(), plain_percent(grants.covered, grants.held()), grants.newly_granted,
                     grants.individual, grants.individual == 1 ? "s" : "");
}

Listing role_listing(const CheckReport& report) {
  Listing listing{{{"role", "name"},
                   {"permissions"},
                   {"", "permissions"},
                   {"members", "members"},
                   {"exact", "exact_members"},
                   {"nearly", "nearly_members"},
                   {"only here", "only_here"},
                   {"newly granted", "newly_granted"}}};
  for (std::size_t k = 0; k < report.catalogue.size(); ++k) {
    const CheckedRole& role = report.check.roles[k];
    Value::List permissions;
    for (const std::uint32_t d : ones_of(report.catalogue.permissions, k)) {
      permissions.emplace_back(report.access.permissions[d]);
    }
    listing.rows.push_back({report.catalogue.names[k], role.permissions, std::move(permissions), role.members,
                            role.exact, role.nearly, role.only_here, role.newly_granted});
  }
  return listing;
}

Listing bare_listing(const CheckReport& report) {
  Listing listing{{{"permission", "name"}, {"holders", "holders"}}};
  std::vector<std::uint32_t> order = report.check.bare_permissions;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return report.check.holders[a] > report.check.holders[b]; });
  for (const std::uint32_t d : order) listing.rows.push_back({report.access.permissions[d], report.check.holders[d]});
  return listing;
}

std::vector<std::string> names_of(const std::vector<std::uint32_t>& numbers, const NameList& names) {
  std::vector<std::string> some;
  some.reserve(numbers.size());
  for (const std::uint32_t i : numbers) some.emplace_back(names[i]);
  return some;
}

std::vector<std::string> roles_without_members(const CheckReport& report) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < report.catalogue.size(); ++k) {
    if (report.check.roles[k].members == 0) names.push_back(report.catalogue.names[k]);
  }
  return names;
}

// "no role grants 3 permissions that somebody holds: a, b and c"
std::vector<std::string> findings(const CheckReport& report) {
  std::vector<std::string> lines;
  const auto tell = [&](const std::vector<std::string>& names, std::string_view what) {
    if (!names.empty()) lines.push_back(fmt::format("{}: {}", what, some_names(names, most_names)));
  };
  std::vector<std::string> bare;
  for (const auto& row : bare_listing(report).rows) bare.push_back(row[0].as_text());
  const std::vector<std::string> users = names_of(report.check.users_without_role, report.access.users);
  const std::vector<std::string> empty = roles_without_members(report);
  tell(bare, fmt::format("{} somebody holds {} in no role", counted(bare.size(), "permission"),
                         bare.size() == 1 ? "is" : "are"));
  tell(users, fmt::format("{} {} something and {} no role", counted(users.size(), "user"),
                          users.size() == 1 ? "holds" : "hold", users.size() == 1 ? "has" : "have"));
  tell(empty, fmt::format("{} nobody has", counted(empty.size(), "role")));
  if (report.unproved > 0) {
    lines.push_back(fmt::format("for {} the search for roles was cut short: a better set may exist",
                                counted(report.unproved, "user")));
  }
  return lines;
}

Listing effect_listing(const WhatIf& what_if) {
  Listing listing{{{"what"}, {"before"}, {"after"}}};
  const auto add = [&](const char* what, std::size_t before, std::size_t after) {
    listing.rows.push_back({what, before, after});
  };
  add("grants covered", what_if.before.covered, what_if.after.covered);
  add("newly granted", what_if.before.newly_granted, what_if.after.newly_granted);
  add("individual", what_if.before.individual, what_if.after.individual);
  add("roles of users", what_if.before.assignments, what_if.after.assignments);
  return listing;
}

std::string effect_sentence(const WhatIf& what_if) {
  std::string change;
  if (!what_if.removed.empty()) change += "without " + some_names(what_if.removed, most_names);
  if (!what_if.merged.empty()) {
    change += (change.empty() ? "" : ", ") + fmt::format("with {} as one", some_names(what_if.merged, most_names));
  }
  const ChangeEffect& effect = what_if.effect;
  return fmt::format("{}: {}; {} lose{} cover, {} gain it, {} newly granted, {} no longer; {} touched", change,
                     counted(what_if.roles_after, "role"), counted(effect.lost_cover.size(), "grant"),
                     effect.lost_cover.size() == 1 ? "s" : "", effect.new_cover.size(), effect.newly_granted.size(),
                     effect.not_granted.size(), counted(effect.touched.size(), "user"));
}

Listing holding_listing(const std::vector<Holding>& cells, const Access& access, std::size_t most) {
  Listing listing{{{"user", "user"}, {"permission", "permission"}}};
  for (std::size_t i = 0; i < std::min(most, cells.size()); ++i) {
    listing.rows.push_back({access.users[cells[i].user], access.permissions[cells[i].permission]});
  }
  return listing;
}

Value grants_value(const GrantCount& grants) {
  return Value::object({{"covered", grants.covered},
                        {"newly_granted", grants.newly_granted},
                        {"individual", grants.individual},
                        {"assignments", grants.assignments},
                        {"risk", grants.risk}});
}

Value what_if_value(const WhatIf& what_if, const Access& access) {
  const auto cells = [&](const std::vector<Holding>& some) {
    return holding_listing(some, access, some.size()).json();
  };
  return Value::object({{"removed", Value::list_of(what_if.removed)},
                        {"merged", Value::list_of(what_if.merged)},
                        {"merged_name", what_if.merged.empty() ? Value() : Value(what_if.merged_name)},
                        {"roles", what_if.roles_after},
                        {"before", grants_value(what_if.before)},
                        {"after", grants_value(what_if.after)},
                        {"lost_cover", cells(what_if.effect.lost_cover)},
                        {"new_cover", cells(what_if.effect.new_cover)},
                        {"newly_granted", cells(what_if.effect.newly_granted)},
                        {"no_longer_granted", cells(what_if.effect.not_granted)},
                        {"users_touched", Value::list_of(names_of(what_if.effect.touched, access.users))}});
}

Value json_of(const CheckReport& report, const Document& hierarchy, const Document& violations) {
  const GrantCount& grants = report.check.grants;
  const double held = static_cast<double>(std::max<std::size_t>(grants.held(), 1));
  Value json = grants_value(grants);
  json.set("grants", grants.held());
  json.set("coverage", static_cast<double>(grants.covered) / held);
  json.set("mode", report.mode);
  json.set("users", report.access.user_count());
  json.set("permissions", report.access.permission_count());
  json.set("roles", role_listing(report).json());
  json.set("permissions_without_role", bare_listing(report).json());
  json.set("users_without_role", Value::list_of(names_of(report.check.users_without_role, report.access.users)));
  json.set("roles_without_members", Value::list_of(roles_without_members(report)));
  json.set("hierarchy", hierarchy.json);
  json.set("violations", violations.json);
  json.set("exceptions", Value::object({{"extra", grants.individual}, {"missing", grants.newly_granted}}));
  json.set("users_not_proved", report.unproved);
  json.set("what_if", report.what_if ? what_if_value(*report.what_if, report.access) : Value());
  json.set("warnings", Value::list_of(report.warnings));
  return json;
}

void say(Document& document, const CheckReport& report, const Document& hierarchy, const Document& violations) {
  document.text = answer(report) + "\n" + report.mode + "\n" +
                  fmt::format("{}, {}\n", counted(report.access.user_count(), "user"),
                              counted(report.access.permission_count(), "permission"));
  document.show(role_listing(report).table());
  const std::vector<std::string> lines = findings(report);
  if (!lines.empty()) document.text += "\n";
  for (const std::string& line : lines) document.text += one_line(line) + "\n";
  if (!hierarchy.text.empty()) document.text += "\n" + hierarchy.text;
  if (!violations.text.empty()) document.text += "\n" + violations.text;
  if (report.what_if) {
    document.text +=
        "\n" + one_line(effect_sentence(*report.what_if)) + "\n" + to_text(effect_listing(*report.what_if).table());
  }
  document.text += (report.warnings.empty() ? "" : "\n") + warning_lines(report.warnings);
}

void add_cells(Section& section, std::string title, const std::vector<Holding>& cells, const Access& access) {
  if (cells.empty()) return;
  if (cells.size() > most_listed) title += fmt::format(" (the first {} of {})", most_listed, cells.size());
  section.tables.push_back({std::move(title), holding_listing(cells, access, most_listed).table()});
}

void add_what_if(Document& document, const CheckReport& report) {
  const WhatIf& what_if = *report.what_if;
  Section& section = document.section("What if?", capitalized(effect_sentence(what_if)) + ".");
  section.tables.push_back({"Before and after", effect_listing(what_if).table()});
  add_cells(section, "Grants that lose cover", what_if.effect.lost_cover, report.access);
  add_cells(section, "Newly granted", what_if.effect.newly_granted, report.access);
  add_cells(section, "Grants that gain cover", what_if.effect.new_cover, report.access);
}

void add_rest(Document& document, const CheckReport& report) {
  Section& section = document.section("What the catalogue leaves open");
  for (const std::string& line : findings(report))
    section.lead += (section.lead.empty() ? "" : "\n\n") + capitalized(line) + ".";
  if (section.lead.empty()) section.lead = "Every permission is in some role, and every user has one.";
  const Listing bare = bare_listing(report);
  if (!bare.rows.empty()) section.tables.push_back({"Permissions in no role", bare.table()});
  Listing users{{{"user"}, {"permissions held"}}};
  for (const std::uint32_t n : report.check.users_without_role) {
    users.rows.push_back({report.access.users[n], report.access.held.count(n)});
  }
  if (!users.rows.empty()) section.tables.push_back({"Users without a role", users.table()});
}

}  // namespace

Document roles_check_document(const CheckReport& report, Wanted wanted) {
  const GrantCount& grants = report.check.grants;
  const Document hierarchy = hierarchy_part(report.check.hierarchy, report.catalogue.names);
  const Document violations =
      violations_part(report.violations, {report.access.users, report.access.permissions, report.catalogue.names});
  Document document{{"Roles checked against the access data", report.source, {}, {}}, {}, {}};
  document.facts = {{"roles", std::to_string(report.catalogue.size())},
                    {"covered", plain_percent(grants.covered, grants.held())},
                    {"newly granted", std::to_string(grants.newly_granted)},
                    {"individual", std::to_string(grants.individual)},
                    {"users", std::to_string(report.access.user_count())},
                    {"permissions", std::to_string(report.access.permission_count())}};
  say(document, report, hierarchy, violations);
  if (wanted.json) document.json = json_of(report, hierarchy, violations);
  if (!wanted.page) return document;
  document.warn_first(report.warnings);
  Section& roles = document.section(
      "What the roles do", capitalized(answer(report)) + ". " + capitalized(report.mode) +
                               ".\n\nExact members hold all permissions of a role, whether they have it or not; nearly "
                               "members lack one of them, or a fifth at most. Only here: held permissions of members "
                               "that no other of their roles grants.");
  roles.tables.push_back({"Roles", role_listing(report).table()});
  if (report.what_if) add_what_if(document, report);
  document.append(violations);
  add_rest(document, report);
  document.append(hierarchy);
  document.section("The access matrix", "What the roles explain, and what they do not. Zoom in to see single users.")
      .pictures.push_back(
          access_picture(report.access, report.catalogue.names, report.catalogue.permissions, report.assignments));
  if (!report.options.empty()) {
    document.section("Options").tables.push_back(options_table("Options", report.options));
  }
  return document;
}

}  // namespace motet::roles
