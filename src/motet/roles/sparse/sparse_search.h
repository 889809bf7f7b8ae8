// Where the EM of sparse_em.h should begin: candidates read off the data (role_candidates.h) and the states given by
// the caller, improved by moves. A move adds roles where the present ones explain least, parts of roles that their
// members hold separately and unions of roles that go together, takes away as many that are needed least, and is kept
// when the objective is higher.
#pragma once

#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/sparse/role_candidates.h"
#include "motet/roles/sparse/sparse_em.h"

namespace motet::roles {

struct NamedSparse {
  std::string name;
  SparseRoles state;
};

struct SparseQuestion {
  SparseRows kept;                       // the first roles, unchanged
  std::size_t roles = 0;                 // with the kept ones
  std::vector<NamedSparse> starts = {};  // to be tried as well
};

// The ends of all starts, best objective first, each with so many roles. Empty when the data give none.
std::vector<NamedSparse> search_sparse(const SparseRows& held, const SparseQuestion& question, const SparseRules& rules,
                                       const RunContext& run);

// By role: how much the objective falls when it is taken away, at least; infinite for kept ones.
std::vector<double> removal_losses(const SparsePosteriors& posteriors, std::size_t roles, std::size_t kept);

}  // namespace motet::roles
