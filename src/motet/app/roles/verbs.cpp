#include "motet/app/roles/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "motet/app/answers.h"
#include "motet/app/roles/assign_document.h"
#include "motet/app/roles/check.h"
#include "motet/app/roles/evaluate_document.h"
#include "motet/app/roles/files.h"
#include "motet/app/roles/mine.h"
#include "motet/app/roles/select_document.h"
#include "motet/app/roles/users_document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/roles/baselines/neighbours.h"
#include "motet/roles/evaluate.h"
#include "motet/roles/known_users.h"
#include "motet/roles/naming.h"
#include "motet/roles/sparse/grown_sets.h"
#include "motet/roles/told_roles.h"

namespace motet::roles {
namespace {

constexpr const char* with_known_users = "roles and known users";

// --- assign -----------------------------------------------------------------------

struct AssignOptions {
  AccessFileOptions access;
  std::string model;
  std::string attributes;
  AbsentPermission absent = AbsentPermission::unknown;
  std::string assignments;
  std::optional<double> least_probability;
  std::string exceptions;
  OutlierOptions outliers;
  std::string users_out;
};

template <class V>
void visit_fields(V& v, AssignOptions& o) {
  visit_fields(v, o.access);
  v("model", o.model, Reads{"MODEL.json"}, "the model that `mine` wrote");
  v("attributes", o.attributes, Reads{"HR.csv"}, "business attributes of these users, if the model has learned them");
  v("absent", o.absent, Choices{{"not-held", "unknown"}},
    "a permission of the model that the file does not name at all: nobody holds it, or nobody knows");
  v("assignments", o.assignments, Writes{"ASSIGN.csv"}, "write the roles of each user; '-' is standard output");
  v("least_probability", o.least_probability, Range<double>{0.0, 1.0},
    "tell users every role with at least this probability instead of their most probable set; exceptions and counts "
    "follow");
  v("exceptions", o.exceptions, Writes{"EXC.csv"},
    "write what users hold without a role, and lack in spite of one; '-' is standard output");
  visit_fields(v, o.outliers);
  v("users_out", o.users_out, Writes{"USERS.csv"},
    "write how well the roles explain each user; '-' is standard output");
}

Outcome run_assign(const AssignOptions& options, VerbContext& context) {
  const std::string& file = context.files[0];
  RoleModel model = read_role_model(options.model);
  AccessFormat format = access_format(options.access);
  format.allow_unknown = true;
  const People people = read_people({file, format, options.attributes, ""}, context.run);
  const AlignedAccess aligned = align_permissions(people.access, model.permissions, people.known, options.absent);
  const KnownCells cells{aligned.known.rows() == 0 ? nullptr : &aligned.known,
                         people.attributes ? &*people.attributes : nullptr};
  add_sets_of(model, aligned.held, cells.known, context.run.threads);
  const UserPosteriors users = user_posteriors(model, aligned.held, cells, context.run);
  require_answers(options.model, users.log_likelihood);
  const BitMatrix told_to = told_roles(model, aligned.held, cells.known, users, options.least_probability, context.run);
  const std::vector<FoundException> exceptions =
      told_exceptions(model, aligned.held, cells.known, told_to, users, context.run);
  AssignReport report{file, users.user_count(), model.roles, count_members(told_to, users),
                      count_exceptions(exceptions)};
  report.absent_permissions = aligned.absent.size();
  for (const UnknownPermission& permission : aligned.unknown) report.unknown_permissions.push_back(permission.name);
  report.warnings = people.warnings;
  if (!aligned.absent.empty()) {
    report.warnings.push_back(
        fmt::format("{} permission{} of the model {} not in {}: {}", aligned.absent.size(),
                    aligned.absent.size() == 1 ? "" : "s", aligned.absent.size() == 1 ? "is" : "are", file,
                    options.absent == AbsentPermission::unknown ? "taken as unknown" : "taken as not held"));
  }
  if (people.attributes && !model.attributes) {
    report.warnings.emplace_back("the model was mined without attributes: they were not used");
  }
  const UserEstimates estimates =
      estimate_users(model, aligned.held, users, told_to, cells.known, options.outliers, context.run);
  report.estimates = users_part(estimates, people.access.users, options.outliers);
  if (!options.users_out.empty()) write_users_csv(estimates, people.access.users, options.users_out);
  write_assignments_csv(model, users, told_to, people.access.users, options.assignments);
  if (!options.exceptions.empty()) {
    write_exceptions_csv(exceptions, people.access.users, model.permissions, options.exceptions);
  }
  return told(roles_assign_document(report));
}

// --- evaluate ---------------------------------------------------------------------

struct EvaluateVerbOptions {
  AccessFileOptions access;
  std::string model;
  EvaluateOptions evaluate;
  std::string training;
  std::string attributes;
};

template <class V>
void visit_fields(V& v, EvaluateVerbOptions& o) {
  visit_fields(v, o.access);
  v("model", o.model, Reads{"MODEL.json"}, "the model that `mine` wrote");
  visit_fields(v, o.evaluate);
  v("training", o.training, Reads{"ACCESS0.csv"},
    "the data the model was mined from: then also what the nearest of those users and their majority would predict");
  v("attributes", o.attributes, Reads{"HR.csv"}, "business attributes of the users to be predicted");
}

// The data in the model's permissions, all cells taken as known.
AlignedAccess aligned_to(const RoleModel& model, const Access& access, const std::string& file,
                         std::vector<std::string>& warnings) {
  AlignedAccess aligned = align_permissions(access, model.permissions);
  if (!aligned.unknown.empty()) {
    warnings.push_back(fmt::format("{} permission{} of {} that the model does not know {} left out",
                                   aligned.unknown.size(), aligned.unknown.size() == 1 ? "" : "s", file,
                                   aligned.unknown.size() == 1 ? "was" : "were"));
  }
  if (!aligned.absent.empty()) {
    warnings.push_back(fmt::format("{} permission{} of the model {} not in {}: taken as not held",
                                   aligned.absent.size(), aligned.absent.size() == 1 ? "" : "s",
                                   aligned.absent.size() == 1 ? "is" : "are", file));
  }
  return aligned;
}

// Both lots, of the users and of the disclosed permissions; none after a single draw.
ErrorRate rate_of(const PredictionError& error, std::size_t repeats) {
  return {error.mean, repeats < 2 ? std::numeric_limits<double>::quiet_NaN() : error.both()};
}

Outcome run_evaluate(const EvaluateVerbOptions& options, VerbContext& context) {
  const std::string& file = context.files[0];
  const RoleModel model = read_role_model(options.model);
  const AccessFormat format = access_format(options.access);
  const People people = read_people({file, format, options.attributes, ""}, context.run);
  EvaluateReport report;
  report.warnings = people.warnings;
  const AlignedAccess test = aligned_to(model, people.access, file, report.warnings);
  if (people.attributes && !model.attributes) {
    report.warnings.emplace_back("the model was mined without attributes: they were not used");
  }
  std::vector<NamedGuess> guesses = {{"nothing", guess_nothing}};
  BitMatrix training;
  KnownUsers known;
  if (!options.training.empty()) {
    training =
        aligned_to(model, read_access(options.training, format, context.run).access, options.training, report.warnings)
            .held;
    guesses.push_back({"majority", [&](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
                         return guess_majority(training, held, disclosed);
                       }});
    guesses.push_back({"nearest neighbour", [&](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
                         return guess_nearest(training, held, disclosed, context.run);
                       }});
    if (training.rows() > 1) {
      known = fit_known_users(model, training, context.run);
      guesses.push_back(
          {with_known_users,
           guess_by_roles_and_users(model, known, people.attributes ? &*people.attributes : nullptr, context.run)});
    }
  }
  const EvaluateData data{&test.held, nullptr, people.attributes ? &*people.attributes : nullptr};
  const GeneralizationResult result = evaluate_roles(model, data, options.evaluate, guesses, context.run);
  report.source = file;
  report.users = test.held.rows();
  report.roles = model.role_count();
  report.reveal = options.evaluate.reveal;
  report.repeats = result.repeats;
  report.posterior = rate_of(result.posterior, result.repeats);
  report.literal = rate_of(result.nearest, result.repeats);
  for (const NamedError& reference : result.references) {
    const ErrorRate rate = rate_of(reference.error, result.repeats);
    if (reference.name == with_known_users) {
      report.with_known_users = rate;
    } else {
      report.references.emplace_back(reference.name, rate);
    }
  }
  return told(roles_evaluate_document(report));
}

// --- select -----------------------------------------------------------------------

enum class SelectMethod { mac, sac };

struct SelectVerbOptions {
  AccessFileOptions access;
  std::string roles;
  Criterion criterion = Criterion::description_length;
  SelectOptions select;
  std::size_t max_roles_per_user = MineOptions{}.max_roles_per_user;
  SelectMethod method = SelectMethod::mac;
  RoleNoise noise = RoleNoise::mixture;
};

template <class V>
void visit_fields(V& v, SelectVerbOptions& o) {
  visit_fields(v, o.access);
  v("roles", o.roles, Text{"LO..HI"}, "the numbers of roles that are tried");
  v("criterion", o.criterion,
    Choices{{"capacity", "generalization", "stability", "held-out", "bic", "description-length"}},
    "what decides; all are shown");
  v("repeats", o.select.repeats, Range<std::size_t>{1, 1000}, "how many times the users are cut in halves");
  v("reveal", o.select.reveal, Range<double>{0.0, 1.0},
    "share of the permissions disclosed to measure the generalisation error");
  v("max_roles_per_user", o.max_roles_per_user, Range<std::size_t>{1, 1000}, "most roles a user may have");
  v("method", o.method, Choices{{"mac", "sac"}}, "overlapping roles, or one role per user");
  v("noise", o.noise, Choices{{"mixture", "none", "flip", "symmetric-flip"}}, "how exceptions come about");
}

Outcome run_select(const SelectVerbOptions& options, VerbContext& context) {
  const std::string& file = context.files[0];
  const RoleRange range = parse_role_range(options.roles);
  const People people = read_people({file, access_format(options.access), "", ""}, context.run);
  MineOptions mine;
  mine.max_roles_per_user = options.max_roles_per_user;
  mine.method = options.method == SelectMethod::sac ? RoleMethod::sac : RoleMethod::mac;
  mine.noise = options.noise;
  const Selection selection = select_roles(people.access, range, mine, options.select, {}, context.run);
  RoleSelection found = told_selection(selection, options.criterion, range, file);
  found.warnings = joined(people.warnings, found.warnings);
  return told(roles_select_document(found));
}

// --- simulate ---------------------------------------------------------------------

struct SimulateVerbOptions {
  SimulateAccessOptions simulate;
  double dormant = 0.0;
  AccessLayout layout = AccessLayout::pairs;
  std::string out;
  std::string truth;
  std::string assignments;
  std::string attributes_out;
};

template <class V>
void visit_fields(V& v, SimulateVerbOptions& o) {
  visit_fields(v, o.simulate);
  v("dormant", o.dormant, Range<double>{0.0, 1.0},
    "share of the users with status dormant in --attributes-out; above 0 there is such a column");
  v("layout", o.layout, Choices{{"pairs", "matrix"}},
    "one user and permission per line, or one 0/1 column per permission");
  v("out", o.out, Writes{"ACCESS.csv", "-"}, "write who holds what here; '-' or nothing: standard output");
  v("truth", o.truth, Writes{"ROLES.csv"}, "write the permissions of the true roles here");
  v("assignments", o.assignments, Writes{"ASSIGN.csv"}, "write the true roles of each user here");
  v("attributes_out", o.attributes_out, Writes{"HR.csv"},
    "write the department of each user here; needs --attribute-values or --dormant");
}

// Dormant users hold what they held: nothing but the status tells them.
void add_status(PlantedAccess& planted, double share, const Rng& rng) {
  Attributes attributes = planted.attributes.value_or(Attributes{});
  const std::size_t before = attributes.count();
  attributes.names.emplace_back("status");
  const std::vector<std::string> words = {"active", "dormant"};
  attributes.values.emplace_back(words);
  std::vector<std::uint32_t> value;
  for (std::size_t n = 0; n < planted.access.user_count(); ++n) {
    for (std::size_t a = 0; a < before; ++a) value.push_back(attributes.value[n * before + a]);
    Rng own = rng.child(n);
    value.push_back(own.uniform() < share ? 1U : 0U);
  }
  attributes.value = std::move(value);
  planted.attributes = std::move(attributes);
}

// The true roles as a model, for the writers of models.
RoleModel model_of(const PlantedAccess& planted) {
  RoleModel model;
  model.permissions = planted.access.permissions.to_vector();
  model.roles = role_names(planted.roles, model.permissions);
  for (std::size_t k = 0; k < planted.roles.rows(); ++k) {
    for (std::size_t d = 0; d < planted.roles.columns(); ++d) model.absence.push_back(planted.roles(k, d) ? 0.0 : 1.0);
  }
  return model;
}

// Every user has one set of roles for certain.
UserPosteriors certain_sets(const PlantedAccess& planted, RoleModel& model) {
  UserPosteriors users;
  for (std::size_t n = 0; n < planted.assignments.rows(); ++n) {
    std::vector<std::uint32_t> members;
    for_each_bit(planted.assignments.row(n), [&](std::size_t k) { members.push_back(static_cast<std::uint32_t>(k)); });
    users.shares.push_back({static_cast<std::uint32_t>(model.sets.size()), 1.0});
    users.ends.push_back(users.shares.size());
    model.sets.add(members);
  }
  return users;
}

Outcome run_simulate(const SimulateVerbOptions& options, VerbContext& context) {
  if (!options.attributes_out.empty() && options.simulate.attribute_values == 0 && options.dormant == 0.0) {
    fail(ErrorKind::usage, "--attributes-out: needs --attribute-values or --dormant; else there are no attributes");
  }
  const Seed seed{context.common.seed};
  PlantedAccess planted = simulate_access(options.simulate, stream(seed, Stream::roles_simulation));
  if (options.dormant > 0.0) add_status(planted, options.dormant, stream(seed, Stream::roles_dormant));
  RoleModel truth = model_of(planted);
  write_access_csv(planted.access, options.layout, options.out);
  if (!options.truth.empty()) write_roles_csv(truth, options.truth);
  if (!options.assignments.empty()) {
    const UserPosteriors users = certain_sets(planted, truth);
    write_assignments_csv(truth, users, planted.assignments, planted.access.users, options.assignments);
  }
  if (!options.attributes_out.empty()) {
    write_attributes_csv(*planted.attributes, planted.access.users, options.attributes_out);
  }
  const std::size_t held = planted.access.held.count();
  Outcome outcome;
  outcome.text = fmt::format("{} permissions held by {} users of {} roles written to {}\n", held,
                             planted.access.user_count(), planted.roles.rows(), options.out);
  Value::List roles;
  for (std::size_t k = 0; k < planted.roles.rows(); ++k) {
    std::size_t members = 0;
    for (std::size_t n = 0; n < planted.assignments.rows(); ++n) members += planted.assignments(n, k) ? 1 : 0;
    roles.push_back(
        Value::object({{"name", truth.roles[k]}, {"permissions", planted.roles.count(k)}, {"members", members}}));
  }
  outcome.json = Value::object({{"users", planted.access.user_count()},
                                {"permissions", planted.access.permission_count()},
                                {"held", held},
                                {"roles", std::move(roles)}});
  return outcome;
}

}  // namespace

std::vector<Verb> roles_verbs() {
  return {
      roles_mine_verb(),
      roles_check_verb(),
      make_verb("roles", "assign", "the roles of users the model has not seen, perhaps known in part", {access_data},
                {{"model"}, {"assignments"}}, run_assign),
      make_verb("roles", "evaluate", "how well a model predicts what users hold", {access_data}, {{"model"}},
                run_evaluate),
      make_verb("roles", "select", "how many roles there are, by several criteria", {access_data}, {{"roles"}},
                run_select),
      make_verb("roles", "simulate", "access data with known roles, to try things with", {}, {}, run_simulate,
                without_page),
  };
}

}  // namespace motet::roles
