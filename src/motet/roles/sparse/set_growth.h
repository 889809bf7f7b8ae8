// The sets of roles that fit a user, grown from the roles that share permissions with the user: no list of all sets.
//
// With yes/no roles and one noise level, a set L is worth to a user who holds H, beside the empty set,
//   w(L) = sum over d in U_L of (d held ? log(p1/p0) : -log((1-p0)/(1-p1))) + sum over k in L of log(s_k/(1-s_k)),
// U_L what the roles of L grant together and s_k the share of users who have role k, independently of each other.
// Greedy additions with removals and swaps find a good set, branch and bound the best. A role can add at most
//   m_k = log(p1/p0) |held and not yet granted| - log((1-p0)/(1-p1)) sum over the missing of 1/(roles that grant it) +
//   its log-odds,
// and a set of roles at most the sum of theirs. Beside the best set its neighbours are given (one role dropped, added
// or exchanged): the other sets that have a share of the user's posterior.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "motet/roles/sparse/sparse_rows.h"

namespace motet::roles {

struct GrownSet {
  std::vector<std::uint32_t> roles;  // rising
  double worth = 0.0;                // log-odds to the empty set
};

struct GrownSets {
  std::vector<GrownSet> sets;  // the best first
  bool is_proved = true;       // that no set of so many roles is worth more
};

struct GrowthRules {
  std::size_t most_roles = 3;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_together;  // roles
};

// What the growth needs of the roles; shared by all threads.
struct GrowthModel {
  GrowthModel(const SparseRows& roles, double p0, double p1, std::span<const double> shares, const GrowthRules& rules);

  const SparseRows& roles;
  SparseRows granting;  // by permission: the roles that grant it
  double held;          // log(p1 / p0)
  double missing;       // log((1 - p0) / (1 - p1))
  std::vector<double> log_odds;
  std::vector<std::uint32_t> likely;  // roles that most users have: candidates whatever the user holds
  const GrowthRules& rules;
};

constexpr double near_sets = 14.0;  // nats behind the best set that a neighbour may be

// Room for one user at a time; one for each thread.
class SetGrower {
 public:
  explicit SetGrower(const GrowthModel& model);

  // `known` is one row of bits, or empty when all cells are known.
  GrownSets grow(std::span<const std::uint32_t> held, std::span<const std::uint64_t> known = {});
  double worth(std::span<const std::uint32_t> set, std::span<const std::uint32_t> held,
               std::span<const std::uint64_t> known = {});

 private:
  struct Candidate {
    std::uint32_t role;
    std::size_t begin;   // of its part of cells_: the held ones,
    std::size_t middle;  // then those missing
    std::size_t end;
    double alone;  // what it is worth to a user without roles
  };

  bool is_known(std::uint32_t d) const { return known_.empty() || (known_[d / 64] >> (d % 64) & 1U) != 0; }
  void open(std::span<const std::uint32_t> held, std::span<const std::uint64_t> known);
  void close(std::span<const std::uint32_t> held);
  void gather(std::span<const std::uint32_t> held);
  void drop_hopeless();
  bool is_allowed(std::size_t candidate) const;
  double gain(std::size_t candidate) const { return balance(candidate, 0); }  // of adding it to the chosen ones
  double loss(std::size_t candidate) const { return balance(candidate, 1); }  // of taking it away from them
  // Its part in the objective, of the permissions that so many chosen roles grant.
  double balance(std::size_t candidate, std::uint32_t covered) const;
  double hope(std::size_t candidate) const;  // m_k
  void choose(std::size_t candidate);
  void unchoose(std::size_t candidate);
  void improve();
  bool exchange();
  void branch(std::span<const std::uint32_t> open, double worth);
  void take_best();
  GrownSets neighbours();
  void emit(double worth, GrownSets& to) const;

  const GrowthModel& model_;
  std::span<const std::uint64_t> known_;
  std::vector<std::uint8_t> is_held_;   // by permission
  std::vector<std::uint32_t> cover_;    // by permission: chosen roles that grant it
  std::vector<std::uint32_t> sharers_;  // by permission: candidates that grant it though it is missing
  std::vector<std::uint32_t> overlap_;  // by role
  std::vector<std::uint32_t> cells_;    // permissions of the candidates
  std::vector<Candidate> candidates_;   // the most promising first
  std::size_t front_ = 0;               // so many of them may be in the best set
  std::vector<std::uint32_t> chosen_;   // candidates, as they were chosen
  double worth_ = 0.0;                  // of the chosen ones
  std::vector<std::uint32_t> best_;
  double best_worth_ = 0.0;
  std::size_t branches_ = 0;
};

}  // namespace motet::roles
