#include "motet/app/roles/assign_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/roles/grants_sentence.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_named = 5;  // permissions in a sentence

std::vector<std::string> unknown_warning(const std::vector<std::string>& unknown) {
  if (unknown.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(unknown.size(), most_named); ++i) {
    names += (i > 0 ? ", " : "") + shortened(unknown[i], 40);
  }
  if (unknown.size() > most_named) names += ", ...";
  return {fmt::format("{} permission{} the model does not know {} left out: {}", unknown.size(),
                      unknown.size() == 1 ? "" : "s", unknown.size() == 1 ? "was" : "were", names)};
}

}  // namespace

Document roles_assign_document(const AssignReport& report) {
  const MemberCount& count = report.count;
  const ExceptionCount& exceptions = report.exceptions;
  const std::vector<std::string> warnings = joined(unknown_warning(report.unknown_permissions), report.warnings);
  const std::string share = plain_percent(count.users_with_role, report.users);
  Listing roles{{{"role", "name"}, {"members", "members"}}};
  for (std::size_t k = 0; k < report.roles.size(); ++k) roles.rows.push_back({report.roles[k], count.members[k]});

  Document document{{"Users and their roles", report.source, {}, {}}, {}, {}};
  document.text = fmt::format(
      "{} users, {} with a role ({}); mean probability of the most probable set {:.3f}\n"
      "exceptions: {} extra, {} missing\n",
      report.users, count.users_with_role, share, count.confidence, exceptions.extra, exceptions.missing);
  document.show(roles.table());
  if (!report.estimates.text.empty()) document.text += "\n" + report.estimates.text;
  document.text += warning_lines(warnings);
  document.json =
      Value::object({{"users", report.users},
                     {"users_with_role", count.users_with_role},
                     {"confidence", count.confidence},
                     {"roles", roles.json()},
                     {"unknown_permissions", Value::list_of(report.unknown_permissions)},
                     {"absent_permissions", report.absent_permissions},
                     {"exceptions", Value::object({{"extra", exceptions.extra}, {"missing", exceptions.missing}})},
                     {"warnings", Value::list_of(warnings)}});
  if (!report.estimates.text.empty()) document.json.set("user_estimates", report.estimates.json);
  document.facts = {{"users", std::to_string(report.users)},
                    {"with a role", share},
                    {"mean probability", fmt::format("{:.3f}", count.confidence)},
                    {"unknown permissions", std::to_string(report.unknown_permissions.size())},
                    {"extra", std::to_string(exceptions.extra)},
                    {"missing", std::to_string(exceptions.missing)}};
  Section& section = document.section("Members of each role");
  section.notes = warnings;
  section.tables.push_back({"Members", roles.table()});
  document.append(report.estimates);
  return document;
}

}  // namespace motet::roles
