// Planted data and measures shared by the tests of the role mining methods.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "data/bits.h"
#include "motet/base/assignment.h"
#include "motet/base/run.h"
#include "motet/roles/baselines/factorization.h"
#include "motet/roles/simulate.h"
#include "support/errors.h"

namespace motet::roles {

inline BitMatrix random_bits(std::size_t rows, std::size_t columns, double density, Rng rng) {
  BitMatrix bits(rows, columns);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t d = 0; d < columns; ++d) bits.set(n, d, rng.uniform() < density);
  }
  return bits;
}

inline std::size_t difference(const BitMatrix& a, std::size_t i, const BitMatrix& b, std::size_t j) {
  std::size_t count = 0;
  for (std::size_t d = 0; d < a.columns(); ++d) count += a(i, d) != b(j, d) ? 1U : 0U;
  return count;
}

inline std::size_t difference(const BitMatrix& a, const BitMatrix& b) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < a.rows(); ++n) count += difference(a, n, b, n);
  return count;
}

// a_1 of the thesis: share of wrong bits of the true roles under the best matching. Roles too
// many are free, roles too few count as empty.
inline double role_error(const BitMatrix& found, const BitMatrix& truth) {
  const std::size_t size = std::max(found.rows(), truth.rows());
  const BitMatrix empty(1, truth.columns());
  std::vector<double> gains(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < truth.rows(); ++j) {
      const bool exists = i < found.rows();
      gains[i * size + j] = -static_cast<double>(difference(exists ? found : empty, exists ? i : 0, truth, j));
    }
  }
  const std::vector<std::size_t> column = best_assignment(gains, size);
  double wrong = 0.0;
  for (std::size_t i = 0; i < size; ++i) wrong -= gains[i * size + column[i]];
  return wrong / static_cast<double>(truth.rows() * truth.columns());
}

inline std::vector<std::uint32_t> shuffled(std::size_t count, Rng rng) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

inline RunContext with_threads(Threads threads, Seed seed = Seed{1}) {
  RunContext run;
  run.seed = seed;
  run.threads = threads;
  return run;
}

}  // namespace motet::roles
