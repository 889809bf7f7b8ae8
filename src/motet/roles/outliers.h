// Users whom the roles do not explain: how well their roles fit each, and who is stranger than the model
// allows.
//
// The log-likelihood of a user is compared with those of users drawn from the model itself (a set by p(L), then every
// permission by q_Ld): p = (1 + drawn users no more likely) / (1 + drawn users). If the model is right, p is uniform,
// and a share `level` of all users has p <= level by chance; so many are to be expected, and are told beside those
// found.
//
// A user whose most probable set has less than `reject_below` is doubtful: several sets explain what they hold. The set
// is still told; this is the reject option of section 2.3.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/roles/mac/posterior.h"

namespace motet::roles {

struct OutlierOptions {
  double outlier_level = 0.001;
  double reject_below = 0.5;
};

template <class V>
void visit_fields(V& v, OutlierOptions& o) {
  v("outlier_level", o.outlier_level, Range<double>{0.0, 0.5},
    "users who are so improbable under the roles are told as outliers; 0: none");
  v("reject_below", o.reject_below, Range<double>{0.0, 1.0},
    "users whose most probable set has less than this probability are told as doubtful");
}

struct UserEstimate {
  std::uint32_t user = 0;
  double log_likelihood = 0.0;
  double p_value = 0.0;          // NaN when it was not measured
  double set_probability = 0.0;  // of the most probable set
  std::uint32_t extra = 0;       // held, not granted by the roles that are told
  std::uint32_t missing = 0;     // granted, not held
  double noise = 0.0;            // share of the known cells that differ from these roles
  bool is_outlier = false;
  bool is_doubtful = false;
};

struct UserEstimates {
  std::vector<UserEstimate> users;  // all, in the order of the data
  std::size_t drawn = 0;            // users drawn from the model; 0: p-values were not measured
  std::size_t outliers = 0;
  double expected_outliers = 0.0;  // by chance
  std::size_t doubtful = 0;
};

// `known` as in KnownCells. With cells unknown p-values are not measured: what a user would have held there has no part
// in the likelihood, and users with other unknown cells cannot be compared.
// `told` are users x roles (told_roles.h).
UserEstimates estimate_users(const RoleModel& model, const BitMatrix& held, const UserPosteriors& users,
                             const BitMatrix& told, const BitMatrix* known, const OutlierOptions& options,
                             const RunContext& run);

// Users drawn from a model, without attributes.
BitMatrix draw_model_users(const RoleModel& model, std::size_t users, const RunContext& run);

}  // namespace motet::roles
