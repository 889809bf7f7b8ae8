// Roles from an access matrix: the fit behind `motet roles mine`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/interval.h"
#include "motet/base/run.h"
#include "motet/data/access.h"
#include "motet/roles/mac/posterior.h"
#include "motet/roles/role_model.h"
#include "motet/roles/told_roles.h"

namespace motet::roles {

enum class Centroids { best, soft, rounded };
enum class SetShares { learned, uniform };

struct MineOptions {
  std::size_t max_roles_per_user = 3;
  RoleMethod method = RoleMethod::mac;
  RoleNoise noise = RoleNoise::mixture;
  NoiseScope noise_scope = NoiseScope::global;
  Centroids centroids = Centroids::best;
  SetShares set_shares = SetShares::learned;
  std::string over_grant_cost = {};
  std::optional<double> least_probability = {};
  double attribute_weight = 1.0;
  double confidence = 0.95;
  std::size_t starts = 4;
  std::size_t max_iterations = 500;
  double tolerance = 1e-6;
};

template <class V>
void visit_fields(V& v, MineOptions& o) {
  v("max_roles_per_user", o.max_roles_per_user, Range<std::size_t>{1, 1000}, "most roles a user may have");
  v("method", o.method, Choices{{"mac", "sac", "asso", "dbps", "bica", "ino"}},
    "mac: overlapping roles with noise; sac: one role per user; asso: greedy by association; dbps: greedy over "
    "rows and their intersections; bica: roles without common permissions; ino: infinite noisy-or, chooses the number");
  v("noise", o.noise, Choices{{"mixture", "none", "flip", "symmetric-flip"}}, "how exceptions come about");
  v("noise_scope", o.noise_scope, Choices{{"global", "permission", "user"}}, "one noise level, or one each");
  v("centroids", o.centroids, Choices{{"best", "soft", "rounded"}},
    "permissions of a role as probabilities or yes/no; best fits both and keeps what predicts held-out users better");
  v("set_shares", o.set_shares, Choices{{"learned", "uniform"}},
    "how common each set of roles is: learned, or all alike whoever has them");
  v("over_grant_cost", o.over_grant_cost, Text{"X|never"},
    "price of a permission that the roles would newly grant, against one that stays individual: roles and assignments "
    "then cost as little as possible; never: a user has only roles that are wholly held");
  v("least_probability", o.least_probability, Range<double>{0.0, 1.0},
    "tell users every role with at least this probability instead of their most probable set; exceptions and counts "
    "follow");
  v("attribute_weight", o.attribute_weight, Range<double>{0.0, 100.0},
    "how much the attributes count against the permissions; 1 is the probability model");
  v("confidence", o.confidence, Range<double>{0.5, 0.9999}, "of the intervals");
  v("starts", o.starts, Range<std::size_t>{1, 100}, "random starts beside the greedy ones");
  v("max_iterations", o.max_iterations, Range<std::size_t>{1, 1'000'000}, "limit of steps of the fit");
  v("tolerance", o.tolerance, Range<double>{0.0, 0.1},
    "largest change of any probability in one step that ends the fit");
}

// What the roles must respect. Permissions are numbers in the access data.
struct RoleConstraints {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_in_one_role;    // permissions: separation of duties
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_with_one_user;  // roles, numbers in `keep_names`
  std::vector<std::string> keep_names;                                       // roles that must be in the result
  BitMatrix keep;  // keep_names.size() x permissions, unchanged
};

// One start of the portfolio: where it came from and how it did.
struct StartTrial {
  std::string name;  // "association", "rows", "annealing", "kept model", "split and merge"
  bool rounded = false;
  double held_out = 0.0;   // log-likelihood per held-out user; NaN when it was not measured
  double objective = 0.0;  // of the training users, log-likelihood per user
};

struct RoleEstimate {
  std::size_t members = 0;             // users who are told to have it
  double expected = 0.0;               // expected number of users
  double confidence = 0.0;             // mean P(has it) over members
  std::vector<std::uint32_t> telling;  // permissions that tell it from the others, most telling first
};

struct RoleFit {
  RoleModel model;
  FitSummary summary;
  UserPosteriors users;
  std::vector<RoleEstimate> roles;
  BitMatrix told;                          // users x roles: who is told to have which
  std::vector<FoundException> exceptions;  // every cell in which these roles differ from the data
  std::vector<StartTrial> starts;
  std::size_t winning_start = 0;
  double log_likelihood = 0.0;
  double free_energy = 0.0;     // -log-likelihood at temperature 1, (9.24)
  double training_error = 0.0;  // share of cells the told roles do not reproduce, (2.20)
  double coverage = 0.0;        // of ones, (2.21)
  double capacity_bits = 0.0;   // chapter 10, NaN when it was not measured
  double dropped_mass = 0.0;    // largest posterior mass of label sets left out
  Interval noise_fraction;
  Interval set_probability;
  bool keeps_association = false;  // the roles are those of asso: nothing that was tried explains the data better
  std::vector<std::string> warnings;
};

struct MineData {
  const Access* access = nullptr;
  const Attributes* attributes = nullptr;  // may be null
  const RoleModel* previous = nullptr;     // start from this model; may be null
};

// `roles` are those beside the kept ones. Names come from naming.h; kept roles keep theirs, and with
// a previous model so do the roles that are still there. Throws Error{unanswerable} when there are
// fewer distinct users than roles, and Error{bad_data} for contradictory constraints.
RoleFit mine_roles(const MineData& data, std::size_t roles, const MineOptions& options,
                   const RoleConstraints& constraints, const RunContext& run);

}  // namespace motet::roles
