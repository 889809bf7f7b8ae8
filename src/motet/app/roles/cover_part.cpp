#include "motet/app/roles/cover_part.h"

#include <fmt/format.h>

namespace motet::roles {
namespace {

bool is_proved(const CoverFit& cover) { return cover.exact_roles == cover.at_least; }

std::string count_sentence(const CoverFit& cover) {
  std::string sentence =
      fmt::format("{} what is held", counted(cover.exact_roles, "role") +
                                         (cover.exact_roles == 1 ? " grants exactly" : " together grant exactly"));
  sentence += is_proved(cover) ? ", and fewer cannot (proved)"
                               : fmt::format("; at least {} are needed (proved)", cover.at_least);
  const std::size_t left = cover.fit.exceptions.size() - cover.over_grants;
  if (cover.fit.exceptions.empty()) return sentence;
  sentence += fmt::format("; the {} here leave {} without a role", counted(cover.fit.model.role_count(), "role"),
                          counted(left, "cell"));
  if (cover.over_grants > 0) sentence += fmt::format(" and newly grant {}", cover.over_grants);
  return sentence;
}

Listing curve_listing(const CoverFit& cover) {
  Listing listing{
      {{"share of what is held", "share", 2}, {"roles that cover it", "roles"}, {"cells without a role", "errors"}}};
  for (const CoverPoint& point : cover.curve) listing.rows.push_back({point.share, point.roles, point.errors});
  return listing;
}

}  // namespace

Document cover_part(const CoverFit& cover) {
  const Listing curve = curve_listing(cover);
  const std::string sentence = count_sentence(cover);
  Document part;
  part.text = sentence + "\n\n" + to_text(curve.table());
  part.json = Value::object({{"exact_roles", cover.exact_roles},
                             {"at_least", cover.at_least},
                             {"optimal", is_proved(cover)},
                             {"errors", cover.fit.exceptions.size()},
                             {"over_grants", cover.over_grants},
                             {"assignments", cover.assignments},
                             {"distinct_cells", cover.cells},
                             {"cells_after_reduction", cover.remaining},
                             {"parts", cover.parts},
                             {"curve", curve.json()}});
  Section& section = part.section(
      "How many roles for how much?",
      capitalized(sentence) +
          ". Fewer roles cover most of what is held; the rest would stay with single users, as exceptions.");
  section.tables.push_back({"Roles and what they leave", curve.table()});
  return part;
}

}  // namespace motet::roles
