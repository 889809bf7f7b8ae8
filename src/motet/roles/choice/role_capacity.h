// The approximation capacity of a role model: how many bits about a user's roles
// survive the noise. Chapter 10; the measure and its pairs are in measure/capacity.h.
#pragma once

#include <cstddef>

#include "motet/base/run.h"
#include "motet/measure/capacity.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

// Users of two data sets, and who of them belong together.
struct PairedUsers {
  BitMatrix first;
  BitMatrix second;
  std::vector<UserPair> pairs;
};

// (10.9), the nearest users: as many of each as the smaller data set has, at most `most`, those left out chosen by lot.
PairedUsers pair_nearest_users(const BitMatrix& first, const BitMatrix& second, const RunContext& run,
                               std::size_t most = 1000);

// Users to whom `reference` gives the same roles, by lot, a few partners each; at most `most` users of each data set.
// The model that will be judged must not be the reference nor have been fitted to the same users: take a model of the
// second data set to judge one of the first. The noise of a reference without noise is estimated on the first data.
// There may be no pairs: no set of roles of the first users occurs in the second.
PairedUsers pair_users_by(const RoleModel& reference, const BitMatrix& first, const BitMatrix& second,
                          const RunContext& run, std::size_t most = 2000);

struct RoleCapacityOptions {
  bool rounded = true;       // proxy centroids of the rounded roles, else of beta
  double least_users = 0.5;  // label sets with fewer expected users in the first data are left out
};

// Label sets whose rounded unions are equal are one, and sets that nobody has are left out: the hypotheses of chapter
// 10 are the sets in use, and each idle one would cost capacity (without noise nothing, at b = 0 the log of their
// number). The value may be below 0: then the noise leaves nothing. Throws Error{unanswerable} when there are no pairs.
Capacity role_capacity(const RoleModel& model, const PairedUsers& users, const RoleCapacityOptions& options,
                       const RunContext& run);

}  // namespace motet::roles
