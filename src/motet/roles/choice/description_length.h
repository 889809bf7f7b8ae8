// How many nats it takes to tell an access matrix by means of roles: a two-part code, which prices a model by what it
// takes to write it down instead of by how many numbers it has (as BIC does, where a role of ten permissions among a
// thousand costs as much as one of five hundred).
//
//   users     -sum_n log p(x_n): which roles they have, and what differs from them
//   roles     log(D + 1) + log (D choose size) each: how many permissions, and which. Permissions that are equal in the
//             data count once (D of them): which those are has to be told whatever the number of roles
//   sets      the sets of roles that are in use: log (number of sets possible choose number in use)
//   shares    what p(L) costs that is fitted to the users it tells: the parametric complexity of a multinomial over the
//             sets in use, log sum over counts h of N! / prod h_l! prod (h_l / N)^h_l (Kontkanen and Myllymaki 2007)
//   noise     1/2 log N for each level
//
// Sound for rounded roles. After Rissanen's minimum description length; for Boolean matrices in another form Miettinen
// and Vreeken 2011.
#pragma once

#include <cstddef>

#include "motet/roles/merge.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

struct DescriptionLength {
  double users = 0.0;
  double roles = 0.0;
  double sets = 0.0;
  double shares = 0.0;
  double noise = 0.0;

  double total() const { return users + roles + sets + shares + noise; }
};

// `merged` is the data of the fit, `log_likelihood` that of all its users.
DescriptionLength description_length(const RoleModel& model, const MergedMatrix& merged, double log_likelihood);

// log of the number of ways to choose `some` of `all`.
double log_choices(double all, double some);

// log of the normaliser of the normalised maximum likelihood of a multinomial with so many outcomes.
double multinomial_complexity(std::size_t outcomes, std::size_t users);

}  // namespace motet::roles
