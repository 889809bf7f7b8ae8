// The whole fit of multi-assignment clustering: search, choice among its ends by users
// held out, and EM on all users to convergence.
//
// The search works on rounded roles with one noise level and without attributes, on a
// sample of the users when there are many. Its best ends, rounded and made soft, are fitted anew
// without a fifth of the users and judged by those. The winner is fitted on all with the
// noise and the attributes that were asked for.
#pragma once

#include "motet/roles/mine.h"

namespace motet::roles {

struct MacFit {
  RoleModel model;  // names of roles are left to the caller
  FitSummary summary;
  std::vector<StartTrial> starts;
  std::size_t winning_start = 0;
  std::vector<std::string> warnings;
  bool keeps_association = false;  // the roles are those of asso
};

// `roles` are those beside the kept ones. A new role that counts as a kept one (catalogue/copies.h) shares no user with
// those from which that is kept apart; where one grants what both of such a pair grant, the fit is made again with two
// of their permissions parted.
MacFit fit_mac(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
               const RunContext& run);

// By user: log-likelihood under a fitted model, without attributes.
std::vector<double> user_log_likelihoods(const RoleModel& model, const BitMatrix& held, const RunContext& run);

}  // namespace motet::roles
