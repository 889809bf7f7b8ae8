#include "motet/roles/mine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "motet/base/error.h"
#include "motet/measure/boolean.h"
#include "motet/roles/attribute_profile.h"
#include "motet/roles/baselines/asso.h"
#include "motet/roles/baselines/bica.h"
#include "motet/roles/baselines/dbps.h"
#include "motet/roles/baselines/from_factors.h"
#include "motet/roles/baselines/ino.h"
#include "motet/roles/changes.h"
#include "motet/roles/constraints.h"
#include "motet/roles/mac/mac_fit.h"
#include "motet/roles/mac/noise_interval.h"
#include "motet/roles/mac/search.h"
#include "motet/roles/naming.h"

namespace motet::roles {
namespace {

constexpr double exception_threshold = 0.5;
constexpr double dropped_limit = 1e-3;  // of a user's posterior; beyond it a warning

std::size_t distinct_rows(const BitMatrix& bits) { return merge_equal(bits, {true, false}).bits.rows(); }

// Roles as probabilities need a noise that is a number, and cannot promise what a role must not hold.
void check_combination(const MineOptions& options, const RoleConstraints& constraints) {
  const bool by_user = options.noise_scope == NoiseScope::user;
  if (options.centroids == Centroids::soft && by_user) {
    fail(ErrorKind::usage, "centroids = soft does not work with noise_scope = user; use best or rounded");
  }
  if (options.centroids == Centroids::soft && !constraints.never_in_one_role.empty()) {
    fail(ErrorKind::usage,
         "centroids = soft does not work with permissions that must never share a role; use best or rounded");
  }
  if (by_user && (options.noise == RoleNoise::none || options.noise == RoleNoise::symmetric_flip)) {
    fail(ErrorKind::usage, "noise_scope = user works with noise = mixture or flip only");
  }
}

std::vector<std::string> check_question(const Access& access, std::size_t roles, const RoleConstraints& constraints) {
  if (access.user_count() == 0 || access.permission_count() == 0) {
    fail(ErrorKind::unanswerable, "there are no users with permissions; nothing can be mined");
  }
  if (access.held.count() == 0) fail(ErrorKind::unanswerable, "nobody holds anything; there are no roles to find");
  std::vector<std::string> warnings = check_constraints(constraints, access.permissions);
  const std::size_t distinct = distinct_rows(access.held);
  if (roles > distinct) {
    fail(ErrorKind::unanswerable,
         fmt::format("roles = {} is more than the {} distinct users; ask for at most {}", roles, distinct, distinct));
  }
  return warnings;
}

Factorization factors_of(const BitMatrix& held, std::size_t roles, const MineOptions& options, const RunContext& run) {
  if (options.method == RoleMethod::ino) return ino(held, {}, run);
  const MergedMatrix merged = merge_equal(held);
  switch (options.method) {
    case RoleMethod::asso: return unmerged(asso(merged, roles, {}, run), merged);
    case RoleMethod::dbps: return unmerged(dbps(merged, roles, {}, run), merged);
    default: return unmerged(bica(merged, roles, {}, run), merged);
  }
}

bool is_baseline(RoleMethod method) { return method != RoleMethod::mac && method != RoleMethod::sac; }

std::vector<double> memberships(const RoleModel& model, const UserPosteriors& users) {
  std::vector<double> result;
  for (std::size_t n = 0; n < users.user_count(); ++n) {
    const std::vector<double> of_user = role_shares(model, users.of(n));
    result.insert(result.end(), of_user.begin(), of_user.end());
  }
  return result;
}

void name_roles(RoleFit& fit, const MineData& data, const RoleConstraints& constraints,
                const std::vector<double>& membership) {
  std::vector<std::string> words;
  if (data.attributes != nullptr) {
    words = naming_values(attribute_profile(membership, fit.model.role_count(), *data.attributes));
  }
  fit.model.roles = role_names(fit.model, words);
  if (data.previous != nullptr) fit.model.roles = carried_names(fit.model, role_changes(*data.previous, fit.model));
  for (std::size_t k = 0; k < constraints.keep_names.size(); ++k) fit.model.roles[k] = constraints.keep_names[k];
  fit.model.roles = unique_names(std::move(fit.model.roles));
}

void estimate_roles(RoleFit& fit, const std::vector<double>& membership) {
  const std::size_t count = fit.model.role_count();
  const std::vector<std::vector<std::uint32_t>> telling = telling_permissions(fit.model);
  fit.roles.assign(count, {});
  for (std::size_t n = 0; n < fit.users.user_count(); ++n) {
    for (std::size_t k = 0; k < count; ++k) fit.roles[k].expected += membership[n * count + k];
    for (const std::uint32_t k : fit.model.sets[fit.users.of(n).front().set]) {
      ++fit.roles[k].members;
      fit.roles[k].confidence += membership[n * count + k];
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    RoleEstimate& role = fit.roles[k];
    role.confidence = role.members > 0 ? role.confidence / static_cast<double>(role.members)
                                       : std::numeric_limits<double>::quiet_NaN();
    role.telling = telling[k];
  }
}

void warn(RoleFit& fit) {
  const BitMatrix roles = rounded_roles(fit.model);
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    if (fit.roles[k].members == 0) {
      fit.warnings.push_back(
          fmt::format("role '{}' has no members: the data may support fewer roles", fit.model.roles[k]));
    }
    for (std::size_t j = 0; j < k; ++j) {
      if (roles.count(k) > 0 && differing_cells(roles.rows_of(std::vector{static_cast<std::uint32_t>(k)}),
                                                roles.rows_of(std::vector{static_cast<std::uint32_t>(j)})) == 0) {
        fit.warnings.push_back(
            fmt::format("roles '{}' and '{}' have the same permissions: the data may support fewer roles",
                        fit.model.roles[j], fit.model.roles[k]));
      }
    }
  }
  if (fit.dropped_mass > dropped_limit) {
    fit.warnings.push_back(
        fmt::format("sets of roles with up to {:.2g} of a user's probability were left out", fit.dropped_mass));
  }
  if (fit.summary.stop == Stop::iteration_limit) {
    fit.warnings.push_back(
        fmt::format("not converged after {} iterations; raise --max-iterations", fit.summary.iterations()));
  }
  if (fit.summary.stop == Stop::objective_fell) {
    fit.warnings.insert(fit.warnings.end(), fit.summary.warnings.begin(), fit.summary.warnings.end());
  }
}

}  // namespace

RoleFit mine_roles(const MineData& data, std::size_t roles, const MineOptions& options,
                   const RoleConstraints& constraints, const RunContext& run) {
  const Access& access = *data.access;
  check_ranges(options);
  check_combination(options, constraints);
  const std::vector<std::string> warnings = check_question(access, roles, constraints);
  const bool has_constraints = !constraints.never_in_one_role.empty() || constraints.keep.rows() > 0;
  RoleFit fit;
  Factorization factors;
  if (is_baseline(options.method)) {
    if (has_constraints) {
      fail(ErrorKind::usage, "constraints and kept roles work with --method mac or sac only");
    }
    factors = factors_of(access.held, roles, options, run);
    fit.model = model_from_factors(access, factors, options.max_roles_per_user, options.method);
    fit.summary.stop = Stop::converged;
  } else {
    MacFit found = fit_mac(data, roles, options, constraints, run);
    fit.model = std::move(found.model);
    fit.summary = std::move(found.summary);
    fit.starts = std::move(found.starts);
    fit.winning_start = found.winning_start;
    fit.warnings = warnings;
    const std::size_t degree = feasible_degree(fit.model.role_count(), options.max_roles_per_user);
    if (options.method == RoleMethod::mac && degree < std::min(options.max_roles_per_user, fit.model.role_count())) {
      fit.warnings.push_back(
          fmt::format("with {} roles a user may have at most {}: more would make too many sets of roles",
                      fit.model.role_count(), degree));
    }
  }
  const std::vector<std::size_t> order = order_by_members(fit.model);
  fit.model = with_role_order(fit.model, order);
  if (factors.assignments.rows() > 0) {
    const std::vector<std::uint32_t> columns(order.begin(), order.end());
    factors.assignments = factors.assignments.columns_of(columns);
  }
  if (run.observer) run.observer({"assigning users", 0.0, 0.0, "users"});
  fit.users = user_posteriors(fit.model, access.held, {nullptr, data.attributes}, run);
  fit.log_likelihood = std::accumulate(fit.users.log_likelihood.begin(), fit.users.log_likelihood.end(), 0.0);
  fit.free_energy = -fit.log_likelihood;
  fit.dropped_mass = fit.users.dropped;
  fit.capacity_bits = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> membership = memberships(fit.model, fit.users);
  name_roles(fit, data, constraints, membership);
  estimate_roles(fit, membership);
  const BitMatrix assigned =
      is_baseline(options.method) ? factors.assignments : most_probable_roles(fit.model, fit.users);
  const BitMatrix rebuilt = boolean_product(assigned, rounded_roles(fit.model));
  fit.training_error = reconstruction_error(rebuilt, access.held);
  fit.coverage = coverage(rebuilt, access.held, true);
  fit.exceptions = find_exceptions(fit.model, access.held, fit.users, exception_threshold, run);
  const NoiseIntervals noise = noise_intervals(fit.model, access.held, fit.users, options.confidence, run);
  fit.noise_fraction = noise.fraction;
  fit.set_probability = noise.set_probability;
  warn(fit);
  return fit;
}

}  // namespace motet::roles
