// Small role models for tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "motet/base/rng.h"
#include "motet/data/bit_matrix.h"
#include "motet/roles/mac/label_sets.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

// Yes/no roles, all sets of at most `degree` of them alike in share, one noise.
inline RoleModel hard_model(const BitMatrix& roles, std::size_t degree, double p0, double p1) {
  RoleModel model;
  for (std::size_t d = 0; d < roles.columns(); ++d) model.permissions.push_back("p" + std::to_string(d));
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    model.roles.push_back("r" + std::to_string(k));
    for (std::size_t d = 0; d < roles.columns(); ++d) model.absence.push_back(roles(k, d) ? 0.0 : 1.0);
  }
  model.p0 = {p0};
  model.p1 = {p1};
  model.sets = LabelSets::up_to(roles.rows(), degree);
  model.set_share.assign(model.sets.size(), 1.0 / static_cast<double>(model.sets.size()));
  model.frozen.assign(roles.rows(), 0);
  return model;
}

struct DrawnUsers {
  BitMatrix clean;  // what their roles grant
  BitMatrix held;   // with noise
};

// Users of a model of yes/no roles.
inline DrawnUsers draw_users(const RoleModel& model, std::size_t users, Rng& rng) {
  DrawnUsers drawn{BitMatrix(users, model.permission_count()), BitMatrix(users, model.permission_count())};
  for (std::size_t n = 0; n < users; ++n) {
    const std::size_t set = rng.categorical(model.set_share);
    for (std::size_t d = 0; d < model.permission_count(); ++d) {
      const auto members = model.sets[set];
      const bool grants = std::any_of(members.begin(), members.end(), [&](std::uint32_t k) { return model.has(k, d); });
      drawn.clean.set(n, d, grants);
      drawn.held.set(n, d, rng.uniform() < (grants ? model.p1_of(d) : model.p0_of(d)));
    }
  }
  return drawn;
}

}  // namespace motet::roles
