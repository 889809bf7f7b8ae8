// What every fit of roles is given.
#pragma once

#include "motet/base/run.h"
#include "motet/roles/mine.h"

namespace motet::roles {

class Fitter {
 protected:
  Fitter(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
         const RunContext& run)
      : data_(data), held_(data.access->held), roles_(roles), options_(options), constraints_(constraints), run_(run) {}

  const MineData& data_;
  const BitMatrix& held_;
  std::size_t roles_;  // the kept ones included
  const MineOptions& options_;
  const RoleConstraints& constraints_;
  const RunContext& run_;
};

}  // namespace motet::roles
