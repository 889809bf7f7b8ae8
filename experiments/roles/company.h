// A made-up company whose roles are known, for judging how many roles are found.
//
// It is made otherwise than `motet roles simulate`, so that choices are not judged on the generator they were made on.
// There, roles are random permissions of one size and every role is as frequent as another. Here roles have uneven
// sizes, share permissions, hold other roles, are handed out by popularity and together, and departments are an
// hierarchy; permissions get lost and appear with chances of their own.
//
// The number of roles is right in a strict sense: every role has permissions that only it and the roles that hold it
// have, and users with no other role. Such cells, one of each role, are a fooling set: no two of them can be explained
// by one role, so that fewer roles cannot give the clean matrix.
#pragma once

#include <string>
#include <vector>

#include "motet/roles/simulate.h"

namespace motet::roles {

struct CompanyOptions {
  std::size_t users = 500;
  std::size_t roles = 8;
  std::size_t departments = 0;  // the first roles: one per user, of a department; 0: there are none
  std::size_t max_roles_per_user = 3;
  double role_size = 12.0;   // permissions, on average
  double size_spread = 0.0;  // standard deviation of the logarithm of the sizes
  double overlap = 0.0;      // share of a role's permissions that are those of other roles as well
  double nested = 0.0;       // share of the roles that hold another role and permissions of their own
  double popularity = 0.0;   // exponent of Zipf's law: role k is asked for in proportion to k^-popularity
  double together = 0.0;     // chance that a role brings its companion (roles 0 and 1, 2 and 3, ...)
  double more_roles = 0.5;   // chance that a user asks for one more role
  double idle = 0.0;         // share of users without a role
  std::size_t unused = 10;   // permissions of no role
  std::size_t alone = 6;     // users at least with this role alone, for each role
  double dropped = 0.0;      // chance that a permission that a role grants is not held
  double extra = 0.0;        // chance that one that no role grants is
};

// Every user and every role has a random stream of its own.
PlantedAccess make_company(const CompanyOptions& options, const Rng& rng);

struct CompanyCase {
  std::string what;  // "nested", "departments", ...
  CompanyOptions options;
  std::uint64_t seed = 0;
};

// Twenty cases to choose rules by, and twenty of other seeds and other ranges to judge them by.
enum class CompanyUse { choosing, judging };
std::vector<CompanyCase> company_cases(CompanyUse use);

}  // namespace motet::roles
