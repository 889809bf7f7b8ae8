// Multi-assignment clustering as a problem for the EM engine: chapter 9 of the thesis in
// the unified form of role_model.h.
//
// Parameters, one flat vector: beta [role * columns + column], then p0 and p1 (one each, or
// one each per column), then the numbers of the set prior. Rounded centroids are the same
// with beta in {0, 1}. For the E-step
//   log p(x_n | L) = sum_d w_d [x log q_Ld + (1 - x) log(1 - q_Ld)],  w_d equal columns,
// which is a product of bits and numbers, or AND and counting when centroids are rounded.
//
// User-wise noise (rounded centroids only) is integrated out: a user's p1 and p0 come from
// Beta distributions shared by all, so log p(x_n | L) is a ratio of Beta functions of four
// counts. p0 and p1 then hold the two parameters (a, b) of each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/engine/em.h"
#include "motet/roles/mac/label_sets.h"
#include "motet/roles/mac/set_prior.h"
#include "motet/roles/merge.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

struct MacShape {
  std::size_t roles = 0;
  LabelSets sets;
  bool rounded = false;
  RoleNoise noise = RoleNoise::mixture;
  NoiseScope scope = NoiseScope::global;
  std::vector<std::uint8_t> frozen;                    // by role; empty: none
  std::vector<std::vector<std::uint32_t>> never_with;  // by column: columns no role may have beside it; may be empty
  AttributeGroups groups;
  bool has_uniform_sets = false;          // see SetPrior
  std::vector<double> prior_centre;       // see SetPrior
  double prior_weight = 1.0;              // exponent of p(L | attributes)
  double level_users = 0.0;               // pseudo users with noise levels ...
  double level_centre[2] = {0.02, 0.98};  // ... of these p0, p1; they keep a perfect fit from excluding anything
};

struct MacParts {  // where things are in the parameters
  std::size_t roles = 0;
  std::size_t columns = 0;
  std::size_t levels = 1;  // numbers of p0 and of p1

  std::size_t p0() const { return roles * columns; }
  std::size_t p1() const { return p0() + levels; }
  std::size_t prior() const { return p1() + levels; }
};
MacParts mac_parts(const MacShape& shape, std::size_t columns);

// Data and shape must outlive the problem.
EmProblem mac_problem(const MergedMatrix& data, const MacShape& shape, Threads threads);

// Parameters from rounded roles or from beta, with noise levels to begin with and all
// label sets alike.
std::vector<double> mac_start(const MacShape& shape, std::span<const double> beta, std::size_t columns, double p0,
                              double p1);
std::vector<double> absence_of(const BitMatrix& roles);  // 1 - u

// Rows x sets: log p(x | L) + log p(L | group).
class MacScores {
 public:
  // Rows of the result are rows [begin, end) of the data.
  MacScores(const MergedMatrix& data, const MacShape& shape, std::span<const double> parameters);
  void compute(std::size_t begin, std::size_t end, std::vector<double>& scores) const;
  std::vector<double> packed() const;  // base, log prior and weights, one after the other

 private:
  const MergedMatrix& data_;
  const MacShape& shape_;
  std::vector<double> weights_;    // [column * sets + set]
  std::vector<double> base_;       // by set
  std::vector<double> log_prior_;  // [group * sets + set]
};

}  // namespace motet::roles
