// The fit where all sets of roles are too many to list: search and EM on sparse data (sparse_search.h, sparse_em.h).
// Roles are yes/no, noise has one level for all, attributes are not used: what else was asked for, mac_fit.h fits
// afterwards with the most common of the sets found here.
#pragma once

#include "motet/roles/mac/mac_fit.h"
#include "motet/roles/mine.h"

namespace motet::roles {

constexpr std::size_t most_paired_columns = 6000;  // that differ: beyond them counts of all pairs take too much

// Whether so many roles (kept ones included) make too many sets to list, or permissions are too many to be paired.
bool is_grown(std::size_t roles, const MineOptions& options, const BitMatrix& held);

MacFit fit_grown(const MineData& data, std::size_t roles, const MineOptions& options,
                 const RoleConstraints& constraints, const RunContext& run);

// The most common sets of a model, at most so many: the empty set, those of one role, and others by their share.
struct CommonSets {
  LabelSets sets;
  std::vector<double> share;  // sum 1
  double left_out = 0.0;      // share of the users who have another one
};
CommonSets most_common_sets(const RoleModel& model, std::size_t most);

}  // namespace motet::roles
