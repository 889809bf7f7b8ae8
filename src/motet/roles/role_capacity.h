// The approximation capacity of a role model: how many bits about a user's roles
// survive the noise. Chapter 10; the measure and its pairs are in measure/capacity.h.
#pragma once

#include <cstddef>

#include "motet/base/run.h"
#include "motet/measure/capacity.h"
#include "motet/roles/role_model.h"

namespace motet {

struct RoleCapacityOptions {
  bool rounded = true;            // proxy centroids of the rounded roles, else of beta
  std::size_t draws = 4;          // pairs a user of the first data
  std::size_t most_users = 2000;  // of each data set; more are thinned by lot
  double least_users = 0.5;       // label sets with fewer expected users in the first data are left out
};

// `model` was fitted to `first`; `second` are other users of the same kind. Both have the
// model's permissions in its order. Label sets whose rounded unions are equal are one, and
// sets that nobody has are left out: the hypotheses of chapter 10 are the sets in use, and
// each idle one would cost capacity (without noise nothing, at b = 0 the log of their number).
// The value may be below 0: then the noise leaves nothing.
// Throws Error{unanswerable} when either has no users or they have no set in common.
Capacity role_capacity(const RoleModel& model, const BitMatrix& first, const BitMatrix& second,
                       const RoleCapacityOptions& options, const RunContext& run);

}  // namespace motet
