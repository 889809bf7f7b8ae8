#include "motet/app/roles/mine.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "motet/app/checkpoint.h"
#include "motet/app/roles/files.h"
#include "motet/app/roles/mine_document.h"
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
  SelectOptions select;
  std::string attributes;
  std::string exclude;
  std::string never_share_role;
  std::string never_share_user;
  std::string keep;
  std::string previous;
  bool compare = false;
  std::string model;
  std::string roles_out;
  std::string assignments;
  double least_probability = 0.5;
  std::string exceptions;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, MineVerbOptions& o) {
  visit_fields(v, o.access);
  v("roles", o.roles, Text{"K|LO..HI"},
    "how many roles, or a range from which held-out users choose; with --keep the new ones beside the kept");
  visit_fields(v, o.fit);
  visit_fields(v, o.select);
  v("attributes", o.attributes, Text{"HR.csv"}, "business attributes: the user, then a column an attribute");
  v("exclude", o.exclude, Text{"COLUMN=VALUE"},
    "leave out users by an attribute, such as status=dormant; several with commas between");
  v("never_share_role", o.never_share_role, Text{"PAIRS.csv"}, "pairs of permissions that no mined role may hold both");
  v("never_share_user", o.never_share_user, Text{"PAIRS.csv"}, "pairs of kept roles that no user may have both");
  v("keep", o.keep, Text{"ROLES.csv"}, "roles that stay as they are, in the form of --roles-out");
  v("previous", o.previous, Text{"OLD.json"},
    "start from the model of an earlier run, keep its names, and tell what changed");
  v("compare", o.compare, "predict held-out users with simpler methods too; --report always does");
  v("model", o.model, Text{"MODEL.json"}, "write the model here");
  v("roles_out", o.roles_out, Text{"ROLES.csv"}, "write the permissions of each role; '-' is standard output");
  v("assignments", o.assignments, Text{"ASSIGN.csv"}, "write the roles of each user; '-' is standard output");
  v("least_probability", o.least_probability, Range<double>{0.0, 1.0},
    "of a role to be written to --assignments for a user");
  v("exceptions", o.exceptions, Text{"EXC.csv"},
    "write what users hold without a role, and lack in spite of one; '-' is standard output");
  visit_fields(v, o.checkpoint);
}

bool has_greedy_method(const MineVerbOptions& options) {
  return options.fit.method != RoleMethod::mac && options.fit.method != RoleMethod::sac;
}

RoleRange check_usage(const MineVerbOptions& options, const VerbContext& context) {
  if (!options.never_share_user.empty() && options.keep.empty()) {
    fail(ErrorKind::usage, "never-share-user: needs --keep ROLES.csv, whose roles it names");
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
         fmt::format("roles: the range {} works with --method mac or sac only; give one number", options.roles));
  }
  if (!options.keep.empty()) {
    fail(ErrorKind::usage,
         fmt::format("roles: the range {} does not work with --keep; give the number of new roles", options.roles));
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

  MineData data() const {
    return {&people.access, people.attributes ? &*people.attributes : nullptr, previous ? &*previous : nullptr};
  }
};

MineInput read_input(const MineVerbOptions& options, const VerbContext& context) {
  const std::string& file = context.files[0];
  MineInput input;
  if (!options.previous.empty()) input.previous = read_role_model(options.previous);
  input.people = read_people({file, access_format(options.access), options.attributes, options.exclude}, context.run);
  input.constraints = read_constraints(options, input.people.access, file);
  return input;
}

std::optional<RoleSelection> choose_number(const MineInput& input, RoleRange range, const MineVerbOptions& options,
                                           const VerbContext& context) {
  if (range.low == range.high) return {};
  const Selection selection =
      select_roles(input.people.access, range, options.fit, options.select, {false, false, false}, context.run);
  RoleSelection found = told_selection(selection, Criterion::held_out, range, context.files[0]);
  if (!input.constraints.never_in_one_role.empty()) {
    found.warnings.emplace_back("the number of roles was chosen without regard to --never-share-role");
  }
  return found;
}

WhatAndValue shown_options(const MineVerbOptions& options) {
  WhatAndValue shown = told_options(options.fit);
  const std::pair<const char*, const std::string*> files[] = {{"--attributes", &options.attributes},
                                                              {"--exclude", &options.exclude},
                                                              {"--never-share-role", &options.never_share_role},
                                                              {"--never-share-user", &options.never_share_user},
                                                              {"--keep", &options.keep},
                                                              {"--previous", &options.previous}};
  for (const auto& [flag, value] : files) {
    if (!value->empty()) shown.emplace_back(flag, *value);
  }
  return shown;
}

void write_tables(const MineVerbOptions& options, const RoleFit& fit, const NameList& users) {
  if (!options.model.empty()) write_record(options.model, to_record(fit.model));
  if (!options.roles_out.empty()) write_roles_csv(fit.model, options.roles_out);
  if (!options.assignments.empty()) {
    write_assignments_csv(fit.model, fit.users, users, options.least_probability, options.assignments);
  }
  if (!options.exceptions.empty()) {
    write_exceptions_csv(fit.exceptions, users, fit.model.permissions, options.exceptions);
  }
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
  });
  std::optional<RoleSelection> selection;
  RoleFit fit;
  Comparison comparison;
  fit_with(*checkpoint, [&] {
    selection = choose_number(input, range, options, context);
    const std::size_t roles = selection ? selection->chosen : range.low;
    fit = mine_roles(input.data(), roles, options.fit, input.constraints, context.run);
    fit.capacity_bits = capacity_between_halves(fit, access.held, context.run);
    CompareOptions compare;
    compare.held_out = options.compare || context.wants_page();
    comparison = compare_roles(fit, input.data(), roles, options.fit, input.constraints, compare, context.run);
  });
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
  std::optional<AttributeProfile> profile;
  if (input.people.attributes) {
    profile = attribute_profile(role_shares(fit.model, fit.users), fit.model.role_count(), *input.people.attributes);
  }
  report.profile = profile ? &*profile : nullptr;
  std::optional<RoleChanges> changes;
  if (input.previous) changes = role_changes(*input.previous, fit.model);
  report.changes = changes ? &*changes : nullptr;
  write_tables(options, fit, access.users);
  Outcome outcome = told(roles_mine_document(report, wanted_of(context)));
  outcome.finish = [checkpoint] { checkpoint->remove(); };
  return outcome;
}

}  // namespace

Verb roles_mine_verb() {
  Verb verb = make_verb<MineVerbOptions>(
      "roles", "mine", "roles behind who may do what: their permissions, their members and the exceptions",
      {{"ACCESS.csv", "pairs (user,permission) or a matrix; '-' is standard input"}}, run_mine);
  verb.required = {{"roles", "required except with --method ino"}};
  verb.inputs = {"attributes", "never_share_role", "never_share_user", "keep", "previous"};
  verb.outputs = {{"model"}, {"roles_out"}, {"assignments"}, {"exceptions"}, {"checkpoint"}};
  return verb;
}

}  // namespace motet::roles
