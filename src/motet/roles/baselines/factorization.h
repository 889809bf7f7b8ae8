// What every Boolean method ends with: roles and who has them, without probabilities.
#pragma once

#include "motet/data/bit_matrix.h"
#include "motet/roles/merge.h"

namespace motet::roles {

struct Factorization {
  BitMatrix roles;        // roles x permissions
  BitMatrix assignments;  // users x roles

  bool operator==(const Factorization&) const = default;
};

// The same roles for the original users and permissions of merged data.
Factorization unmerged(const Factorization& merged, const MergedMatrix& data);

}  // namespace motet::roles
