#include "motet/app/roles/review_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/roles/mine_parts.h"
#include "motet/roles/role_order.h"
#include "motet/roles/role_summary.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_cards = 100;
constexpr std::size_t most_card_permissions = 6;  // with a bar
constexpr std::size_t most_unfolded = 1000;       // of a list that unfolds: a hundred cards stay below ten megabytes
constexpr std::size_t most_groups = 100;
constexpr std::size_t most_exceptions = 200;
constexpr std::size_t most_users_listed = 20;
constexpr std::size_t most_users_named = 3;
constexpr std::size_t most_overlaps = 50;

std::string_view word_of(ExceptionKind kind) { return kind == ExceptionKind::extra ? "extra" : "missing"; }

template <class NameOf>
CardList name_list(std::string_view what, const std::vector<std::uint32_t>& numbers, std::string_view file,
                   NameOf name_of) {
  CardList list{fmt::format("All {}", counted(numbers.size(), what)), {}};
  for (const std::uint32_t number : numbers) {
    if (list.names.size() == most_unfolded) break;
    list.names.emplace_back(name_of(number));
  }
  if (numbers.size() > most_unfolded) {
    list.rest = fmt::format("and {} more, which {} lists", numbers.size() - most_unfolded, file);
  }
  return list;
}

std::vector<CardBars> card_bars(const RolesReport& report, std::size_t k) {
  const RoleModel& model = report.fit.model;
  std::vector<CardBars> bars;
  CardBars telling{"Most telling permissions", {}};
  for (const std::uint32_t d : report.fit.roles[k].telling) {
    if (telling.bars.size() == most_card_permissions) break;
    telling.bars.push_back({model.permissions[d], 1.0 - model.beta(k, d)});
  }
  if (!telling.bars.empty()) bars.push_back(std::move(telling));
  if (report.profile != nullptr && !report.profile->roles[k].values.empty()) {
    CardBars values{"Attributes of members, and of all users", {}};
    for (const ValueShare& share : report.profile->roles[k].values) {
      values.bars.push_back({fmt::format("{}: {}", report.profile->names[share.attribute],
                                         report.profile->values[share.attribute][share.value]),
                             share.of_members, share.of_all});
    }
    bars.push_back(std::move(values));
  }
  return bars;
}

Card role_card(const RolesReport& report, const BitMatrix& members, std::size_t k) {
  const RoleModel& model = report.fit.model;
  const RoleEstimate& role = report.fit.roles[k];
  Card card;
  card.title = model.roles[k];
  if (is_frozen(model, k)) card.badges.emplace_back("kept as given");
  if (role.members == 0) card.badges.emplace_back("no members");
  std::vector<std::uint32_t> permissions;
  for (std::size_t d = 0; d < model.permission_count(); ++d) {
    if (model.has(k, d)) permissions.push_back(static_cast<std::uint32_t>(d));
  }
  card.facts = {{"members", std::to_string(role.members)},
                {"expected", fmt::format("{:.1f}", role.expected)},
                {"permissions", std::to_string(permissions.size())}};
  if (role.members > 0) card.facts.emplace_back("confidence", fmt::format("{:.3f}", role.confidence));
  card.bars = card_bars(report, k);
  card.lists = {name_list("permission", permissions, "the file of --roles-out",
                          [&](std::uint32_t d) { return model.permissions[d]; }),
                name_list("member", ones_of(members, k), "the file of --assignments",
                          [&](std::uint32_t n) { return std::string(report.access.users[n]); })};
  std::erase_if(card.lists, [](const CardList& list) { return list.names.empty(); });
  return card;
}

std::string user_names(const Access& access, const std::vector<std::uint32_t>& users) {
  std::vector<std::string> names;
  for (const std::uint32_t user : users) {
    if (names.size() == most_users_named) break;
    names.emplace_back(access.users[user]);
  }
  names.resize(users.size());
  return some_names(names, most_users_named);
}

// A missing permission can be missed by those to whom a role grants it, an extra one be held by the others.
Table exception_groups(const RolesReport& report, const BitMatrix& roles, const BitMatrix& assignments) {
  std::vector<std::size_t> granted(roles.columns());
  const BitMatrix grants = boolean_product(assignments, roles);
  for (std::size_t n = 0; n < grants.rows(); ++n) for_each_bit(grants.row(n), [&](std::size_t d) { ++granted[d]; });
  Listing listing{{{"permission"}, {"kind"}, {"users"}, {"of those", "", 2}, {"who"}}};
  for (const PermissionExceptions& group : exceptions_by_permission(report.fit.exceptions)) {
    if (listing.rows.size() == most_groups) break;
    const std::size_t with_role = granted[group.permission];
    const std::size_t who = group.kind == ExceptionKind::missing ? with_role : grants.rows() - with_role;
    listing.rows.push_back(
        {report.access.permissions[group.permission], word_of(group.kind), group.users.size(),
         static_cast<double>(group.users.size()) / static_cast<double>(std::max<std::size_t>(who, 1)),
         user_names(report.access, group.users)});
  }
  return listing.table();
}

Table probable_exceptions(const RolesReport& report, const BitMatrix& assignments) {
  Listing listing{{{"user"}, {"permission"}, {"kind"}, {"probability", "", 3}, {"roles of the user"}}};
  for (const FoundException& exception : report.fit.exceptions) {
    if (listing.rows.size() == most_exceptions) break;
    listing.rows.push_back({report.access.users[exception.user], report.access.permissions[exception.permission],
                            word_of(exception.kind), exception.probability,
                            role_set_name(report.fit.model.roles, ones_of(assignments, exception.user))});
  }
  return listing.table();
}

Table exceptional_users(const RolesReport& report) {
  Listing listing{{{"user"}, {"extra"}, {"missing"}}};
  for (const auto& [user, count] : exceptions_by_user(report.fit.exceptions)) {
    if (listing.rows.size() == most_users_listed) break;
    listing.rows.push_back({report.access.users[user], count.extra, count.missing});
  }
  return listing.table();
}

}  // namespace

void add_role_cards(Document& document, const RolesReport& report, const BitMatrix& assignments, Table table) {
  Section& section = document.section(
      "The roles",
      "Members are users who are told to have the role; the expected number counts every user by probability. "
      "Confidence is the mean probability over the members. Beside the permissions that tell a role from the others "
      "stands their probability in it.");
  std::vector<std::size_t> order = roles_by_members(report.fit);
  if (order.size() > most_cards) {
    section.lead +=
        fmt::format(" Shown are the {} largest of {} roles; the table has them all.", most_cards, order.size());
    order.resize(most_cards);
  }
  const BitMatrix members = assignments.transposed();
  for (const std::size_t k : order) section.cards.push_back(role_card(report, members, k));
  section.tables.push_back({"All roles", std::move(table)});
}

void add_exceptions(Document& document, const RolesReport& report, const BitMatrix& roles,
                    const BitMatrix& assignments) {
  const std::vector<FoundException>& all = report.fit.exceptions;
  const ExceptionCount count = count_exceptions(all);
  Section& section = document.section(
      "Exceptions to review",
      fmt::format("{} permissions are held although no role grants them (extra), {} are granted by a role but not held "
                  "(missing).",
                  count.extra, count.missing));
  if (all.empty()) return;
  section.lead +=
      " The same permission of many users is a question to ask once: it stands first, with its share of those whose "
      "roles "
      "do not grant it (extra) or do (missing).";
  section.tables.push_back({"By permission", exception_groups(report, roles, assignments)});
  if (all.size() > most_exceptions) {
    section.lead +=
        fmt::format(" One by one, the {} most probable are shown; all are in the exceptions file.", most_exceptions);
  }
  section.tables.push_back({"Most probable exceptions", probable_exceptions(report, assignments)});
  section.tables.push_back({"Users with most exceptions", exceptional_users(report)});
}

void add_overlap(Document& document, const RoleModel& model, const BitMatrix& roles, const BitMatrix& assignments) {
  const std::vector<RoleOverlap> pairs = role_overlaps(roles, assignments.transposed());
  if (pairs.empty()) return;
  Section& section = document.section(
      "Which roles hold much of others",
      "How much of the smaller role's permissions the larger one has: 1 is a role within a role. Two roles that share "
      "most of both, and most members, may be one.");
  if (pairs.size() > most_overlaps) {
    section.lead += fmt::format(" Shown are {} of {} pairs that share permissions.", most_overlaps, pairs.size());
  }
  Listing listing{{{"role"},
                   {"permissions"},
                   {"within"},
                   {"its permissions"},
                   {"shared permissions"},
                   {"contained", "", 2},
                   {"shared members"}}};
  for (const RoleOverlap& pair : pairs) {
    if (listing.rows.size() == most_overlaps) break;
    listing.rows.push_back({model.roles[pair.inner], roles.count(pair.inner), model.roles[pair.outer],
                            roles.count(pair.outer), pair.shared_permissions, pair.contained, pair.shared_members});
  }
  section.tables.push_back({"Pairs of roles", listing.table()});
}

}  // namespace motet::roles
