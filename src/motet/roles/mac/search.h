// Where the EM of multi-assignment clustering should begin: a search over rounded roles.
//
// Annealing alone loses roles from eight on (spec/roles.md), so several starts are made
// (search_starts.h) and improved by moves: a role is added where the present ones explain
// least or by splitting one in two, the least useful is taken away, and the better of
// before and after is kept. Every step between is EM with rounded centroids and one noise
// level, which never lowers the objective.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "motet/base/rng.h"
#include "motet/base/run.h"
#include "motet/roles/mac/mac_em.h"

namespace motet::roles {

// Label sets of a fit: the degree falls until they are so few.
constexpr std::size_t most_label_sets = 6000;

struct SearchRules {
  std::size_t degree = 3;  // most roles per user
  RoleNoise noise = RoleNoise::mixture;
  bool has_uniform_sets = false;
  BitMatrix keep;  // roles x columns of the data, always the first roles, unchanged
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_with_one_user;  // among kept roles
  std::vector<std::vector<std::uint32_t>> never_with;                        // by column, see MacShape
};

// A rounded model in the making.
struct RoleState {
  BitMatrix roles;
  double p0 = 0.0;
  double p1 = 1.0;
  std::vector<double> share;  // of label sets
  double objective = 0.0;

  std::size_t count() const { return roles.rows(); }
  bool operator==(const RoleState&) const = default;
};

class RoleSearch {
 public:
  RoleSearch(const MergedMatrix& data, SearchRules rules, const RunContext& run);

  const MergedMatrix& data() const { return data_; }
  const SearchRules& rules() const { return rules_; }
  double density() const { return density_; }  // share of ones
  const MacShape& shape(std::size_t roles);    // rounded, one noise level
  Threads threads(std::size_t roles);          // as many as an E-step with so many roles repays

  // Called before every improvement, for those who wait.
  void tell(std::function<void()> told) { told_ = std::move(told); }

  // EM from a state; at most so many steps.
  RoleState improve(RoleState state, std::size_t steps);
  // All label sets alike.
  RoleState state_of(BitMatrix roles, double p0, double p1);
  RoleState kept_only();  // the kept roles alone, perhaps none

  // One role more: from what is explained worst, or by a split. Equal to the argument when nothing helps.
  RoleState grow(const RoleState& state, std::size_t trials, bool may_split, Rng& rng);
  RoleState without(const RoleState& state, std::size_t role);
  std::vector<double> removal_loss(const RoleState& state);  // by role; infinite for kept ones

  // Takes permissions that must not share a role with others out of new roles whose members mostly lack them: barred
  // from the role where it belongs, such a permission goes where it newly grants more than it covers, since noise
  // forgives that. It stays with its users then.
  RoleState without_moved(RoleState state);

  RoleState grow_and_prune(RoleState state, std::size_t rounds, Rng& rng);
  RoleState replace_weakest(RoleState state, std::size_t roles, Rng& rng);

 private:
  RoleState with_role(const RoleState& state, std::span<const std::uint64_t> role, std::ptrdiff_t taken_from);
  std::vector<std::uint32_t> best_sets(const RoleState& state);

  const MergedMatrix& data_;
  SearchRules rules_;
  RunContext run_;
  double density_ = 0.0;
  std::function<void()> told_;
  std::map<std::size_t, MacShape> shapes_;
};

// Degree such that so many roles make at most most_label_sets.
std::size_t feasible_degree(std::size_t roles, std::size_t degree);

// Rounded, one noise level, without attributes.
MacShape shape_of(const SearchRules& rules, std::size_t roles);

}  // namespace motet::roles
