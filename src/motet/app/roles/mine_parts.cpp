#include "motet/app/roles/mine_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/heat_map.h"
#include "motet/roles/role_summary.h"

namespace motet::roles {
namespace {

constexpr std::size_t longest_name = 40;
constexpr std::size_t most_changed = 6;          // permissions of a role in a cell
constexpr std::size_t most_profiled_roles = 40;  // more cells can neither be read nor drawn

// The attribute that says most of each role, where one does.
Table finding_table(const AttributeProfile& profile, const std::vector<std::string>& roles) {
  Listing listing{{{"role"},
                   {"best attribute"},
                   {"explained", "", 3},
                   {"most typical value"},
                   {"of members", "", 2},
                   {"of all", "", 2}}};
  for (std::size_t k = 0; k < profile.roles.size(); ++k) {
    const RoleProfile& role = profile.roles[k];
    if (role.best == Attributes::missing) continue;
    std::vector<Value>& row = listing.rows.emplace_back();
    row = {roles[k], profile.names[role.best], role.explained[role.best]};
    const auto typical = std::find_if(role.values.begin(), role.values.end(),
                                      [&](const ValueShare& share) { return share.attribute == role.best; });
    if (typical != role.values.end()) {
      row.insert(row.end(), {profile.values[typical->attribute][typical->value], typical->of_members, typical->of_all});
    }
  }
  return listing.table();
}

Value explained_value(const AttributeProfile& profile, const std::vector<std::string>& roles) {
  Value::List list;
  for (std::size_t k = 0; k < profile.roles.size(); ++k) {
    Value explained = Value(Value::Object{});
    for (std::size_t a = 0; a < profile.names.size(); ++a) {
      explained.set(profile.names[a], profile.roles[k].explained[a]);
    }
    list.push_back(Value::object({{"role", roles[k]}, {"explained", std::move(explained)}}));
  }
  return list;
}

// Matched roles that differ.
Listing changed_listing(const RoleChanges& changes, const std::vector<std::string>& roles) {
  Listing listing{{{"role", "name"},
                   {"", "previous_name"},
                   {"what"},
                   {"similarity", "similarity", 2},
                   {"permissions added"},
                   {"", "added"},
                   {"permissions removed"},
                   {"", "removed"}}};
  for (const MatchedRole& role : changes.matched) {
    if (role.is_same()) continue;
    listing.rows.push_back({roles[role.current], role.previous_name, "changed", role.similarity,
                            some_names(role.added, most_changed), Value::list_of(role.added),
                            some_names(role.removed, most_changed), Value::list_of(role.removed)});
  }
  return listing;
}

}  // namespace

Document comparison_part(const std::vector<MethodScore>& rows) {
  const bool has_errors = std::any_of(rows.begin(), rows.end(),
                                      [](const MethodScore& row) { return !std::isnan(row.generalization_error); });
  Listing listing{{{"method", "method"},
                   {"roles", "roles"},
                   {"training error", "training_error"},
                   {"coverage", "coverage"},
                   {"mean overlap", "mean_overlap", 3},
                   {has_errors ? "generalization error" : "", "generalization_error"},
                   {has_errors ? "+-" : "", "standard_error"}}};
  for (const MethodScore& row : rows) {
    listing.rows.push_back({row.method, row.roles, row.training_error, row.coverage, row.mean_overlap,
                            row.generalization_error, row.standard_error});
  }
  Document part;
  part.json = listing.json();
  if (rows.size() < 2) return part;
  part.text = to_text(listing.table()) + one_line(comparison_sentence(rows)) + "\n";
  part.section("Against simpler methods", comparison_sentence(rows))
      .tables.push_back({"Methods on the same data", listing.table()});
  return part;
}

Document attributes_part(const AttributeProfile& profile, const RoleFit& fit) {
  const std::vector<std::string>& roles = fit.model.roles;
  const Table findings = finding_table(profile, roles);
  Document part;
  part.text = findings.rows.empty() ? "no attribute explains a role\n" : to_text(findings);
  part.json = explained_value(profile, roles);
  Section& section = part.section(
      "What attributes say",
      "How much of who has a role an attribute of the users explains: 1 when it decides, 0 when it says nothing. Each "
      "user is predicted from the others, so that a value of one user alone explains nothing. An attribute that "
      "explains a role need not be its reason.");
  HeatMap map{{}, profile.names, {}, "role", "attribute", "explained", 2};
  std::vector<std::size_t> order = roles_by_members(fit);
  order.resize(std::min(order.size(), most_profiled_roles));
  for (const std::size_t k : order) {
    map.rows.push_back(roles[k]);
    map.values.insert(map.values.end(), profile.roles[k].explained.begin(), profile.roles[k].explained.end());
  }
  section.plots.push_back(heat_map({"Attributes and roles", "Share of the entropy of membership explained."}, map));
  if (findings.rows.empty()) {
    section.lead += " No attribute explains a role.";
  } else {
    section.tables.push_back({"Best attribute of each role", findings});
  }
  return part;
}

Document changes_part(const RoleChanges& changes, const std::vector<std::string>& roles) {
  Listing listing = changed_listing(changes, roles);
  Value::List stayed;
  Value::List appeared;
  for (const MatchedRole& role : changes.matched) {
    if (role.is_same()) stayed.emplace_back(roles[role.current]);
  }
  for (const std::size_t role : changes.appeared) appeared.emplace_back(roles[role]);
  const std::string sentence =
      fmt::format("{} the same, {} changed, {} appeared, {} vanished; permissions: {} new, {} gone",
                  counted(stayed.size(), "role"), listing.rows.size(), changes.appeared.size(), changes.vanished.size(),
                  changes.permissions_added.size(), changes.permissions_removed.size());
  Document part;
  part.json = Value::object({{"stayed", std::move(stayed)},
                             {"changed", listing.json()},
                             {"appeared", appeared},
                             {"vanished", Value::list_of(changes.vanished)},
                             {"permissions_added", Value::list_of(changes.permissions_added)},
                             {"permissions_removed", Value::list_of(changes.permissions_removed)}});
  const auto add_role = [&](const Value& name, const char* what) {
    listing.rows.push_back({name, "", what, std::nan(""), "", "", "", ""});
  };
  for (const Value& name : appeared) add_role(name, "appeared");
  for (const std::string& name : changes.vanished) add_role(name, "vanished");
  Listing permissions{{{"permission"}, {"in the data"}}};
  for (const std::string& name : changes.permissions_added) permissions.rows.push_back({name, "new"});
  for (const std::string& name : changes.permissions_removed) permissions.rows.push_back({name, "gone"});

  part.text = "since the previous model: " + sentence + "\n";
  if (!listing.rows.empty()) part.text += to_text(listing.table());
  Section& section = part.section("Since the previous model", sentence + ".");
  if (!listing.rows.empty()) section.tables.push_back({"Roles that differ", listing.table()});
  if (!permissions.rows.empty()) section.tables.push_back({"Permissions new or gone", permissions.table()});
  return part;
}

std::string comparison_sentence(const std::vector<MethodScore>& rows) {
  if (rows.size() < 2) return "";
  const MethodScore& fit = rows[0];
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const MethodScore& simple = rows[i];
    if (!does_as_well(simple, fit)) continue;
    const char* how = does_as_well(fit, simple) ? "as well" : "better";
    if (!std::isnan(simple.generalization_error) && !std::isnan(fit.generalization_error)) {
      return fmt::format("The simpler method '{}' predicts held-out users {}: {:.4f} against {:.4f}.", simple.method,
                         how, simple.generalization_error, fit.generalization_error);
    }
    return fmt::format("The simpler method '{}' reproduces the data {}: error {:.4f} against {:.4f}.", simple.method,
                       how, simple.training_error, fit.training_error);
  }
  return "No simpler method tried does as well.";
}

std::string some_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += (i > 0 ? ", " : "") + shortened(names[i], longest_name);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace motet::roles
