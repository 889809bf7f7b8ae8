#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "motet/report/interval_text.h"
#include "motet/report/plots.h"
#include "motet/report/role_order.h"
#include "motet/report/roles_parts.h"
#include "motet/report/roles_report.h"
#include "motet/report/text_table.h"
#include "motet/roles/jaccard.h"

namespace motet {
namespace {

using roles_parts::all_warnings;
using roles_parts::exception_count;
using roles_parts::ExceptionCount;

constexpr std::size_t most_cards = 100;
constexpr std::size_t most_card_permissions = 6;
constexpr std::size_t most_exceptions = 200;
constexpr std::size_t most_users_listed = 20;
constexpr std::size_t most_mapped_roles = 40;  // more cells can neither be read nor drawn

const char* const kind_names[] = {"not held", "held, no role grants it (extra)",
                                  "granted by a role, not held (missing)", "held, granted by a role"};

std::string join(const std::vector<std::string>& names, const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return "no role";
  std::string text;
  for (const std::uint32_t k : numbers) text += (text.empty() ? "" : " + ") + names[k];
  return text;
}

// Sets of roles, each kept once.
class SetNumbers {
 public:
  std::uint32_t of(const std::vector<std::uint32_t>& set) {
    const auto [place, is_new] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(set);
    return place->second;
  }
  std::vector<std::vector<std::uint32_t>> take() { return std::move(sets_); }

 private:
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::vector<std::vector<std::uint32_t>> sets_;
};

std::vector<std::uint32_t> ones_of(const BitMatrix& bits, std::size_t row) {
  std::vector<std::uint32_t> ones;
  for_each_bit(bits.row(row), [&](std::size_t c) { ones.push_back(static_cast<std::uint32_t>(c)); });
  return ones;
}

PictureSide picture_side(const NameList& names, const BitMatrix& groups, const std::vector<std::uint32_t>& order,
                         const std::vector<OrderBand>& bands, const std::vector<std::string>& roles,
                         SetNumbers& numbers) {
  PictureSide side;
  for (const std::uint32_t i : order) {
    side.names.emplace_back(names[i]);
    side.set_of.push_back(numbers.of(ones_of(groups, i)));
  }
  for (const OrderBand& band : bands) side.bands.push_back({join(roles, band.roles), band.end});
  return side;
}

Table cell_table(const BitMatrix& held, const BitMatrix& granted) {
  std::size_t count[cell_kinds] = {};
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for (std::size_t w = 0; w < held.words(); ++w) {
      const std::uint64_t h = held.row(n)[w];
      const std::uint64_t g = granted.row(n)[w];
      count[1] += static_cast<std::size_t>(std::popcount(h & ~g));
      count[2] += static_cast<std::size_t>(std::popcount(g & ~h));
      count[3] += static_cast<std::size_t>(std::popcount(h & g));
    }
  }
  const std::size_t cells = held.rows() * held.columns();
  count[0] = cells - count[1] - count[2] - count[3];
  Table table{{{"cells"}, {"number"}, {"share"}}, {}};
  for (const std::size_t kind : {3U, 1U, 2U, 0U}) {
    table.rows.push_back({std::string(kind_names[kind]), static_cast<std::int64_t>(count[kind]),
                          cells == 0 ? 0.0 : static_cast<double>(count[kind]) / static_cast<double>(cells)});
  }
  return table;
}

Section matrix_section(const RolesReport& report, const BitMatrix& roles, const BitMatrix& assignments) {
  const Access& access = report.access;
  const std::vector<std::string>& names = report.fit.model.roles;
  const RoleOrder order = role_order(access.held, roles, assignments);
  const BitMatrix granted = boolean_product(assignments, roles);
  const auto ordered = [&](const BitMatrix& bits) { return bits.rows_of(order.users).columns_of(order.permissions); };
  SetNumbers numbers;
  MatrixPicture picture;
  picture.title = "Users and permissions in the order of the roles";
  picture.caption =
      "Users with the same roles stand together, permissions with the first role that has them. Each user has the most "
      "probable roles.";
  picture.rows = picture_side(access.users, assignments, order.users, order.user_bands, names, numbers);
  picture.columns =
      picture_side(access.permissions, roles.transposed(), order.permissions, order.permission_bands, names, numbers);
  picture.rows.title = "user";
  picture.columns.title = "permission";
  picture.kinds.assign(std::begin(kind_names), std::end(kind_names));
  picture.low = ordered(access.held);
  picture.high = ordered(granted);
  picture.group_title = "roles";
  picture.groups = names;
  picture.sets = numbers.take();
  picture.table = cell_table(access.held, granted);
  Section section;
  section.title = "The access matrix";
  section.lead = "What the roles explain, and what they do not. Zoom in to see single users.";
  section.pictures.push_back(std::move(picture));
  return section;
}

Card role_card(const RolesReport& report, std::size_t k) {
  const RoleModel& model = report.fit.model;
  const RoleEstimate& role = report.fit.roles[k];
  Card card;
  card.title = model.roles[k];
  if (k < model.frozen.size() && model.frozen[k] != 0) card.badges.emplace_back("kept as given");
  if (role.members == 0) card.badges.emplace_back("no members");
  std::size_t size = 0;
  for (std::size_t d = 0; d < model.permission_count(); ++d) size += model.has(k, d) ? 1U : 0U;
  card.facts = {{"members", std::to_string(role.members)},
                {"expected", fmt::format("{:.1f}", role.expected)},
                {"permissions", std::to_string(size)}};
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

// Most members first.
std::vector<std::size_t> by_members(const RoleFit& fit) {
  std::vector<std::size_t> order(fit.model.role_count());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return fit.roles[a].members > fit.roles[b].members; });
  return order;
}

Section roles_section(const RolesReport& report) {
  Section section;
  section.title = "The roles";
  section.lead =
      "Members are users whose most probable set of roles holds the role; the expected number counts every user by "
      "probability. Confidence is the mean probability over the members. Beside the permissions that tell a role from "
      "the "
      "others stands their probability in it.";
  std::vector<std::size_t> order = by_members(report.fit);
  if (order.size() > most_cards) {
    section.lead +=
        fmt::format(" Shown are the {} largest of {} roles; the table has them all.", most_cards, order.size());
    order.resize(most_cards);
  }
  for (const std::size_t k : order) section.cards.push_back(role_card(report, k));
  section.tables.push_back({"All roles", roles_parts::role_table(report)});
  return section;
}

Table user_exceptions(const RolesReport& report) {
  std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> count;
  for (const Exception& exception : report.fit.exceptions) {
    auto& [extra, missing] = count[exception.user];
    ++(exception.kind == ExceptionKind::extra ? extra : missing);
  }
  std::vector<std::pair<std::uint32_t, std::pair<std::int64_t, std::int64_t>>> users(count.begin(), count.end());
  std::stable_sort(users.begin(), users.end(), [](const auto& a, const auto& b) {
    return a.second.first + a.second.second > b.second.first + b.second.second;
  });
  users.resize(std::min(users.size(), most_users_listed));
  Table table{{{"user"}, {"extra"}, {"missing"}}, {}};
  for (const auto& [user, kinds] : users) {
    table.rows.push_back({std::string(report.access.users[user]), kinds.first, kinds.second});
  }
  return table;
}

Section exceptions_section(const RolesReport& report, const BitMatrix& assignments) {
  const std::vector<Exception>& all = report.fit.exceptions;
  const ExceptionCount count = exception_count(report.fit);
  Section section;
  section.title = "Exceptions to review";
  section.lead = fmt::format(
      "{} permissions are held although no role grants them (extra), {} are granted by a role but not held (missing).",
      count.extra, count.missing);
  if (all.size() > most_exceptions) {
    section.lead += fmt::format(" The {} most probable are shown; all are in the exceptions file.", most_exceptions);
  }
  Table table{{{"user"}, {"permission"}, {"kind"}, {"probability", 3}, {"roles of the user"}}, {}};
  for (std::size_t i = 0; i < std::min(all.size(), most_exceptions); ++i) {
    const Exception& exception = all[i];
    table.rows.push_back({std::string(report.access.users[exception.user]),
                          std::string(report.access.permissions[exception.permission]),
                          std::string(exception.kind == ExceptionKind::extra ? "extra" : "missing"),
                          exception.probability, join(report.fit.model.roles, ones_of(assignments, exception.user))});
  }
  if (!table.rows.empty()) {
    section.tables.push_back({"Most probable exceptions", std::move(table)});
    section.tables.push_back({"Users with most exceptions", user_exceptions(report)});
  }
  return section;
}

Plot overlap_plot(const RolesReport& report, const BitMatrix& sets, PlotText text, const char* value_title) {
  std::vector<std::size_t> order = by_members(report.fit);
  order.resize(std::min(order.size(), most_mapped_roles));
  const std::vector<double> shared = pairwise_jaccard(sets);
  HeatMap map{{}, {}, {}, "role", "role", value_title, 2};
  for (const std::size_t a : order) {
    map.rows.push_back(report.fit.model.roles[a]);
    for (const std::size_t b : order) map.values.push_back(shared[a * sets.rows() + b]);
  }
  map.columns = map.rows;
  return heat_map(std::move(text), map);
}

Section overlap_section(const RolesReport& report, const BitMatrix& roles, const BitMatrix& assignments) {
  Section section;
  section.title = "Where roles overlap";
  section.lead =
      "What two roles have in common, as a share of what either has. Two roles that share most of both may be one.";
  if (roles.rows() > most_mapped_roles) {
    section.lead += fmt::format(" Shown are the {} roles with most members.", most_mapped_roles);
  }
  section.plots.push_back(overlap_plot(report, roles,
                                       {"Shared permissions", "Permissions two roles share, of all that either has."},
                                       "share of permissions"));
  section.plots.push_back(overlap_plot(report, assignments.transposed(),
                                       {"Shared members", "Members two roles share, of all who have either."},
                                       "share of members"));
  return section;
}

Section noise_section(const RolesReport& report) {
  const RoleFit& fit = report.fit;
  Section section;
  section.title = "How noisy are the data?";
  std::string sentence = roles_parts::noise_sentence(report);
  sentence.front() = sentence.front() == 'n' ? 'N' : sentence.front();
  section.lead = sentence + ".";
  if (fit.model.noise == RoleNoise::none) return section;
  section.lead +=
      " The fraction is the share of cells that do not follow the roles but chance; such a cell is held with the "
      "second "
      "probability.";
  if (std::isnan(fit.noise_fraction.low)) return section;
  Intervals data{{"fraction of noise", "probability that noise sets a cell"},
                 {noise_fraction(fit.model), set_probability(fit.model)},
                 {fit.noise_fraction.low, fit.set_probability.low},
                 {fit.noise_fraction.high, fit.set_probability.high},
                 {},
                 "parameter",
                 "value",
                 4};
  section.plots.push_back(
      interval_plot({"Noise", fmt::format("Estimates with {:g} % intervals.", 100.0 * report.confidence)}, data));
  return section;
}

Section comparison_section(const RolesReport& report) {
  Section section;
  section.title = "Against simpler methods";
  section.lead = comparison_sentence(report.comparison);
  section.tables.push_back({"Methods on the same data", roles_parts::comparison_table(report.comparison)});
  return section;
}

Section fit_section(const RolesReport& report) {
  const RoleFit& fit = report.fit;
  Section section;
  section.title = "The fit";
  section.lead = fmt::format("Method {}: {}.", name_of(fit.model.method), roles_parts::fit_sentence(fit));
  if (fit.dropped_mass > 0.0) {
    section.lead +=
        fmt::format(" Sets of roles left out held at most {:.2g} of the probability of any user.", fit.dropped_mass);
  }
  if (!fit.starts.empty()) {
    Table table{{{"start"}, {"roles"}, {"held-out log-likelihood a user"}, {"log-likelihood a user"}, {"chosen"}}, {}};
    for (std::size_t i = 0; i < fit.starts.size(); ++i) {
      const StartTrial& start = fit.starts[i];
      table.rows.push_back({start.name, std::string(start.rounded ? "yes/no" : "probabilities"), start.held_out,
                            start.objective, std::string(i == fit.winning_start ? "yes" : "")});
    }
    section.tables.push_back({"Starts tried", std::move(table)});
  }
  if (!report.options.empty()) {
    Table table{{{"option"}, {"value"}}, {}};
    for (const auto& [what, value] : report.options) table.rows.push_back({what, value});
    section.tables.push_back({"Options", std::move(table)});
  }
  return section;
}

Section attribute_section(const RolesReport& report) {
  const AttributeProfile& profile = *report.profile;
  Section section;
  section.title = "What attributes say";
  section.lead =
      "How much of who has a role an attribute of the users explains: 1 when it decides, 0 when it says nothing. Each "
      "user is predicted from the others, so that a value of one user alone explains nothing. An attribute that "
      "explains "
      "a role need not be its reason.";
  HeatMap map{{}, profile.names, {}, "role", "attribute", "explained", 2};
  std::vector<std::size_t> order = by_members(report.fit);
  order.resize(std::min(order.size(), most_mapped_roles));
  for (const std::size_t k : order) {
    map.rows.push_back(report.fit.model.roles[k]);
    map.values.insert(map.values.end(), profile.roles[k].explained.begin(), profile.roles[k].explained.end());
  }
  section.plots.push_back(heat_map({"Attributes and roles", "Share of the entropy of membership explained."}, map));
  Table findings = roles_parts::finding_table(report);
  if (findings.rows.empty()) {
    section.lead += " No attribute explains a role.";
  } else {
    section.tables.push_back({"Best attribute of each role", std::move(findings)});
  }
  return section;
}

Section changes_section(const RolesReport& report) {
  Section section;
  section.title = "Since the previous model";
  section.lead = roles_parts::changes_sentence(*report.changes) + ".";
  Table changes = roles_parts::changes_table(report);
  if (!changes.rows.empty()) section.tables.push_back({"Roles that differ", std::move(changes)});
  Table permissions{{{"permission"}, {"in the data"}}, {}};
  for (const std::string& name : report.changes->permissions_added) permissions.rows.push_back({name, "new"});
  for (const std::string& name : report.changes->permissions_removed) permissions.rows.push_back({name, "gone"});
  if (!permissions.rows.empty()) section.tables.push_back({"Permissions new or gone", std::move(permissions)});
  return section;
}

std::vector<std::pair<std::string, std::string>> facts_of(const RolesReport& report) {
  const RoleFit& fit = report.fit;
  const ExceptionCount count = exception_count(fit);
  std::vector<std::pair<std::string, std::string>> facts = {
      {"users", std::to_string(report.access.user_count())},
      {"permissions", std::to_string(report.access.permission_count())},
      {"roles", std::to_string(fit.model.role_count())},
      {"coverage", fmt::format("{:.1f} %", 100.0 * fit.coverage)},
      {"training error", fmt::format("{:.4f}", fit.training_error)},
      {"noise", fmt::format("{:.2f} %", 100.0 * noise_fraction(fit.model))},
      {"extra", std::to_string(count.extra)},
      {"missing", std::to_string(count.missing)}};
  if (!std::isnan(fit.capacity_bits)) facts.emplace_back("capacity", fmt::format("{:.3f} bits", fit.capacity_bits));
  return facts;
}

}  // namespace

Page roles_page(const RolesReport& report) {
  const BitMatrix roles = rounded_roles(report.fit.model);
  const BitMatrix assignments = most_probable_roles(report.fit.model, report.fit.users);
  Page page;
  page.title = "Roles in the access data";
  page.subtitle = report.source;
  page.facts = facts_of(report);
  const std::vector<std::string> warnings = all_warnings(report);
  if (!warnings.empty()) {
    Section section;
    section.title = "What to know first";
    section.notes = warnings;
    page.sections.push_back(std::move(section));
  }
  page.sections.push_back(matrix_section(report, roles, assignments));
  page.sections.push_back(roles_section(report));
  page.sections.push_back(exceptions_section(report, assignments));
  if (roles.rows() > 1) page.sections.push_back(overlap_section(report, roles, assignments));
  if (report.selection != nullptr) page.sections.push_back(selection_section(*report.selection));
  page.sections.push_back(noise_section(report));
  if (report.comparison.size() > 1) page.sections.push_back(comparison_section(report));
  if (report.profile != nullptr) page.sections.push_back(attribute_section(report));
  if (report.changes != nullptr) page.sections.push_back(changes_section(report));
  page.sections.push_back(fit_section(report));
  return page;
}

}  // namespace motet
