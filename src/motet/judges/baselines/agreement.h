// How often two judges agree, without any class behind it.
//
// M_ij = (K agree_ij - 1) / (K - 1) is the agreement beyond chance. Judges that err
// independently and alike on all classes have M_ij = a_i a_j with the skills
// a = (K theta - 1) / (K - 1), so most pairs tell the skills and the pairs that lie far
// above a_i a_j stand out: a fit of rank one that lets outliers go,
//   min sum_ij log(1 + z_ij^2 / scale^2),   z_ij = (M_ij - a_i a_j) sqrt(n_ij).
// A copying pair cannot pass for the truth here as it can in a likelihood, which is why
// the search for dependence takes one of its starts from these skills.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/judges/vote_table.h"

namespace motet::judges {

struct SharedVotes {
  std::size_t first = 0;  // of two judges
  std::size_t second = 0;
  double shared = 0.0;  // items both voted on
  double agreed = 0.0;  // of those, with the same label
};

struct PairAgreement : SharedVotes {
  double beyond_chance = 0.0;  // M_ij
  double z = 0.0;              // how far above what the skills explain, in standard deviations
};

struct Agreement {
  std::vector<PairAgreement> pairs;  // those that share items, by first, then second
  std::vector<double> skill;         // a_j in [0.02, 0.98]
};

// Work grows with the square of the votes on an item, memory with the number of
// pairs that share items.
Agreement measure_agreement(const VoteTable& table);

// Skills from pairs with shared and beyond_chance filled in; fills in z.
std::vector<double> fit_skills(std::size_t judge_count, std::span<PairAgreement> pairs);

}  // namespace motet::judges
