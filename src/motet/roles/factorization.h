// What every Boolean method ends with: roles and who has them, without probabilities.
#pragma once

#include "motet/data/bit_matrix.h"

namespace motet {

struct Factorization {
  BitMatrix roles;        // roles x permissions
  BitMatrix assignments;  // users x roles
};

}  // namespace motet
