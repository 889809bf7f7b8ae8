// How ends of a search are weighed against each other.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/mac/search_starts.h"

namespace motet::roles {

bool is_same_end(double objective, double other);  // by their objectives: one place that was found twice
bool is_near_tie(double objective, double other);  // within a thousandth

// The best end on all users and those near it, each place once, at most so many. Near is within a thousandth of the
// objective or, since that may be less than what the lot of the users makes, within two standard errors of the
// difference: `likelihoods` gives log-likelihoods of an end by user.
std::vector<std::size_t> near_ties(const std::vector<SearchStart>& ends, std::size_t most,
                                   const std::function<std::vector<double>(std::size_t end)>& likelihoods);

// By user: log-likelihoods of those held out. Better by more than rounding and a standard error of the difference.
bool predicts_better(std::span<const double> one, std::span<const double> other);

// By user: cells in which the told roles differ from the data.
std::vector<double> wrong_cells(const RoleModel& model, const BitMatrix& held, const RunContext& run);

}  // namespace motet::roles
