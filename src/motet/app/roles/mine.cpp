#include "motet/app/roles/mine.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "motet/app/checkpoint.h"
#include "motet/app/roles/cover_usage.h"
#include "motet/app/roles/files.h"
#include "motet/app/roles/mine_document.h"
#include "motet/app/roles/users_document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/io/record_file.h"
#include "motet/io/roles_csv.h"
#include "motet/roles/role_record.h"

namespace motet::roles {
namespace {

struct MineVerbOptions {
  AccessFileOptions access;
  std::string roles;
  MineOptions fit;
  CoverOptions cover;
  SelectOptions select{.repeats = 0};  // the description needs no halves
  std::string attributes;
  std::string exclude;
  std::string never_share_role;
  std::string never_share_user;
  std::string keep;
  std::string previous;
  std::string previous_assignments;
  bool compare = false;
  std::string model;
  std::string roles_out;
  std::string assignments;
  std::string exceptions;
  OutlierOptions outliers;
  std::string users_out;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, MineVerbOptions& o) {
  visit_fields(v, o.access);
  v("roles", o.roles, Text{"K|LO..HI"},
    "how many roles, or a range from which the shortest description chooses; with --keep the new ones beside the kept");
  visit_fields(v, o.fit);
  visit_fields(v, o.cover);
  visit_fields(v, o.select);
  visit_fields(v, o.outliers);
  v("attributes", o.attributes, Reads{"HR.csv"}, "business attributes: the user, then one column per attribute");
  v("exclude", o.exclude, Text{"COLUMN=VALUE"},
    "leave out users by an attribute, such as status=dormant; several with commas between them");
  v("never_share_role", o.never_share_role, Reads{"PAIRS.csv"},
    "pairs of permissions that no mined role may hold both");
  v("never_share_user", o.never_share_user, Reads{"PAIRS.csv"}, "pairs of kept roles that no user may have both");
  v("keep", o.keep, Reads{"ROLES.csv"}, "roles that stay as they are, in the form of --roles-out");
  v("previous", o.previous, Reads{"OLD.json"},
    "start from the model of an earlier run, keep its names, and tell what changed");
  v("previous_assignments", o.previous_assignments, Reads{"ASSIGN.csv"},
    "who had which role of --previous, as --assignments wrote it: then it is told who joined and who left");
  v("compare", o.compare, "predict held-out users with simpler methods too; --report always does");
  v("model", o.model, Writes{"MODEL.json"}, "write the model here");
  v("roles_out", o.roles_out, Writes{"ROLES.csv"},
    "write the permissions of each role, as YAML or midPoint XML by the ending .yaml or .xml; '-' is standard output");
  v("assignments", o.assignments, Writes{"ASSIGN.csv"}, "write the roles of each user; '-' is standard output");
  v("exceptions", o.exceptions, Writes{"EXC.csv"},
    "write what users hold without a role, and lack in spite of one; '-' is standard output");
  v("users_out", o.users_out, Writes{"USERS.csv"},
    "write how well the roles explain each user; '-' is standard output");
  visit_fields(v, o.checkpoint);
}

bool has_greedy_method(const MineVerbOptions& options) {
  return options.fit.method != RoleMethod::mac && options.fit.method != RoleMethod::sac;
}

RoleRange check_usage(const MineVerbOptions& options, const VerbContext& context) {
  if (check_cover_usage(options.cover, context)) return {1, 1};
  if (!options.never_share_user.empty() && options.keep.empty()) {
    fail(ErrorKind::usage, "--never-share-user: needs --keep ROLES.csv, whose roles it names");
  }
  if (!options.previous_assignments.empty() && options.previous.empty()) {
    fail(ErrorKind::usage, "--previous-assignments: needs --previous OLD.json, whose roles it names");
  }
  const bool is_constrained = !options.never_share_role.empty() || !options.keep.empty();
  if (has_greedy_method(options) && is_constrained) {
    fail(ErrorKind::usage, "constraints and kept roles work with --method mac or sac only");
  }
  if (options.fit.method == RoleMethod::ino && options.roles.empty()) return {1, 1};
  require_given("mine", context, {"roles"});
  const RoleRange range = parse_role_range(options.roles);
  if (range.low == range.high) return range;
  if (has_greedy_method(options)) {
    fail(ErrorKind::usage,
         fmt::format("--roles: the range {} works with --method mac or sac only; give one number", options.roles));
  }
  if (!options.keep.empty()) {
    fail(ErrorKind::usage,
         fmt::format("--roles: the range {} does not work with --keep; give the number of new roles", options.roles));
  }
  return range;
}

RoleConstraints read_constraints(const MineVerbOptions& options, const Access& access, const std::string& source) {
  RoleConstraints constraints;
  const char delimiter = parse_delimiter(options.access.delimiter);
  const auto permissions = [&] { return KnownNames{NameTable(access.permissions), "permission", source}; };
  if (!options.keep.empty()) {
    NamedRoles kept = read_roles(options.keep, delimiter, permissions());
    constraints.keep_names = std::move(kept.names);
    constraints.keep = std::move(kept.permissions);
  }
  if (!options.never_share_role.empty()) {
    constraints.never_in_one_role = read_name_pairs(options.never_share_role, delimiter, permissions());
  }
  if (!options.never_share_user.empty()) {
    const KnownNames roles{NameTable(NameList(constraints.keep_names)), "role", options.keep};
    constraints.never_with_one_user = read_name_pairs(options.never_share_user, delimiter, roles);
  }
  return constraints;
}

// What the fit is made from, and what is said about it.
struct MineInput {
  People people;
  RoleConstraints constraints;
  std::optional<RoleModel> previous;
  std::optional<NamedAssignments> previous_assignments;

  MineData data() const {
    return {&people.access, people.attributes ? &*people.attributes : nullptr, previous ? &*previous : nullptr};
  }
};

MineInput read_input(const MineVerbOptions& options, const VerbContext& context) {
  const std::string& file = context.files[0];
  MineInput input;
  if (!options.previous.empty()) input.previous = read_role_model(options.previous);
  if (!options.previous_assignments.empty()) {
    const KnownNames roles{NameTable(NameList(input.previous->roles)), "role", options.previous};
    input.previous_assignments =
        read_assignments(options.previous_assignments, parse_delimiter(options.access.delimiter), roles);
  }
  input.people = read_people({file, access_format(options.access), options.attributes, options.exclude}, context.run);
  input.constraints = read_constraints(options, input.people.access, file);
  return input;
}

std::optional<RoleSelection> choose_number(const MineInput& input, RoleRange range, const MineVerbOptions& options,
                                           const VerbContext& context) {
  if (range.low == range.high) return {};
  const Selection selection =
      select_roles(input.people.access, range, options.fit, options.select, {false, false, false}, context.run);
  RoleSelection found = told_selection(selection, Criterion::description_length, range, context.files[0]);
  if (!input.constraints.never_in_one_role.empty()) {
    found.warnings.emplace_back("the number of roles was chosen without regard to --never-share-role");
  }
  return found;
}

WhatAndValue shown_options(const MineVerbOptions& options) {
  WhatAndValue shown = options.cover.cover == CoverKind::none ? told_options(options.fit) : told_options(options.cover);
  const std::pair<const char*, const std::string*> files[] = {
      {"--attributes", &options.attributes},
      {"--exclude", &options.exclude},
      {"--never-share-role", &options.never_share_role},
      {"--never-share-user", &options.never_share_user},
      {"--keep", &options.keep},
      {"--previous", &options.previous},
      {"--previous-assignments", &options.previous_assignments}};
  for (const auto& [flag, value] : files) {
    if (!value->empty()) shown.emplace_back(flag, *value);
  }
  return shown;
}

void write_tables(const MineVerbOptions& options, const RoleFit& fit, const NameList& users) {
  if (!options.model.empty()) write_record(options.model, to_record(fit.model));
  if (!options.roles_out.empty()) {
    std::vector<std::size_t> members;
    for (const RoleEstimate& role : fit.roles) members.push_back(role.members);
    write_roles_file(fit.model, members, options.roles_out);
  }
  if (!options.assignments.empty()) {
    write_assignments_csv(fit.model, fit.users, fit.told, users, options.assignments);
  }
  if (!options.exceptions.empty()) {
    write_exceptions_csv(fit.exceptions, users, fit.model.permissions, options.exceptions);
  }
}

// Kept roles are the first of the model, in their order.
Violations violations_in(const RoleFit& fit, const Access& access, const RoleConstraints& constraints) {
  const BitMatrix roles = rounded_roles(fit.model);
  const BitMatrix& assignments = fit.told;
  Violations found;
  found.users = role_pair_violations(access.held, assignments, roles, constraints.never_with_one_user);
  for (UserViolation& violation :
       permission_pair_violations(access.held, assignments, roles, constraints.never_in_one_role)) {
    found.users.push_back(std::move(violation));
  }
  found.roles = roles_with_pairs(roles, constraints.never_in_one_role);
  return found;
}

std::optional<MemberChanges> members_since(const MineInput& input, const RoleFit& fit,
                                           const std::optional<RoleChanges>& changes) {
  if (!input.previous_assignments) return {};
  const NamedAssignments& before = *input.previous_assignments;
  return member_changes({before.users, before.roles}, {input.people.access.users, fit.told}, *changes);
}

// What is found of a fit beside itself.
struct Findings {
  std::optional<AttributeProfile> profile;
  std::optional<RoleChanges> changes;
  std::optional<MemberChanges> members;
  std::optional<UserEstimates> estimates;
  Violations violations;

  void tell(RolesReport& report) const {
    report.profile = profile ? &*profile : nullptr;
    report.changes = changes ? &*changes : nullptr;
    report.members = members ? &*members : nullptr;
    report.estimates = estimates ? &*estimates : nullptr;
    report.violations = violations;
  }
};

Findings findings_of(const MineVerbOptions& options, const MineInput& input, const RoleFit& fit, bool has_noise,
                     VerbContext& context) {
  const Access& access = input.people.access;
  Findings found;
  if (input.people.attributes) {
    found.profile =
        attribute_profile(role_shares(fit.model, fit.users), fit.model.role_count(), *input.people.attributes);
  }
  if (input.previous) found.changes = role_changes(*input.previous, fit.model);
  found.members = members_since(input, fit, found.changes);
  found.violations = violations_in(fit, access, input.constraints);
  if (has_noise) {
    found.estimates =
        estimate_users(fit.model, access.held, fit.users, fit.told, nullptr, options.outliers, context.run);
  }
  return found;
}

Outcome run_mine(const MineVerbOptions& options, VerbContext& context) {
  const RoleRange range = check_usage(options, context);
  MineInput input = read_input(options, context);
  const Access& access = input.people.access;
  const auto checkpoint = keep_checkpoints(options.checkpoint, context.run, [&](Fingerprint& shaping) {
    const RoleConstraints& rules = input.constraints;
    shaping.add(options.roles).add(access.held).add(rules.keep);
    for (const auto& pairs : {rules.never_in_one_role, rules.never_with_one_user}) {
      shaping.add(pairs.size());
      for (const auto& [one, other] : pairs) shaping.add(one).add(other);
    }
    if (input.people.attributes) shaping.add(input.people.attributes->value);
    if (input.previous) shaping.add(input.previous->absence);
    shaping.add_options(options.fit).add_options(options.select);
    if (options.cover.cover != CoverKind::none) shaping.add_options(options.cover);
  });
  std::optional<RoleSelection> selection;
  RoleFit mined;
  std::optional<CoverFit> cover;
  Comparison comparison;
  fit_with(*checkpoint, [&] {
    if (options.cover.cover != CoverKind::none) {
      cover = cover_roles(input.data(), options.cover, context.run);
      return;
    }
    selection = choose_number(input, range, options, context);
    const std::size_t roles = selection ? selection->chosen : range.low;
    mined = mine_roles(input.data(), roles, options.fit, input.constraints, context.run);
    mined.capacity_bits = capacity_between_halves(mined, access.held, context.run);
    CompareOptions compare;
    compare.held_out = options.compare || context.wants_page();
    comparison = compare_roles(mined, input.data(), roles, options.fit, input.constraints, compare, context.run);
  });
  const RoleFit& fit = cover ? cover->fit : mined;
  RolesReport report{fit, access, context.files[0]};
  report.options = shown_options(options);
  report.confidence = options.fit.confidence;
  report.comparison = comparison.methods;
  report.selection = selection ? &*selection : nullptr;
  report.warnings = input.people.warnings;
  if (!comparison.note.empty()) report.warnings.push_back(comparison.note);
  if (options.fit.method == RoleMethod::ino && !options.roles.empty()) {
    report.warnings.push_back("ino chooses the number of roles itself: --roles was not used");
  }
  const Findings findings = findings_of(options, input, fit, !cover, context);
  findings.tell(report);
  report.cover = cover ? &*cover : nullptr;
  report.outliers = options.outliers;
  if (findings.estimates && !options.users_out.empty()) {
    write_users_csv(*findings.estimates, access.users, options.users_out);
  }
  write_tables(options, fit, access.users);
  if (cover) fit_with(*checkpoint, [&] { require_finished(*cover); });
  Outcome outcome = told(roles_mine_document(report, wanted_of(context)));
  outcome.finish = [checkpoint] { checkpoint->remove(); };
  return outcome;
}

}  // namespace

Verb roles_mine_verb() {
  return make_verb("roles", "mine", "roles behind who may do what: their permissions, their members and the exceptions",
                   {access_data}, {{"roles", "required except with --method ino or --cover exact"}}, run_mine);
}

}  // namespace motet::roles
