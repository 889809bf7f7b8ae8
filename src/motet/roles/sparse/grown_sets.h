// Models whose sets of roles are too many to list: which sets users have, and their posteriors.
//
// Such a model (RoleModel::grown) lists the sets that users were found to have. The sets of any user, seen or new, are
// grown from the roles (set_growth.h), and
//   p(L) = (1 - u) share of L + u product over the roles of s_k or 1 - s_k,
// u the probability of a set nobody had: after Good and Turing, the share of the users whose set nobody else has.
#pragma once

#include "motet/base/run.h"
#include "motet/roles/mac/noise_interval.h"
#include "motet/roles/mac/posterior.h"
#include "motet/roles/role_model.h"
#include "motet/roles/sparse/sparse_em.h"

namespace motet::roles {

// Puts the sets of the posteriors and the parameters of the state into a model that has names and permissions.
void list_sets(const SparseRoles& state, const SparsePosteriors& posteriors, const SparseRules& rules,
               RoleModel& model);

// Adds the sets that these users may have, with the share 0; nothing to do for models that list all.
// `known` may be null: all cells are.
void add_sets_of(RoleModel& model, const BitMatrix& held, const BitMatrix* known, Threads threads);

// What user_posteriors and noise_intervals give, for models with `grown`. Sets that the model does not
// list have no place in the shares, but count in the likelihood: see add_sets_of.
UserPosteriors grown_posteriors(const RoleModel& model, const BitMatrix& held, const BitMatrix* known,
                                const RunContext& run);
// Sums over users of the products of the derivatives of log p(x_n) by p0 and p1.
std::vector<double> grown_information(const RoleModel& model, const BitMatrix& held, const UserPosteriors& users,
                                      Threads threads);

}  // namespace motet::roles
