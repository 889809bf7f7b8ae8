// Permissions that may be a role, read off sparse data.
//
// Two kinds of seeds: the permissions that a share tau of the holders of one permission hold with it, for some tau; and
// what two of its holders have in common, for permissions that are in many roles. A seed is refined in turns: its
// members are the users it explains, and it is what most of its members hold. Seeds of one role end as one candidate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/base/rng.h"
#include "motet/roles/sparse/sparse_rows.h"

namespace motet::roles {

using Permissions = std::vector<std::uint32_t>;  // rising

// Users and permissions both ways.
struct AccessView {
  explicit AccessView(const SparseRows& rows) : by_user(rows), by_permission(transposed(rows)) {}

  const SparseRows& by_user;
  SparseRows by_permission;
};

// What cells count in a candidate: log-odds of a held one, and the price of one that is missing.
struct CandidateGain {
  double held = 0.0;
  double missing = 0.0;
  double member = 0.0;  // price of a user
};

// No two alike, in an order that the data alone decide.
std::vector<Permissions> role_candidates(const AccessView& data, const CandidateGain& gain, const Rng& rng,
                                         Threads threads);

// The candidates that explain most, one after the other: each is worth what its members hold and no earlier choice
// grants. `granted` are cells that need no role, by holding of `data.by_permission` (empty: none); those of the chosen
// become so.
std::vector<Permissions> choose_candidates(const AccessView& data, const std::vector<Permissions>& candidates,
                                           std::size_t count, const CandidateGain& gain,
                                           std::vector<std::uint8_t>& granted, Threads threads);

// What users hold that is not granted, the largest first, each but once.
std::vector<Permissions> leftover_rows(const AccessView& data, std::span<const std::uint8_t> granted,
                                       std::size_t count);

}  // namespace motet::roles
