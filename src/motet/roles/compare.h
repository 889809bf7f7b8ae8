// Would a simpler method do as well? Mined roles beside the greedy method asso (asso.h) with as many
// roles, on the same data, and two guesses without any roles (neighbours.h).
//
// Training error (2.20) and coverage (2.21) come from the rounded roles and the users' most probable
// sets. They favour whoever has more freedom, so the fair comparison is the generalisation error: both
// methods are fitted on four fifths of the users and predict the others, of whom a tenth of the
// permissions is disclosed (evaluate.h). Ours predicts by its posterior; asso by its posterior or by
// the nearest set of roles (2.24), whichever does better.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "motet/roles/mine.h"

namespace motet::roles {

struct MethodScore {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::string method;
  std::size_t roles = 0;
  double training_error = none;
  double coverage = none;
  double mean_overlap = none;          // Jaccard of permissions, mean over pairs of roles
  double generalization_error = none;  // of held-out users
  double standard_error = none;        // of it: the lot of the users and that of the disclosed permissions
};

// Whether a simpler method does as well as the fit: its generalisation error is within one standard error of the
// fit's or, where that was not measured, its training error is not larger with no more roles.
bool does_as_well(const MethodScore& simple, const MethodScore& fit);

struct CompareOptions {
  bool held_out = false;  // measure the generalisation error too, which takes two more fits
  double reveal = 0.1;
  std::size_t repeats = 10;
  std::size_t most_users = 4000;  // of those held out and those fitted together; more are thinned by lot
};

struct Comparison {
  std::vector<MethodScore> methods;  // the fit first
  std::string note;                  // why nothing was held out although it was asked for; or empty
};

// `fit` is what mine_roles gave for the same arguments.
Comparison compare_roles(const RoleFit& fit, const MineData& data, std::size_t roles, const MineOptions& options,
                         const RoleConstraints& constraints, const CompareOptions& compare, const RunContext& run);

// How many bits about a user's roles survive the noise (role_capacity.h), between two halves of the users by lot (at
// most 1000 each) under the model of all. Users of the halves are paired by as many roles found in the second half
// alone: pairs by the model itself would confirm it, right or wrong. p(L) is the mean of the users' posteriors, since
// with attributes the model's own is only a part of it. NaN with fewer than two users, when the halves have no set
// of roles in common, and where sets are too many to list: nearly every user then has one of their own.
double capacity_between_halves(const RoleFit& fit, const BitMatrix& held, const RunContext& run);

}  // namespace motet::roles
