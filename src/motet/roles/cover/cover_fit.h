// Roles that grant exactly what is held, or all but a few cells of it: the fit behind `motet roles mine --cover exact`.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/fields.h"
#include "motet/roles/mine.h"

namespace motet::roles {

enum class CoverKind { none, exact };

struct CoverOptions {
  CoverKind cover = CoverKind::none;
  double errors = 0.0;
  double over_grants = 0.0;
};

template <class V>
void visit_fields(V& v, CoverOptions& o) {
  v("cover", o.cover, Choices{{"none", "exact"}},
    "exact: as few roles as possible that grant exactly what is held; the program finds the number");
  v("cover_errors", o.errors, Range<double>{0.0, 1e15},
    "with --cover exact: held cells that may stay without a role, so that there are fewer; below 1 a share of them");
  v("cover_over_grants", o.over_grants, Range<double>{0.0, 1e15},
    "of these errors, how many may be cells that a role grants to somebody who does not hold them; 0: never");
}

// How many roles cover as much, and what stays without a role then.
struct CoverPoint {
  double share = 0.0;  // of the held cells that must be covered
  std::size_t roles = 0;
  std::size_t errors = 0;  // held cells that these roles do not cover
};

struct CoverFit {
  RoleFit fit;
  std::size_t exact_roles = 0;    // that cover everything
  std::size_t at_least = 0;       // as many are needed for that, proved
  std::size_t over_grants = 0;    // cells that the fit grants beyond what is held
  std::size_t assignments = 0;    // roles of users, of the fit
  std::size_t cells = 0;          // distinct ones: equal users and equal permissions count once
  std::size_t remaining = 0;      // of these, after the reduction
  std::size_t parts = 0;          // independent questions among the remaining
  std::vector<CoverPoint> curve;  // for more and more of the held cells, all of them last
};

// No role grants anything that a member does not hold, unless over-grants are allowed; what is without a role is an
// `extra` exception, what is granted and not held a `missing` one. The curve is that without over-grants. The summary's
// stop is `interrupted` when the run was cancelled during the search: the roles are right then, but perhaps too many.
CoverFit cover_roles(const MineData& data, const CoverOptions& options, const RunContext& run);

}  // namespace motet::roles
