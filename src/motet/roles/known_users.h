// New users by roles and by known users: with probability `role_share` a user is one of the role model, otherwise like
// some known user m, each as likely as another, up to exceptions:
//
//   p(x) = role_share p(x | roles) + (1 - role_share) / M sum_m product over d of c_d^x_d (1 - c_d)^(1 - x_d),
//   c_d = p1 where m holds d, p0 where not.
//
// Roles tell what many users have in common, known users what few have that no role is worth. The three numbers are
// fitted by EM to the known users themselves, each compared with all others; so known users count for as much as they
// can predict of each other beyond the roles. Prediction is by the posterior over sets of roles and known users, given
// what is disclosed.
#pragma once

#include "motet/base/run.h"
#include "motet/roles/evaluate.h"

namespace motet::roles {

struct KnownUsers {
  BitMatrix rows;              // distinct
  std::vector<double> weight;  // users of each row
  double role_share = 1.0;
  double p0 = 0.0;
  double p1 = 1.0;
  FitSummary summary;
};

// `training` has the model's permissions in its order. Of very many users some are drawn by lot.
KnownUsers fit_known_users(const RoleModel& model, const BitMatrix& training, const RunContext& run);

// For evaluate_roles. Model, known users and attributes must outlive it. The attributes (null: none) are those of the
// users to be predicted; they say which roles, and nothing of which known user.
Guess guess_by_roles_and_users(const RoleModel& model, const KnownUsers& known, const Attributes* attributes,
                               const RunContext& run);

}  // namespace motet::roles
