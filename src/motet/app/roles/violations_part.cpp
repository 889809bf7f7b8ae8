#include "motet/app/roles/violations_part.h"

#include <fmt/format.h>

#include "motet/app/csv_output.h"
#include "motet/app/roles/access_picture.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_shown = 20;  // rows on the terminal

Listing user_listing(const std::vector<UserViolation>& violations, const ViolationNames& names) {
  Listing listing{{{"user", "user"},
                   {"pair of", "kind"},
                   {"first", "first"},
                   {"through", "first_through"},
                   {"second", "second"},
                   {"through", "second_through"}}};
  for (const UserViolation& violation : violations) {
    ViolationText text = violation_text(violation, names);
    listing.rows.push_back({std::move(text.user), std::move(text.kind), std::move(text.first),
                            std::move(text.first_through), std::move(text.second), std::move(text.second_through)});
  }
  return listing;
}

Listing role_listing(const std::vector<RoleViolation>& violations, const ViolationNames& names) {
  Listing listing{{{"role", "role"}, {"first", "first"}, {"second", "second"}}};
  for (const RoleViolation& violation : violations) {
    listing.rows.push_back(
        {names.roles[violation.role], names.permissions[violation.first], names.permissions[violation.second]});
  }
  return listing;
}

}  // namespace

ViolationText violation_text(const UserViolation& violation, const ViolationNames& names) {
  const bool of_roles = violation.kind == PairKind::roles;
  const auto name = [&](std::uint32_t i) { return of_roles ? names.roles[i] : std::string(names.permissions[i]); };
  const auto through = [&](const std::vector<std::uint32_t>& roles) {
    if (of_roles) return std::string(violation.assigned ? "assigned" : "holds all of it");
    return roles.empty() ? std::string("individual") : role_set_name(names.roles, roles);
  };
  return {std::string(names.users[violation.user]),
          of_roles ? "roles" : "permissions",
          name(violation.first),
          name(violation.second),
          through(violation.first_through),
          through(violation.second_through)};
}

Document violations_part(const Violations& violations, const ViolationNames& names) {
  const Listing users = user_listing(violations.users, names);
  const Listing roles = role_listing(violations.roles, names);
  Document part;
  part.json = Value::object({{"users", users.json()}, {"roles", roles.json()}});
  if (violations.is_none()) return part;
  const std::string sentence = fmt::format("{} of pairs that must not come together, {} that {} such a pair",
                                           counted(users.rows.size(), "violation"), counted(roles.rows.size(), "role"),
                                           roles.rows.size() == 1 ? "grants" : "grant");
  part.text = sentence + "\n";
  Section& section = part.section("Pairs that must not come together", sentence + ".");
  if (!users.rows.empty()) {
    part.text += to_text(users.table(), {.max_rows = most_shown});
    section.tables.push_back({"Users", users.table()});
  }
  if (!roles.rows.empty()) {
    part.text += to_text(roles.table(), {.max_rows = most_shown});
    section.tables.push_back({"Roles", roles.table()});
  }
  return part;
}

void write_violations_csv(const std::vector<UserViolation>& violations, const ViolationNames& names,
                          const std::string& path) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  csv.row(std::vector<std::string>{"user", "kind", "first", "first_through", "second", "second_through"});
  for (const UserViolation& violation : violations) {
    const ViolationText text = violation_text(violation, names);
    csv.row(std::vector<std::string>{text.user, text.kind, text.first, text.first_through, text.second,
                                     text.second_through});
  }
  out.finish();
}

}  // namespace motet::roles
