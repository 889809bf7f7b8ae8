#include "motet/roles/baselines/neighbours.h"

#include <bit>
#include <limits>
#include <vector>

#include "motet/base/error.h"
#include "motet/data/bit_matrix.h"
#include "motet/roles/merge.h"

namespace motet::roles {
namespace {

constexpr std::size_t users_a_task = 16;

void check_columns(const BitMatrix& training, const BitMatrix& test) {
  if (training.columns() != test.columns() || training.rows() == 0) {
    fail(ErrorKind::internal, "neighbours: training data of other permissions, or of nobody");
  }
}

void disclose(BitMatrix& guess, const BitMatrix& test, std::span<const std::uint32_t> disclosed) {
  for (std::size_t n = 0; n < test.rows(); ++n) {
    for (const std::uint32_t d : disclosed) guess.set(n, d, test(n, d));
  }
}

// Ones at the permissions that more than half of the users hold.
BitMatrix majority_row(const std::vector<std::size_t>& held_by, std::size_t users) {
  BitMatrix row(1, held_by.size());
  for (std::size_t d = 0; d < held_by.size(); ++d) row.set(0, d, 2 * held_by[d] > users);
  return row;
}

void copy_row(const BitMatrix& from, BitMatrix& to, std::size_t n) {
  for (std::size_t w = 0; w < to.words(); ++w) to.row(n)[w] = from.row(0)[w];
}

}  // namespace

BitMatrix guess_nothing(const BitMatrix& test, std::span<const std::uint32_t> disclosed) {
  BitMatrix guess(test.rows(), test.columns());
  disclose(guess, test, disclosed);
  return guess;
}

BitMatrix guess_majority(const BitMatrix& training, const BitMatrix& test, std::span<const std::uint32_t> disclosed) {
  check_columns(training, test);
  std::vector<std::size_t> held_by(training.columns());
  for (std::size_t n = 0; n < training.rows(); ++n) {
    for_each_bit(training.row(n), [&](std::size_t d) { ++held_by[d]; });
  }
  const BitMatrix row = majority_row(held_by, training.rows());
  BitMatrix guess(test.rows(), test.columns());
  for (std::size_t n = 0; n < test.rows(); ++n) copy_row(row, guess, n);
  disclose(guess, test, disclosed);
  return guess;
}

BitMatrix guess_nearest(const BitMatrix& training, const BitMatrix& test, std::span<const std::uint32_t> disclosed,
                        const RunContext& run) {
  check_columns(training, test);
  // Users who look alike in the disclosed permissions are compared once.
  const MergedMatrix seen = merge_equal(training.columns_of(disclosed), {.rows = true, .columns = false});
  std::vector<std::vector<std::uint32_t>> users_of(seen.bits.rows());
  for (std::size_t n = 0; n < training.rows(); ++n) users_of[seen.row_of[n]].push_back(static_cast<std::uint32_t>(n));
  const BitMatrix known = test.columns_of(disclosed);
  BitMatrix guess(test.rows(), test.columns());
  for_each_task((test.rows() + users_a_task - 1) / users_a_task, run.threads, [&](std::size_t task) {
    if (run.cancelled()) return;
    for (std::size_t n = task * users_a_task; n < std::min(test.rows(), (task + 1) * users_a_task); ++n) {
      std::size_t nearest = std::numeric_limits<std::size_t>::max();
      std::vector<std::size_t> equals;
      for (std::size_t m = 0; m < seen.bits.rows(); ++m) {
        const std::size_t away = bits_apart(known.row(n), seen.bits.row(m));
        if (away < nearest) equals.clear();
        nearest = std::min(nearest, away);
        if (away == nearest) equals.push_back(m);
      }
      std::vector<std::size_t> votes(training.columns());
      std::size_t voters = 0;
      for (const std::size_t m : equals) {
        voters += users_of[m].size();
        for (const std::uint32_t user : users_of[m])
          for_each_bit(training.row(user), [&](std::size_t d) { ++votes[d]; });
      }
      copy_row(majority_row(votes, voters), guess, n);
    }
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while looking for neighbours");
  disclose(guess, test, disclosed);
  return guess;
}

}  // namespace motet::roles
