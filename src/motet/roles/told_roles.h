// What is told of users as yes and no: which roles each has, and the cells in which these roles differ from the data.
//
// The tables of roles, assignments and exceptions are made from this, and all counts with them: what the told roles
// grant, with the exceptions turned, is the data, cell by cell, whatever the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/mac/posterior.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

enum class ExceptionKind { extra, missing };

struct FoundException {
  std::uint32_t user = 0;
  std::uint32_t permission = 0;
  ExceptionKind kind = ExceptionKind::extra;
  double probability = 0.0;  // that no role grants it although held, or one does although not held
};

// Below this share of noisy cells a user is told, of the sets that may be theirs, the one with fewest wrong cells.
// Where there is more noise, cells are too doubtful to be counted, and where only some are known, too few.
constexpr double clean_noise = 0.1;

// Users x roles. With a least probability: every role that is so probable. Under a model with a price of over-grants:
// that of its sets which leaves least extra + price * missing. Else the most probable set or, when the data are clean,
// that with fewest wrong cells: of those kept for the user, and of all where roles are probabilities. Of equals the
// most probable. A role that grants nothing is nobody's.
BitMatrix told_roles(const RoleModel& model, const BitMatrix& held, const BitMatrix* known, const UserPosteriors& users,
                     std::optional<double> least_probability, const RunContext& run);

// Every known cell in which the told roles differ from the data, with the model's probability that it is so: most
// probable first, then by user and permission.
std::vector<FoundException> told_exceptions(const RoleModel& model, const BitMatrix& held, const BitMatrix* known,
                                            const BitMatrix& told, const UserPosteriors& users, const RunContext& run);

}  // namespace motet::roles
