#include "motet/app/roles/hierarchy_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/roles/mine_parts.h"
#include "motet/report/link_plot.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_contained = 4;  // in a cell
constexpr std::size_t most_drawn = 120;    // more lines cannot be followed

std::vector<std::string> names_of(const std::vector<std::uint32_t>& roles, const std::vector<std::string>& names) {
  std::vector<std::string> some;
  some.reserve(roles.size());
  for (const std::uint32_t role : roles) some.push_back(names[role]);
  return some;
}

Listing hierarchy_listing(const RoleHierarchy& hierarchy, const std::vector<std::string>& names) {
  Listing listing{{{"role", "role"}, {"contains"}, {"", "contains"}, {"same as"}, {"", "same_as"}}};
  for (std::uint32_t k = 0; k < names.size(); ++k) {
    const bool is_first = hierarchy.is_first(k);
    if (hierarchy.contains[k].empty() && is_first) continue;
    const std::vector<std::string> within = names_of(hierarchy.contains[k], names);
    listing.rows.push_back({names[k], some_names(within, most_contained), Value::list_of(within),
                            is_first ? "" : names[hierarchy.same_as[k]],
                            is_first ? Value() : Value(names[hierarchy.same_as[k]])});
  }
  return listing;
}

std::size_t linked_roles(const RoleHierarchy& hierarchy) {
  std::vector<bool> is_linked(hierarchy.contains.size(), false);
  for (std::size_t k = 0; k < is_linked.size(); ++k) {
    for (const std::uint32_t within : hierarchy.contains[k]) is_linked[k] = is_linked[within] = true;
  }
  return static_cast<std::size_t>(std::count(is_linked.begin(), is_linked.end(), true));
}

}  // namespace

Document hierarchy_part(const RoleHierarchy& hierarchy, const std::vector<std::string>& names) {
  const Listing listing = hierarchy_listing(hierarchy, names);
  Document part;
  part.json = listing.json();
  if (listing.rows.empty()) return part;
  const std::size_t above = static_cast<std::size_t>(std::count_if(hierarchy.contains.begin(), hierarchy.contains.end(),
                                                                   [](const auto& within) { return !within.empty(); }));
  const std::size_t repeated = hierarchy.repeated_count();
  const std::string sentence =
      fmt::format("{} {} others, {} {} the same as another", counted(above, "role"),
                  above == 1 ? "contains" : "contain", counted(repeated, "role"), repeated == 1 ? "is" : "are");
  part.text = "hierarchy: " + sentence + "\n" + to_text(listing.table());
  Section& section = part.section(
      "Which role contains which",
      sentence +
          ". Told are the roles right below; what those contain lies in the upper role as well. Who has the "
          "upper role does not need the lower ones.");
  const std::size_t drawn = linked_roles(hierarchy);
  if (drawn > 0 && drawn <= most_drawn) {
    section.plots.push_back(link_plot({"Hierarchy", "Below each role, one step to the right, the roles it contains."},
                                      {names, hierarchy.contains, "role", "contains"}));
  }
  section.tables.push_back({"Roles within roles", listing.table()});
  return part;
}

}  // namespace motet::roles
