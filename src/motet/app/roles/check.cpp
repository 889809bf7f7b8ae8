#include "motet/app/roles/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/csv_output.h"
#include "motet/app/roles/check_document.h"
#include "motet/app/roles/files.h"
#include "motet/app/roles/role_list.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/io/permission_columns.h"
#include "motet/io/roles_csv.h"

namespace motet::roles {
namespace {

struct CheckVerbOptions {
  AccessFileOptions access;
  std::string keep;
  std::string assignments_in;
  std::string over_grant_cost = "never";
  std::string permission_columns;
  std::string never_share_user;
  std::string never_share_role;
  std::string remove;
  std::string merge;
  std::string roles_out;
  std::string assignments;
  std::string exceptions;
  std::string violations;
};

template <class V>
void visit_fields(V& v, CheckVerbOptions& o) {
  visit_fields(v, o.access);
  v("keep", o.keep, Reads{"ROLES.csv"}, "the roles, in the form of --roles-out; none is added");
  v("assignments_in", o.assignments_in, Reads{"ASSIGN.csv"},
    "who has which role, to be checked as it is; else the roles that fit each user best are taken");
  v("over_grant_cost", o.over_grant_cost, Text{"X|never"},
    "what a permission costs that a role would newly grant, where one that stays individual costs 1");
  v("permission_columns", o.permission_columns, Reads{"PERMS.csv"},
    "what else is known of permissions: risk, which multiplies the cost of an over-grant, and columns that come along "
    "into --exceptions");
  v("never_share_user", o.never_share_user, Reads{"PAIRS.csv"}, "pairs of roles that no user may have both");
  v("never_share_role", o.never_share_role, Reads{"PAIRS.csv"}, "pairs of permissions that must not come together");
  v("remove", o.remove, Text{"ROLE,..."}, "tell what would change without these roles");
  v("merge", o.merge, Text{"ROLE,ROLE,..."}, "tell what would change if these roles were one");
  v("roles_out", o.roles_out, Writes{"ROLES.csv"},
    "write the roles, after --remove and --merge, as YAML or midPoint XML by the ending .yaml or .xml; '-' is standard "
    "output");
  v("assignments", o.assignments, Writes{"ASSIGN.csv"},
    "write the roles of each user, after --remove and --merge; '-' is standard output");
  v("exceptions", o.exceptions, Writes{"EXC.csv"},
    "write what users hold without a role, and lack in spite of one, after --remove and --merge; '-' is standard "
    "output");
  v("violations", o.violations, Writes{"VIOLATIONS.csv"},
    "write the users who have both of a pair that must not come together; '-' is standard output");
}

double price_in(const std::string& text) {
  if (text == "never") return AssignRule{}.over_grant_cost;
  const Result<double> number = parse_double(text);
  if (!number || number.value() < 0.0) {
    fail(ErrorKind::usage, fmt::format("--over-grant-cost: '{}' is no number from 0 on, and not 'never'", text));
  }
  return number.value();
}

void check_usage(const CheckVerbOptions& options, const VerbContext& context) {
  if (!options.assignments_in.empty() && is_given(context, "over_grant_cost")) {
    fail(ErrorKind::usage, "--over-grant-cost: does not work with --assignments-in, which says who has which role");
  }
}

// Everything that is read, the access data with columns also for permissions that only roles have.
struct CheckInput {
  People people;
  RoleCatalogue catalogue;
  std::vector<NumberPair> never_in_one_role;
  std::optional<BitMatrix> assignments;
  PermissionColumns columns;
  std::vector<std::string> warnings;
};

void widen(Access& access, NameList permissions) {
  const std::size_t before = access.permission_count();
  if (permissions.size() == before) return;
  BitMatrix held(access.user_count(), permissions.size());
  for (std::size_t n = 0; n < held.rows(); ++n) {
    std::copy(access.held.row(n).begin(), access.held.row(n).end(), held.row(n).begin());
  }
  access.held = std::move(held);
  access.permissions = std::move(permissions);
}

void read_given_assignments(const CheckVerbOptions& options, const std::string& file, CheckInput& input) {
  const KnownNames roles{NameTable(NameList(input.catalogue.names)), "role", options.keep};
  const NamedAssignments read =
      read_assignments(options.assignments_in, parse_delimiter(options.access.delimiter), roles);
  const NameTable users(input.people.access.users);
  std::vector<std::string> strangers;
  BitMatrix assignments(users.names().size(), input.catalogue.size());
  for (std::size_t n = 0; n < read.users.size(); ++n) {
    const std::uint32_t user = users.find(read.users[n]);
    if (user == NameTable::absent) {
      strangers.emplace_back(read.users[n]);
    } else {
      std::copy(read.roles.row(n).begin(), read.roles.row(n).end(), assignments.row(user).begin());
    }
  }
  input.assignments = std::move(assignments);
  if (strangers.empty()) return;
  const bool is_one = strangers.size() == 1;
  input.warnings.push_back(fmt::format("{} user{} of {} {} not in {}, and {} left out: {}", strangers.size(),
                                       is_one ? "" : "s", options.assignments_in, is_one ? "is" : "are", file,
                                       is_one ? "was" : "were", quoted_list(strangers, 5)));
}

CheckInput read_check(const CheckVerbOptions& options, const VerbContext& context) {
  const std::string& file = context.files[0];
  const char delimiter = parse_delimiter(options.access.delimiter);
  CheckInput input;
  input.people = read_people({file, access_format(options.access), "", ""}, context.run);
  input.warnings = input.people.warnings;
  Access& access = input.people.access;
  const std::size_t known = access.permission_count();
  NameTable permissions(access.permissions);
  NamedRoles roles = read_roles(options.keep, delimiter, permissions);
  input.catalogue = {std::move(roles.names), std::move(roles.permissions), {}};
  widen(access, permissions.take_names());
  if (const std::size_t more = access.permission_count() - known; more > 0) {
    input.warnings.push_back(fmt::format("{} permission{} of {} {} held by nobody", more, more == 1 ? "" : "s",
                                         options.keep, more == 1 ? "is" : "are"));
  }
  if (!options.permission_columns.empty()) {
    const KnownNames names{NameTable(access.permissions), "permission", file};
    input.columns = read_permission_columns(options.permission_columns, delimiter, names);
  }
  if (!options.never_share_role.empty()) {
    const KnownNames names{NameTable(access.permissions), "permission", file};
    input.never_in_one_role = read_name_pairs(options.never_share_role, delimiter, names);
  }
  if (!options.never_share_user.empty()) {
    const KnownNames names{NameTable(NameList(input.catalogue.names)), "role", options.keep};
    input.catalogue.never_with_one_user = read_name_pairs(options.never_share_user, delimiter, names);
  }
  if (!options.assignments_in.empty()) read_given_assignments(options, file, input);
  return input;
}

CatalogueChange change_of(const CheckVerbOptions& options, const RoleCatalogue& catalogue) {
  const NameTable names{NameList(catalogue.names)};
  CatalogueChange change;
  if (!options.remove.empty()) change.removed = roles_in(options.remove, names, "--remove", options.keep);
  if (!options.merge.empty()) change.merged = roles_in(options.merge, names, "--merge", options.keep);
  if (change.merged.size() == 1) {
    fail(ErrorKind::usage, fmt::format("--merge: '{}' is one role; name two or more with commas between them",
                                       catalogue.names[change.merged[0]]));
  }
  return change;
}

std::string mode_of(const CheckVerbOptions& options, const AssignRule& rule) {
  if (!options.assignments_in.empty()) return "roles of users as " + options.assignments_in + " has them";
  if (std::isinf(rule.over_grant_cost)) return "every user has the roles that fit without granting anything new";
  return fmt::format(
      "every user has the cheapest roles: a permission newly granted costs {:g}, one that stays individual 1",
      rule.over_grant_cost);
}

std::vector<std::string> names_in(const std::vector<std::uint32_t>& roles, const RoleCatalogue& catalogue) {
  std::vector<std::string> names;
  names.reserve(roles.size());
  for (const std::uint32_t role : roles) names.push_back(catalogue.names[role]);
  return names;
}

// Who has which role after --remove and --merge.
BitMatrix assignments_after(const CheckInput& input, const BitMatrix& assignments, const ChangedCatalogue& changed,
                            const AssignRule& rule, const RunContext& run) {
  if (input.assignments) return carried_assignments(assignments, changed);
  return assign_roles(input.people.access.held, changed.catalogue, rule, run).assignments;
}

WhatIf what_if_of(const CheckInput& input, const BitMatrix& assignments, const BitMatrix& after,
                  const CatalogueChange& change, const ChangedCatalogue& changed, const AssignRule& rule) {
  const BitMatrix& held = input.people.access.held;
  const RoleCatalogue& old = input.catalogue;
  WhatIf what_if;
  what_if.removed = names_in(change.removed, old);
  what_if.merged = names_in(change.merged, old);
  if (!change.merged.empty()) what_if.merged_name = changed.catalogue.names[changed.now_at[change.merged[0]]];
  what_if.roles_after = changed.catalogue.size();
  what_if.before = count_grants(held, assignments, old.permissions, rule.risk);
  what_if.after = count_grants(held, after, changed.catalogue.permissions, rule.risk);
  what_if.effect = effect_of(held, boolean_product(assignments, old.permissions),
                             boolean_product(after, changed.catalogue.permissions));
  return what_if;
}

// As models and their writers have them: a certain role is one that lacks nothing.
RoleModel model_of_catalogue(const RoleCatalogue& catalogue, const NameList& permissions) {
  RoleModel model;
  model.roles = catalogue.names;
  model.permissions = permissions.to_vector();
  for (std::size_t k = 0; k < catalogue.size(); ++k) {
    for (std::size_t d = 0; d < permissions.size(); ++d) {
      model.absence.push_back(catalogue.permissions(k, d) ? 0.0 : 1.0);
    }
  }
  return model;
}

void write_certain_assignments(const Access& access, const RoleCatalogue& catalogue, const BitMatrix& assignments,
                               const std::string& path) {
  CsvOutput out(path);
  write_assignments_header(out.csv());
  const std::vector<double> certain(catalogue.size(), 1.0);
  for (std::size_t n = 0; n < access.user_count(); ++n) {
    const std::vector<std::uint32_t> roles = ones_of(assignments, n);
    write_assignments(out.csv(), catalogue.names, {access.users[n], roles, certain, 1.0});
  }
  out.finish();
}

// All of one state, so that roles, assignments and exceptions give back the data.
void write_state(const CheckVerbOptions& options, const CheckInput& input, const RoleCatalogue& catalogue,
                 const BitMatrix& assignments) {
  const Access& access = input.people.access;
  if (!options.roles_out.empty()) {
    write_roles_file(model_of_catalogue(catalogue, access.permissions), {}, options.roles_out);
  }
  if (!options.assignments.empty()) write_certain_assignments(access, catalogue, assignments, options.assignments);
  if (options.exceptions.empty()) return;
  const BitMatrix granted = boolean_product(assignments, catalogue.permissions);
  write_exceptions_csv(remaining_exceptions(access.held, granted), access.users, access.permissions.to_vector(),
                       options.exceptions, input.columns);
}

WhatAndValue shown_check_options(const CheckVerbOptions& options) {
  WhatAndValue shown;
  for (const auto& [flag, value] : told_options(options)) {
    if (!value.empty()) shown.emplace_back(flag, value);
  }
  return shown;
}

Outcome run_check(const CheckVerbOptions& options, VerbContext& context) {
  check_usage(options, context);
  AssignRule rule;
  rule.over_grant_cost = price_in(options.over_grant_cost);
  const CheckInput input = read_check(options, context);
  rule.risk = input.columns.risk;
  const Access& access = input.people.access;
  const RoleCatalogue& catalogue = input.catalogue;
  const CatalogueChange change = change_of(options, catalogue);
  const ChangedCatalogue changed = changed_catalogue(catalogue, change);
  if (context.run.observer) context.run.observer({"assigning users", 0.0, 0.0, "users"});
  RolesOfUsers found;
  if (input.assignments) {
    found.assignments = *input.assignments;
  } else {
    found = assign_roles(access.held, catalogue, rule, context.run);
  }
  const CatalogueCheck check = check_catalogue(access.held, found.assignments, catalogue.permissions, rule.risk);
  CheckReport report{access, catalogue, found.assignments, check, context.files[0], mode_of(options, rule)};
  report.options = shown_check_options(options);
  report.unproved = found.unproved;
  report.warnings = input.warnings;
  report.violations.users =
      role_pair_violations(access.held, found.assignments, catalogue.permissions, catalogue.never_with_one_user);
  for (UserViolation& violation :
       permission_pair_violations(access.held, found.assignments, catalogue.permissions, input.never_in_one_role)) {
    report.violations.users.push_back(std::move(violation));
  }
  report.violations.roles = roles_with_pairs(catalogue.permissions, input.never_in_one_role);
  BitMatrix after = found.assignments;
  if (!change.is_none()) {
    after = assignments_after(input, found.assignments, changed, rule, context.run);
    report.what_if = what_if_of(input, found.assignments, after, change, changed, rule);
  }
  write_state(options, input, changed.catalogue, after);
  if (!options.violations.empty()) {
    write_violations_csv(report.violations.users, {access.users, access.permissions, catalogue.names},
                         options.violations);
  }
  return told(roles_check_document(report, wanted_of(context)));
}

}  // namespace

Verb roles_check_verb() {
  return make_verb("roles", "check", "a catalogue of roles that is there already, beside what users hold",
                   {access_data}, {{"keep"}}, run_check);
}

}  // namespace motet::roles
