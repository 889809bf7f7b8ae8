// What the options and constraints of a fit mean for data: columns that may be merged, the shape of the problem, and
// the model that its parameters are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "motet/roles/catalogue/copies.h"
#include "motet/roles/mac/fitter.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/search.h"
#include "motet/roles/sparse/grown_fit.h"

namespace motet::roles {

class MacSetting : protected Fitter {
 public:
  // `roles` with the kept ones.
  MacSetting(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
             const RunContext& run);

  const MineOptions& options() const { return options_; }
  const RunContext& run() const { return run_; }
  std::size_t roles() const { return roles_; }
  bool allows_soft() const;  // roles as probabilities

  MergedMatrix merged(const BitMatrix& held, const std::vector<std::uint32_t>& row_group = {}) const;
  SearchRules rules_for(const MergedMatrix& data) const;
  MacShape shape_for(const MergedMatrix& data, bool rounded) const;  // one noise level, without attributes

  // In the columns of the access data; names of roles are left to the caller.
  RoleModel model_of(const MacShape& shape, std::span<const double> parameters, const MergedMatrix& data) const;

 protected:
  std::optional<CommonSets> listed_ = {};  // instead of all sets
  RolePairs apart_ = {};                   // with copies of kept roles; empty: those of the constraints

 private:
  std::vector<double> marginal_of(const std::vector<double>& log_table, std::size_t sets) const;

  std::vector<std::uint32_t> column_group_;  // of columns that may be merged; empty: all
};

}  // namespace motet::roles
