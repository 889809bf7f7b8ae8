// Roles as probabilities, fitted from several ends of a search over yes/no roles.
//
// An end made soft keeps its noise or has none, since a soft role can explain by itself what was noise; both lead
// elsewhere. All starts get a few steps of EM, the better half more, the best few of those many. The best end,
// with its noise and without, stays to the end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/search_starts.h"

namespace motet::roles {

struct SoftStart {
  std::string name;
  RoleState state;  // in the columns of the data
};

// The first so many ends that differ and those of a greedy method, with their noise and without any.
std::vector<SoftStart> soft_starts(const std::vector<SearchStart>& ends, std::size_t most, bool has_noise);

struct SoftFit {
  std::size_t start = 0;           // which one led to it
  std::vector<double> parameters;  // of the soft shape
  double objective = 0.0;
};

// The likeliest first. `fit` runs at most so many steps of EM.
std::vector<SoftFit> best_soft(const std::vector<std::vector<double>>& starts,
                               const std::function<EmResult(std::vector<double> start, std::size_t steps)>& fit);

}  // namespace motet::roles
