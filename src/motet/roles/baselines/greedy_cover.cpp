#include "motet/roles/baselines/greedy_cover.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/processor.h"
#include "motet/roles/mac/weighted_bits.h"

namespace motet::roles {
namespace {

constexpr std::size_t candidates_a_task = 32;
constexpr double nanoseconds_a_word = 0.125;
constexpr double resolution = 0x1.0p20;  // of the weights of the score
constexpr double largest_sum = 0x1.0p61;

// The words of a candidate that are not empty.
struct SparseRow {
  std::vector<std::uint32_t> word;
  std::vector<std::uint64_t> bits;
  std::vector<std::int64_t> weight;
};

struct Score {
  std::int64_t plus = 0;
  std::int64_t minus = 0;
};

// What is still to be covered: ones and zeros, in the layout of the column weights.
struct Uncovered {
  BitMatrix ones;
  BitMatrix zeros;
  std::vector<std::int64_t> row_weight;
  Score score;
};

[[gnu::always_inline]] inline std::int64_t row_score(const Uncovered& left, const SparseRow& candidate,
                                                     std::size_t row) {
  const std::uint64_t* const ones = left.ones.row(row).data();
  const std::uint64_t* const zeros = left.zeros.row(row).data();
  std::int64_t plus = 0;
  std::int64_t minus = 0;
  const std::uint32_t* const word = candidate.word.data();
  const std::uint64_t* const bits = candidate.bits.data();
  const std::int64_t* const weight = candidate.weight.data();
  const std::size_t count = candidate.word.size();
  for (std::size_t i = 0; i < count; ++i) {
    plus += std::popcount(ones[word[i]] & bits[i]) * weight[i];
    minus += std::popcount(zeros[word[i]] & bits[i]) * weight[i];
  }
  return plus * left.score.plus - minus * left.score.minus;
}

[[gnu::always_inline]] inline std::int64_t sum_gains(const Uncovered& left, const SparseRow& candidate,
                                                     std::span<const std::uint32_t> rows) {
  std::int64_t sum = 0;
  for (const std::uint32_t row : rows) {
    sum += std::max(std::int64_t{0}, row_score(left, candidate, row)) * left.row_weight[row];
  }
  return sum;
}

#if defined(__x86_64__)
[[gnu::target("popcnt")]] std::int64_t sum_gains_popcnt(const Uncovered& left, const SparseRow& candidate,
                                                        std::span<const std::uint32_t> rows) {
  return sum_gains(left, candidate, rows);
}
#else
std::int64_t sum_gains_popcnt(const Uncovered& left, const SparseRow& candidate, std::span<const std::uint32_t> rows) {
  return sum_gains(left, candidate, rows);
}
#endif

Score whole_score(CoverWeights weights, double cells) {
  if (!(weights.plus > 0.0 && std::isfinite(weights.plus) && weights.minus >= 0.0 && std::isfinite(weights.minus))) {
    fail(ErrorKind::usage, "weights of covered cells = " + to_text(weights.plus) + " and " + to_text(weights.minus) +
                               " are not possible; the first must be positive, the second not negative");
  }
  const double unit = std::min(resolution, std::floor(largest_sum / cells)) / std::max(weights.plus, weights.minus);
  return {std::max(1L, std::lround(weights.plus * unit)), std::lround(weights.minus * unit)};
}

Uncovered everything(const MergedMatrix& data, const WeightLayout& layout, CoverWeights weights) {
  const WeightLayout users(data.row_weight);  // also the check that the weights are whole
  Uncovered left;
  left.ones = layout.arranged(data.bits);
  left.zeros = BitMatrix(left.ones.rows(), left.ones.columns());
  BitMatrix all(1, data.bits.columns());
  for (std::size_t d = 0; d < data.bits.columns(); ++d) all.set(0, d);
  const BitMatrix full = layout.arranged(all);
  for (std::size_t n = 0; n < left.ones.rows(); ++n) {
    for (std::size_t w = 0; w < full.words(); ++w) left.zeros.row(n)[w] = full.row(0)[w] & ~left.ones.row(n)[w];
  }
  for (const double weight : data.row_weight) left.row_weight.push_back(static_cast<std::int64_t>(weight));
  left.score = whole_score(weights, static_cast<double>(users.total()) * static_cast<double>(layout.total()));
  return left;
}

std::vector<SparseRow> arranged_rows(const BitMatrix& arranged, const WeightLayout& layout) {
  std::vector<SparseRow> rows(arranged.rows());
  for (std::size_t c = 0; c < rows.size(); ++c) {
    for (std::size_t w = 0; w < arranged.words(); ++w) {
      const std::uint64_t bits = arranged.row(c)[w];
      if (bits == 0) continue;
      rows[c].word.push_back(static_cast<std::uint32_t>(w));
      rows[c].bits.push_back(bits);
      rows[c].weight.push_back(layout.word_weight()[w]);
    }
  }
  return rows;
}

bool share_a_bit(std::span<const std::uint64_t> row, const SparseRow& candidate) {
  for (std::size_t i = 0; i < candidate.word.size(); ++i) {
    if ((row[candidate.word[i]] & candidate.bits[i]) != 0) return true;
  }
  return false;
}

// Adds `sign` times the gains over `rows` to those of the candidates numbered in `which`.
void add_gains(const Uncovered& left, const std::vector<SparseRow>& candidates, std::span<const std::uint32_t> which,
               std::span<const std::uint32_t> rows, std::int64_t sign, std::vector<std::int64_t>& gains,
               const RunContext& run) {
  const bool fast = has_popcnt();
  const Threads threads =
      threads_for(run.threads, nanoseconds_a_word * static_cast<double>(which.size()) *
                                   static_cast<double>(rows.size()) * static_cast<double>(left.ones.words()));
  for_each_task((which.size() + candidates_a_task - 1) / candidates_a_task, threads, [&](std::size_t task) {
    if (run.cancelled()) return;
    const std::size_t end = std::min(which.size(), (task + 1) * candidates_a_task);
    for (std::size_t i = task * candidates_a_task; i < end; ++i) {
      const SparseRow& candidate = candidates[which[i]];
      gains[which[i]] += sign * (fast ? sum_gains_popcnt(left, candidate, rows) : sum_gains(left, candidate, rows));
    }
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while choosing roles");
}

std::vector<std::uint32_t> numbers_to(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  return numbers;
}

double error_of(const MergedMatrix& data, const Factorization& result, const WeightLayout& layout) {
  const BitMatrix product = boolean_product(result.assignments, result.roles);
  BitMatrix wrong(1, data.bits.columns());
  double sum = 0.0;
  double users = 0.0;
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    for (std::size_t w = 0; w < wrong.words(); ++w) wrong.row(0)[w] = data.bits.row(n)[w] ^ product.row(n)[w];
    sum += data.row_weight[n] * static_cast<double>(layout.weight(layout.arranged(wrong).row(0)));
    users += data.row_weight[n];
  }
  return sum == 0.0 ? 0.0 : sum / (users * static_cast<double>(layout.total()));
}

}  // namespace

GreedyCover greedy_cover(const MergedMatrix& data, const BitMatrix& candidates, std::size_t roles, CoverWeights weights,
                         const RunContext& run) {
  const WeightLayout layout(data.column_weight);
  const BitMatrix distinct = merge_equal(candidates, {.rows = true, .columns = false}).bits;
  const BitMatrix arranged = layout.arranged(distinct);
  const std::vector<SparseRow> sparse = arranged_rows(arranged, layout);
  Uncovered left = everything(data, layout, weights);

  GreedyCover cover;
  cover.result = {BitMatrix(roles, data.bits.columns()), BitMatrix(data.bits.rows(), roles)};
  std::vector<std::int64_t> gains(distinct.rows(), 0);
  add_gains(left, sparse, numbers_to(distinct.rows()), numbers_to(data.bits.rows()), 1, gains, run);
  for (std::size_t k = 0; k < roles; ++k) {
    const auto best = std::max_element(gains.begin(), gains.end());
    if (best == gains.end() || *best <= 0) break;
    const auto chosen = static_cast<std::size_t>(best - gains.begin());
    const std::span<const std::uint64_t> role = arranged.row(chosen);
    std::copy(distinct.row(chosen).begin(), distinct.row(chosen).end(), cover.result.roles.row(k).begin());
    std::vector<std::uint32_t> members;
    for (std::size_t n = 0; n < data.bits.rows(); ++n) {
      if (row_score(left, sparse[chosen], n) <= 0) continue;
      members.push_back(static_cast<std::uint32_t>(n));
      cover.result.assignments.set(n, k);
    }
    std::vector<std::uint32_t> touched;  // candidates whose gain can change
    for (std::size_t c = 0; c < sparse.size(); ++c) {
      if (share_a_bit(role, sparse[c])) touched.push_back(static_cast<std::uint32_t>(c));
    }
    add_gains(left, sparse, touched, members, -1, gains, run);
    for (const std::uint32_t n : members) {
      for (std::size_t w = 0; w < role.size(); ++w) {
        left.ones.row(n)[w] &= ~role[w];
        left.zeros.row(n)[w] &= ~role[w];
      }
    }
    add_gains(left, sparse, touched, members, 1, gains, run);
  }
  cover.error = error_of(data, cover.result, layout);
  return cover;
}

}  // namespace motet::roles
