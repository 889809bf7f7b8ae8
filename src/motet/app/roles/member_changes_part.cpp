#include "motet/app/roles/member_changes_part.h"

#include <fmt/format.h>

#include "motet/app/roles/mine_parts.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_members = 4;  // in a cell

}  // namespace

void add_member_changes(Document& changes, const MemberChanges& members, const std::vector<std::string>& roles) {
  Listing listing{{{"role", "role"},
                   {"members before", "before"},
                   {"now", "now"},
                   {"joined"},
                   {"", "joined"},
                   {"left"},
                   {"", "left"}}};
  for (std::size_t k = 0; k < members.roles.size(); ++k) {
    const RoleMembers& role = members.roles[k];
    if (role.joined.empty() && role.left.empty()) continue;
    listing.rows.push_back({roles[k], role.before, role.now, some_names(role.joined, most_members),
                            Value::list_of(role.joined), some_names(role.left, most_members),
                            Value::list_of(role.left)});
  }
  const std::string sentence =
      fmt::format("{} joined a role and {} left one; users: {} new, {} gone", counted(members.joined_count(), "member"),
                  members.left_count(), members.users_new.size(), members.users_gone.size());
  changes.text += sentence + "\n" + (listing.rows.empty() ? "" : to_text(listing.table()));
  changes.json.set("members", listing.json());
  changes.json.set("users_new", Value::list_of(members.users_new));
  changes.json.set("users_gone", Value::list_of(members.users_gone));
  Section& section = changes.sections.back();
  section.lead += " " + capitalized(sentence) + ".";
  if (!listing.rows.empty()) section.tables.push_back({"Who joined and who left", listing.table()});
}

}  // namespace motet::roles
