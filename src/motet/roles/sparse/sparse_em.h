// EM for yes/no roles and one noise level where all sets of roles are too many to list: the sets of a user are grown
// anew in each E-step (set_growth.h), and nothing is held for users x sets or roles x permissions x sets.
//
//   E-step  gamma_nL over the sets near the best one of user n, or those of the step before if they explain the user
//           better: so the objective, sum over n of log sum over the sets of p(L) p(x_n | L), never falls
//   M-step  one role after the other: permission d belongs to role k when that gains over the members for whom no
//           other role grants d; then (p0, p1) from counts; then the share of users of each role
// p(L) is the product over the roles of s_k for those in L and of 1 - s_k for the others.
#pragma once

#include <vector>

#include "motet/base/run.h"
#include "motet/roles/role_model.h"
#include "motet/roles/sparse/set_growth.h"

namespace motet::roles {

struct SparseRules {
  GrowthRules growth;
  RoleNoise noise = RoleNoise::mixture;
  std::size_t kept = 0;                                // the first roles, which stay as they are
  std::vector<std::vector<std::uint32_t>> never_with;  // by permission: those no role may hold beside it; may be empty
};

struct SparseRoles {
  SparseRows roles;
  double p0 = 0.01;
  double p1 = 0.9;
  std::vector<double> share;  // of the users, by role
  double objective = 0.0;     // log-likelihood with the sets of the last E-step
};

struct SetOfUser {
  std::vector<std::uint32_t> roles;
  double share = 0.0;  // of the posterior
};

struct SparsePosteriors {
  std::vector<std::vector<SetOfUser>> of;  // by user; the most probable first
  double objective = 0.0;
  std::size_t unproved = 0;  // users of whom it is not proved that the first set is the most probable one
};

// `before` may be null.
SparsePosteriors respond(const SparseRows& held, const SparseRoles& state, const SparseRules& rules,
                         const SparsePosteriors* before, Threads threads);

void maximise(const SparseRows& held, const SparsePosteriors& posteriors, const SparseRules& rules, SparseRoles& state,
              Threads threads);

struct SparseFit {
  SparseRoles state;
  SparsePosteriors posteriors;
  FitSummary summary;
};

struct SparseFitRule {
  std::size_t max_iterations = 500;
  double tolerance = 1e-6;  // largest change of a probability when no role changed
};

// The whole loop. With a stage it keeps checkpoints and goes on from one.
SparseFit fit_sparse(const SparseRows& held, SparseRoles start, const SparseRules& rules, const SparseFitRule& rule,
                     const RunContext& run, std::string_view stage = {});

constexpr const char* sparse_stage = "roles grown";

// Roles alone to begin with: levels from the density of the data, every role had by as many users.
SparseRoles sparse_start(SparseRows roles, const SparseRows& held, std::size_t most_roles);

}  // namespace motet::roles
