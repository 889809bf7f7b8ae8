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
#include "motet/roles/cover/held_starts.h"
#include "motet/roles/mac/mac_fit.h"
#include "motet/roles/mac/noise_interval.h"
#include "motet/roles/naming.h"
#include "motet/roles/priced_roles.h"
#include "motet/roles/sparse/grown_sets.h"

namespace motet::roles {
namespace {

constexpr double dropped_limit = 1e-3;  // of a user's posterior; beyond it a warning

// Roles as probabilities need a noise that is a number, and cannot promise what a role must not hold.
void check_combination(const MineOptions& options, const RoleConstraints& constraints, bool has_attributes) {
  const bool by_user = options.noise_scope == NoiseScope::user;
  if (options.centroids == Centroids::soft && by_user) {
    fail(ErrorKind::usage, "--centroids soft does not work with --noise-scope user; use best or rounded");
  }
  if (options.centroids == Centroids::soft && !constraints.never_in_one_role.empty()) {
    fail(ErrorKind::usage,
         "--centroids soft does not work with permissions that must never share a role; use best or rounded");
  }
  if (by_user && (options.noise == RoleNoise::none || options.noise == RoleNoise::symmetric_flip)) {
    fail(ErrorKind::usage, "--noise-scope user works with --noise mixture or flip only");
  }
  if (options.set_shares == SetShares::uniform && has_attributes) {
    fail(ErrorKind::usage, "--set-shares uniform does not work with --attributes, which say how common sets are");
  }
  if (options.over_grant_cost.empty()) return;
  parse_over_grant_cost(options.over_grant_cost);
  if (options.least_probability) {
    fail(ErrorKind::usage, "--least-probability does not work with --over-grant-cost, which says who gets which role");
  }
}

std::vector<std::string> check_question(const Access& access, std::size_t roles, const RoleConstraints& constraints) {
  if (access.user_count() == 0 || access.permission_count() == 0) {
    fail(ErrorKind::unanswerable, "there are no users with permissions; nothing can be mined");
  }
  if (access.held.count() == 0) fail(ErrorKind::unanswerable, "nobody holds anything; there are no roles to find");
  std::vector<std::string> warnings = check_constraints(constraints, access.permissions);
  const std::size_t distinct = count_distinct_rows(access.held);
  if (roles > distinct) {
    fail(ErrorKind::unanswerable, fmt::format("--roles {} is more than the {} distinct user{}; ask for at most {}",
                                              roles, distinct, distinct == 1 ? "" : "s", distinct));
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
    for_each_bit(fit.told.row(n), [&](std::size_t k) {
      ++fit.roles[k].members;
      fit.roles[k].confidence += membership[n * count + k];
    });
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
    if (roles.count(k) == 0) {
      fit.warnings.push_back(fmt::format(
          "role '{}' grants nothing with probability above 1/2: nobody is told to have it", fit.model.roles[k]));
    } else if (fit.roles[k].members == 0) {
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
    fit.warnings.push_back(fmt::format("not converged after {} iteration{}; raise --max-iterations",
                                       fit.summary.iterations(), fit.summary.iterations() == 1 ? "" : "s"));
  }
  if (fit.summary.stop == Stop::objective_fell) {
    fit.warnings.insert(fit.warnings.end(), fit.summary.warnings.begin(), fit.summary.warnings.end());
  }
}

// The sets of roles that hold none of the pairs.
void leave_out_pairs(RoleModel& model, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  if (pairs.empty()) return;
  LabelSets sets;
  std::vector<double> share;
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    const auto has = [&](std::uint32_t role) {
      return std::find(model.sets[l].begin(), model.sets[l].end(), role) != model.sets[l].end();
    };
    if (std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return has(p.first) && has(p.second); })) continue;
    sets.add(model.sets[l]);
    share.push_back(model.set_share[l]);
  }
  const double sum = std::accumulate(share.begin(), share.end(), 0.0);
  for (double& s : share) s /= sum;
  model.sets = std::move(sets);
  model.set_share = std::move(share);
}

// What was asked for of the noise model alone, then with a price on what roles newly grant; or what begins with roles
// that newly grant nothing, if that costs less.
void set_price(RoleFit& fit, const MineData& data, const MineOptions& options, const RoleConstraints& constraints,
               const RunContext& run) {
  if (options.over_grant_cost.empty()) return;
  const BitMatrix& held = data.access->held;
  const UserPosteriors users = user_posteriors(fit.model, held, {nullptr, data.attributes}, run);
  PriceRules rules;
  rules.price = parse_over_grant_cost(options.over_grant_cost);
  rules.most_roles = options.method == RoleMethod::sac ? 1 : options.max_roles_per_user;
  rules.frozen = constraints.keep.rows();
  rules.never_in_one_role = constraints.never_in_one_role;
  rules.never_with_one_user = constraints.never_with_one_user;
  Factorization found =
      priced_roles(held, {rounded_roles(fit.model), told_roles(fit.model, held, nullptr, users, {}, run)}, rules, run);
  const std::size_t added = fit.model.role_count() - rules.frozen;
  rules.rises = false;
  for (Factorization& start : held_starts(held, constraints.keep, added, rules, run)) {
    Factorization other = priced_roles(held, std::move(start), rules, run);
    if (cost_of_roles(held, other, rules.price) < cost_of_roles(held, found, rules.price)) found = std::move(other);
  }
  fit.model = model_from_factors(*data.access, found, rules.most_roles, options.method);
  leave_out_pairs(fit.model, constraints.never_with_one_user);
  std::fill_n(fit.model.frozen.begin(), rules.frozen, std::uint8_t{1});
  fit.model.over_grant_cost = rules.price;
}

void tell(RoleFit& fit, const MineData& data, const MineOptions& options, const RoleConstraints& constraints,
          const RunContext& run) {
  const BitMatrix& held = data.access->held;
  if (run.observer) run.observer({"assigning users", 0.0, 0.0, "users"});
  add_sets_of(fit.model, held, nullptr, run.threads);
  fit.users = user_posteriors(fit.model, held, {nullptr, data.attributes}, run);
  fit.log_likelihood = std::accumulate(fit.users.log_likelihood.begin(), fit.users.log_likelihood.end(), 0.0);
  fit.free_energy = -fit.log_likelihood;
  fit.dropped_mass = fit.users.dropped;
  fit.capacity_bits = std::numeric_limits<double>::quiet_NaN();
  fit.told = told_roles(fit.model, held, nullptr, fit.users, options.least_probability, run);
  const std::vector<double> membership = role_shares(fit.model, fit.users);
  name_roles(fit, data, constraints, membership);
  estimate_roles(fit, membership);
  const BitMatrix rebuilt = boolean_product(fit.told, rounded_roles(fit.model));
  fit.training_error = reconstruction_error(rebuilt, held);
  fit.coverage = coverage(rebuilt, held, true);
  fit.exceptions = told_exceptions(fit.model, held, nullptr, fit.told, fit.users, run);
  const NoiseIntervals noise = noise_intervals(fit.model, held, fit.users, options.confidence, run);
  fit.noise_fraction = noise.fraction;
  fit.set_probability = noise.set_probability;
}

}  // namespace

RoleFit mine_roles(const MineData& data, std::size_t roles, const MineOptions& options,
                   const RoleConstraints& constraints, const RunContext& run) {
  const Access& access = *data.access;
  check_ranges(options);
  check_combination(options, constraints, data.attributes != nullptr);
  const std::vector<std::string> warnings = check_question(access, roles, constraints);
  const bool has_constraints = !constraints.never_in_one_role.empty() || constraints.keep.rows() > 0;
  RoleFit fit;
  if (is_baseline(options.method)) {
    if (has_constraints) {
      fail(ErrorKind::usage, "constraints and kept roles work with --method mac or sac only");
    }
    fit.model = model_from_factors(access, factors_of(access.held, roles, options, run), options.max_roles_per_user,
                                   options.method);
    fit.summary.stop = Stop::converged;
  } else {
    MacFit found = fit_mac(data, roles, options, constraints, run);
    fit.model = std::move(found.model);
    fit.summary = std::move(found.summary);
    fit.starts = std::move(found.starts);
    fit.winning_start = found.winning_start;
    fit.keeps_association = found.keeps_association;
    fit.warnings = warnings;
    fit.warnings.insert(fit.warnings.end(), found.warnings.begin(), found.warnings.end());
  }
  set_price(fit, data, options, constraints, run);
  fit.model = with_role_order(fit.model, order_by_members(fit.model));
  tell(fit, data, options, constraints, run);
  warn(fit);
  return fit;
}

}  // namespace motet::roles
