// The simplest guesses of what a user holds, given some permissions: what a model must beat.
//
// Rows of `test` are new users of whom only the `disclosed` permissions are known. Each function
// returns a guess of all cells, with the disclosed ones as they are in `test`.
#pragma once

#include <cstdint>
#include <span>

#include "motet/base/run.h"
#include "motet/data/bit_matrix.h"

namespace motet::roles {

// Nobody holds anything.
BitMatrix guess_nothing(const BitMatrix& test, std::span<const std::uint32_t> disclosed);

// A permission is held when more than half of the training users hold it.
BitMatrix guess_majority(const BitMatrix& training, const BitMatrix& test, std::span<const std::uint32_t> disclosed);

// Nearest neighbours: of the training users who differ in the fewest disclosed permissions, all that
// are equally near vote, and a permission is held when more than half of them hold it. With few
// disclosed permissions there are many equals; taking the first would depend on the order of users.
BitMatrix guess_nearest(const BitMatrix& training, const BitMatrix& test, std::span<const std::uint32_t> disclosed,
                        const RunContext& run);

}  // namespace motet::roles
