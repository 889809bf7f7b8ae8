#include <fmt/format.h>

#include <optional>
#include <utility>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/access.h"
#include "motet/door/inside.h"
#include "motet/io/record_text.h"
#include "motet/roles/choice/select.h"
#include "motet/roles/mine.h"
#include "motet/roles/role_record.h"
#include "motet/roles/simulate.h"
#include "motet/roles/sparse/grown_sets.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/roles.h"

namespace motet::roles {
namespace {

motet::Access inside(const Access& access) {
  motet::Access result{NameList(access.users), NameList(access.permissions),
                       BitMatrix(access.users.size(), access.permissions.size())};
  for (const Grant& grant : access.grants) {
    if (grant.user >= access.users.size() || grant.permission >= access.permissions.size()) {
      fail(ErrorKind::usage, "access: a user or permission has a number beyond the list of names");
    }
    result.held.set(grant.user, grant.permission);
  }
  return result;
}

motet::Attributes inside(const Attributes& attributes, std::size_t users) {
  motet::Attributes result;
  result.names = attributes.names;
  door::require_size("attributes: words", attributes.words.size(), users * attributes.names.size());
  std::vector<NameTable> words(attributes.names.size());
  for (std::size_t i = 0; i < attributes.words.size(); ++i) {
    const std::string& word = attributes.words[i];
    result.value.push_back(word.empty() ? motet::Attributes::missing : words[i % words.size()].id_of(word));
  }
  for (NameTable& table : words) result.values.push_back(table.take_names());
  return result;
}

// By a method that takes rules and a range of numbers.
bool is_searched(const MineOptions& options) {
  return options.method == RoleMethod::mac || options.method == RoleMethod::sac;
}

RoleConstraints inside(const Rules& rules, std::size_t permissions) {
  RoleConstraints constraints{rules.never_share_role, rules.never_share_user, {}, {rules.keep.size(), permissions}};
  for (std::size_t k = 0; k < rules.keep.size(); ++k) {
    constraints.keep_names.push_back(rules.keep[k].name);
    for (const std::uint32_t permission : rules.keep[k].permissions) {
      if (permission >= permissions)
        fail(ErrorKind::usage, "rules: a permission has a number beyond the list of names");
      constraints.keep.set(k, permission);
    }
  }
  for (const auto& [first, second] : rules.never_share_role) {
    if (first >= permissions || second >= permissions) {
      fail(ErrorKind::usage, "rules: a permission has a number beyond the list of names");
    }
  }
  for (const auto& [first, second] : rules.never_share_user) {
    if (first >= rules.keep.size() || second >= rules.keep.size()) {
      fail(ErrorKind::usage, "rules: a role has a number beyond the list of those that are kept");
    }
  }
  return constraints;
}

std::vector<std::vector<std::uint32_t>> sets_of(const BitMatrix& rows) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    std::vector<std::uint32_t>& set = sets.emplace_back();
    for_each_bit(rows.row(n), [&](std::size_t k) { set.push_back(static_cast<std::uint32_t>(k)); });
  }
  return sets;
}

Assignments told(const RoleModel& model, const UserPosteriors& users, const BitMatrix& sets) {
  Assignments result{sets_of(sets), {}};
  for (std::size_t n = 0; n < users.user_count(); ++n) {
    const std::vector<double> shares = role_shares(model, users.of(n));
    result.probability.insert(result.probability.end(), shares.begin(), shares.end());
  }
  return result;
}

Role told(const RoleFit& fit, std::size_t k) {
  Role role{.name = fit.model.roles[k], .members = fit.roles[k].members};
  for (std::size_t d = 0; d < fit.model.permission_count(); ++d) {
    if (fit.model.has(k, d)) role.permissions.push_back(static_cast<std::uint32_t>(d));
    role.probability.push_back(1.0 - fit.model.beta(k, d));
  }
  return role;
}

}  // namespace

Access access_from(std::span<const NamedGrant> grants) {
  NameTable users;
  NameTable permissions;
  Access access;
  for (const NamedGrant& grant : grants) {
    access.grants.push_back({users.id_of(grant.user), permissions.id_of(grant.permission)});
  }
  access.users = users.take_names().to_vector();
  access.permissions = permissions.take_names().to_vector();
  return access;
}

const std::vector<std::string>& Model::roles() const { return inside().roles; }
const std::vector<std::string>& Model::permissions() const { return inside().permissions; }

std::vector<std::uint32_t> Model::granted(std::size_t role) const {
  std::vector<std::uint32_t> permissions;
  for (std::size_t d = 0; d < inside().permission_count(); ++d) {
    if (inside().has(role, d)) permissions.push_back(static_cast<std::uint32_t>(d));
  }
  return permissions;
}

std::string to_text(const Model& model) { return record_text(to_record(model.inside())); }

Model model_from_text(std::string_view text) { return door::model_of<Model>(text, roles_from_record); }

Mined mine(const Access& access, std::size_t count, const Options& options, const Run& run,
           const Attributes& attributes, const Rules& rules) {
  const motet::Access data = inside(access);
  const motet::Attributes known = inside(attributes, access.users.size());
  const auto chosen = door::inside_options<MineOptions>(options);
  if (!is_searched(chosen) && !(rules.never_share_role.empty() && rules.keep.empty())) {
    fail(ErrorKind::usage, "constraints and kept roles work with --method mac or sac only");
  }
  RoleFit fit = mine_roles({&data, known.count() == 0 ? nullptr : &known, nullptr}, count, chosen,
                           inside(rules, access.permissions.size()), door::inside(run));
  std::vector<Role> roles;
  for (std::size_t k = 0; k < fit.model.role_count(); ++k) roles.push_back(told(fit, k));
  std::vector<Exception> exceptions;
  for (const FoundException& one : fit.exceptions) {
    exceptions.push_back({one.user, one.permission, one.kind == ExceptionKind::extra, one.probability});
  }
  Assignments assignments = told(fit.model, fit.users, fit.told);
  return {door::outside<Model>(std::move(fit.model)),
          std::move(roles),
          std::move(assignments),
          std::move(exceptions),
          std::move(fit.summary),
          fit.log_likelihood,
          fit.training_error,
          fit.coverage,
          fit.noise_fraction,
          std::move(fit.warnings)};
}

OptionList mine_options() { return door::list_of_options<MineOptions>(); }

std::size_t choose_count(const Access& access, std::size_t low, std::size_t high, const Options& options,
                         const Run& run) {
  if (low == 0 || low > high) {
    fail(ErrorKind::usage, fmt::format("--roles: {}..{} is not a range of numbers of roles", low, high));
  }
  const auto chosen = door::inside_options<MineOptions>(options);
  if (!is_searched(chosen)) {
    fail(ErrorKind::usage,
         fmt::format("--roles: the range {}..{} works with --method mac or sac only; give one number", low, high));
  }
  const Selection selection =
      select_roles(inside(access), {low, high}, chosen, {}, {false, false, false}, door::inside(run));
  const std::optional<std::size_t> best = selection.by(Criterion::description_length);
  if (!best) {
    fail(ErrorKind::unanswerable,
         fmt::format("--roles {}..{}: nothing in the data asks for so many roles; ask for fewer", low, high));
  }
  return *best;
}

Assignments assign(const Model& model, const Access& access, const Run& run) {
  RoleModel inner = model.inside();
  const AlignedAccess aligned = align_permissions(inside(access), inner.permissions);
  const RunContext context = door::inside(run);
  add_sets_of(inner, aligned.held, nullptr, context.threads);
  const UserPosteriors users = user_posteriors(inner, aligned.held, {}, context);
  return told(inner, users, told_roles(inner, aligned.held, nullptr, users, {}, context));
}

Simulated simulate(const Options& options, const Run& run) {
  const PlantedAccess made = simulate_access(door::inside_options<SimulateAccessOptions>(options),
                                             stream(Seed{run.seed}, Stream::roles_simulation));
  Simulated result{{made.access.users.to_vector(), made.access.permissions.to_vector(), {}}, {}, {}, {}};
  for (std::uint32_t n = 0; n < made.access.user_count(); ++n) {
    for_each_bit(made.access.held.row(n), [&](std::size_t d) {
      result.access.grants.push_back({n, static_cast<std::uint32_t>(d)});
    });
  }
  result.roles = sets_of(made.roles);
  result.assignments = sets_of(made.assignments);
  if (made.attributes) {
    const motet::Attributes& known = *made.attributes;
    result.attributes.names = known.names;
    for (std::size_t i = 0; i < known.value.size(); ++i) {
      const std::uint32_t word = known.value[i];
      const bool is_missing = word == motet::Attributes::missing;
      result.attributes.words.emplace_back(is_missing ? "" : known.values[i % known.count()][word]);
    }
  }
  return result;
}

OptionList simulate_options() { return door::list_of_options<SimulateAccessOptions>(); }

}  // namespace motet::roles
