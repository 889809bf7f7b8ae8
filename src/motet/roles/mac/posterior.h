// What a model says of users: which sets of roles, how likely, what else they would hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/access.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

struct SetShare {
  std::uint32_t set = 0;  // number in RoleModel::sets
  double probability = 0.0;
};

struct UserPosteriors {
  std::vector<std::size_t> ends;       // by user: end of their part of `shares`
  std::vector<SetShare> shares;        // most probable first; sums to 1 per user
  std::vector<double> log_likelihood;  // by user: log p(known cells)
  double dropped = 0.0;                // the largest mass left out at any user

  std::size_t user_count() const { return ends.size(); }
  std::span<const SetShare> of(std::size_t user) const {
    const std::size_t begin = user == 0 ? 0 : ends[user - 1];
    return {shares.data() + begin, ends[user] - begin};
  }
};

struct KnownCells {
  const BitMatrix* known = nullptr;        // users x permissions, 1 = known; null: all
  const Attributes* attributes = nullptr;  // null: none; columns and words are matched by name
};

// `held` has the model's permissions in its order.
UserPosteriors user_posteriors(const RoleModel& model, const BitMatrix& held, const KnownCells& cells,
                               const RunContext& run);

// By permission: P(a role of theirs grants it) = 1 - sum_L gamma_L beta_Ld.
std::vector<double> granted(const RoleModel& model, std::span<const SetShare> shares);

// By role: P(user has it); P(user has none). From 0 to 1.
std::vector<double> role_shares(const RoleModel& model, std::span<const SetShare> shares);
std::vector<double> role_shares(const RoleModel& model, const UserPosteriors& posteriors);  // users x roles
double no_role_share(const RoleModel& model, std::span<const SetShare> shares);

// The most probable set of each user, as a users x roles matrix.
BitMatrix most_probable_roles(const RoleModel& model, const UserPosteriors& posteriors);

}  // namespace motet::roles
