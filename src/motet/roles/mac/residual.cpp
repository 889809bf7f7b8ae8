#include "motet/roles/mac/residual.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "motet/roles/mac/bit_product.h"

namespace motet::roles {
namespace {

constexpr double lifts[] = {0.2, 0.4, 0.6, 0.8};  // how far above chance an association must be
constexpr std::size_t row_candidates = 40;
constexpr std::size_t scoring_rows = 1000;  // candidates are compared on so many rows
constexpr std::size_t refined_candidates = 12;
constexpr std::size_t refinements = 5;
constexpr double least_cover = 1e-3;
constexpr std::size_t power_steps = 60;

using Bits = std::vector<std::uint64_t>;

bool is_plain(std::span<const double> weights) {
  return std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1.0; });
}

// Weighted ones that rows of a matrix have in common with a candidate.
class Counter {
 public:
  explicit Counter(std::span<const double> column_weight) : weight_(column_weight), plain_(is_plain(column_weight)) {}
  double common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) const {
    double sum = 0.0;
    if (plain_) return static_cast<double>(common_ones(a, b));
    for (std::size_t w = 0; w < a.size(); ++w) {
      for (std::uint64_t rest = a[w] & b[w]; rest != 0; rest &= rest - 1) {
        sum += weight_[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
      }
    }
    return sum;
  }

 private:
  std::span<const double> weight_;
  bool plain_;
};

// Rows with their uncovered ones and their covered cells.
struct Residual {
  const MergedMatrix& data;
  BitMatrix ones;  // held and not covered
  const BitMatrix& covered;
  CellGain gain;
  Counter counter;

  double worth(std::size_t n, std::span<const std::uint64_t> candidate, double size) const {
    const double uncovered = size - counter.common(covered.row(n), candidate);
    const double held = counter.common(ones.row(n), candidate);
    return gain.held * held + gain.not_held * (uncovered - held);
  }
};

Residual residual_of(const MergedMatrix& data, const BitMatrix& covered, double p0, double p1) {
  Residual residual{data, data.bits, covered, cell_gain(p0, p1), Counter(data.column_weight)};
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    const std::span<std::uint64_t> row = residual.ones.row(n);
    for (std::size_t w = 0; w < row.size(); ++w) row[w] &= ~covered.row(n)[w];
  }
  return residual;
}

// [column * columns + other]: weighted rows in which both are left over.
std::vector<double> together(const Residual& residual) {
  const std::size_t columns = residual.ones.columns();
  std::vector<double> counts(columns * columns);
  if (is_plain(residual.data.row_weight)) {
    const BitMatrix by_column = residual.ones.transposed();
    std::vector<std::uint32_t> common(columns);
    for (std::size_t d = 0; d < columns; ++d) {
      count_common_ones(by_column.row(d), by_column, common);
      std::copy(common.begin(), common.end(), counts.begin() + static_cast<std::ptrdiff_t>(d * columns));
    }
    return counts;
  }
  std::vector<std::size_t> held;
  for (std::size_t n = 0; n < residual.ones.rows(); ++n) {
    held.clear();
    for_each_bit(residual.ones.row(n), [&](std::size_t d) { held.push_back(d); });
    for (const std::size_t d : held) {
      for (const std::size_t e : held) counts[d * columns + e] += residual.data.row_weight[n];
    }
  }
  return counts;
}

void keep_distinct(std::vector<Bits>& candidates) {
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::erase_if(candidates,
                [](const Bits& bits) { return std::all_of(bits.begin(), bits.end(), [](auto w) { return w == 0; }); });
}

// A few steps of EM for one role on the gains; returns its worth.
double refine(const Residual& residual, Bits& candidate) {
  const MergedMatrix& data = residual.data;
  const std::size_t rows = data.bits.rows();
  const std::size_t columns = data.bits.columns();
  const double users = std::accumulate(data.row_weight.begin(), data.row_weight.end(), 0.0);
  double share = 0.1;
  double total_worth = 0.0;
  std::vector<double> worth(rows);
  for (std::size_t round = 0; round <= refinements; ++round) {
    double size = 0.0;
    for_each_bit(std::span<const std::uint64_t>(candidate), [&](std::size_t d) { size += data.column_weight[d]; });
    for (std::size_t n = 0; n < rows; ++n) worth[n] = residual.worth(n, candidate, size);
    if (round == refinements) break;
    const double odds = std::log(share / (1.0 - share));
    std::vector<double> gain(columns);
    double members = 0.0;
    double absent = 0.0;
    for (std::size_t n = 0; n < rows; ++n) {
      const double membership = 1.0 / (1.0 + std::exp(-std::clamp(worth[n] + odds, -30.0, 30.0)));
      if (membership < least_cover) continue;
      const double weight = membership * data.row_weight[n];
      members += weight;
      absent += weight * residual.gain.not_held;
      for_each_bit(residual.ones.row(n),
                   [&](std::size_t d) { gain[d] += weight * (residual.gain.held - residual.gain.not_held); });
      for_each_bit(residual.covered.row(n), [&](std::size_t d) { gain[d] -= weight * residual.gain.not_held; });
    }
    share = std::clamp(members / users, 1.0 / (users + 1.0), 0.95);
    Bits next(candidate.size());
    for (std::size_t d = 0; d < columns; ++d) {
      if (gain[d] + absent > 0.0) next[d / 64] |= std::uint64_t{1} << (d % 64);
    }
    candidate = std::move(next);
  }
  for (std::size_t n = 0; n < rows; ++n) {
    const double without = std::log(1.0 - share);
    const double with = std::log(share) + worth[n];
    const double larger = std::max(without, with);
    total_worth += data.row_weight[n] * (larger + std::log1p(std::exp(-std::abs(with - without))));
  }
  return total_worth;
}

// Columns that are held together, each with those that lift it; and some rows as they are.
std::vector<Bits> first_candidates(const Residual& residual, double p1, Rng& rng) {
  const MergedMatrix& data = residual.data;
  const std::size_t columns = data.bits.columns();
  const double users = std::accumulate(data.row_weight.begin(), data.row_weight.end(), 0.0);
  const std::vector<double> counts = together(residual);
  std::vector<Bits> candidates;
  for (const double lift : lifts) {
    for (std::size_t d = 0; d < columns; ++d) {
      const double own = counts[d * columns + d];
      if (!(own > 0.0)) continue;
      Bits bits(data.bits.words());
      for (std::size_t e = 0; e < columns; ++e) {
        const double chance = counts[e * columns + e] / users;
        if (counts[d * columns + e] / own > chance + lift * std::max(p1 - chance, 0.0)) {
          bits[e / 64] |= std::uint64_t{1} << (e % 64);
        }
      }
      candidates.push_back(std::move(bits));
    }
  }
  for (std::size_t i = 0; i < std::min(row_candidates, data.bits.rows()); ++i) {
    const std::span<const std::uint64_t> row = residual.ones.row(rng.categorical(data.row_weight));
    candidates.emplace_back(row.begin(), row.end());
  }
  keep_distinct(candidates);
  return candidates;
}

// What each candidate is worth on some rows, evenly spread over all.
std::vector<double> scores_of(const Residual& residual, const std::vector<Bits>& candidates, Threads threads) {
  const MergedMatrix& data = residual.data;
  const std::size_t rows = data.bits.rows();
  const std::size_t compared = std::min(rows, scoring_rows);
  std::vector<double> score(candidates.size());
  constexpr std::size_t a_task = 32;
  for_each_task((candidates.size() + a_task - 1) / a_task, threads, [&](std::size_t task) {
    for (std::size_t c = task * a_task; c < std::min(candidates.size(), (task + 1) * a_task); ++c) {
      double size = 0.0;
      for_each_bit(std::span<const std::uint64_t>(candidates[c]),
                   [&](std::size_t d) { size += data.column_weight[d]; });
      for (std::size_t i = 0; i < compared; ++i) {
        const std::size_t n = i * rows / compared;
        score[c] += data.row_weight[n] * std::max(0.0, residual.worth(n, candidates[c], size));
      }
    }
  });
  return score;
}

std::vector<std::size_t> by_falling_score(const std::vector<double>& score) {
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  return order;
}

// In more than a quarter of the columns that `other` has.
bool differs_much(const Bits& bits, const Bits& other) {
  std::size_t different = 0;
  std::size_t size = 0;
  for (std::size_t w = 0; w < bits.size(); ++w) {
    different += static_cast<std::size_t>(std::popcount(bits[w] ^ other[w]));
    size += static_cast<std::size_t>(std::popcount(other[w]));
  }
  return 4 * different > size;
}

// The covariance of a role's columns among its members without the diagonal, columns counted with their weight.
std::vector<double> covariance_of(const MergedMatrix& data, const std::vector<std::size_t>& columns,
                                  std::span<const std::uint32_t> members) {
  const std::size_t size = columns.size();
  std::vector<double> mean(size);
  double users = 0.0;
  for (const std::uint32_t n : members) {
    users += data.row_weight[n];
    for (std::size_t i = 0; i < size; ++i) mean[i] += data.row_weight[n] * (data.bits(n, columns[i]) ? 1.0 : 0.0);
  }
  for (double& m : mean) m /= users;
  std::vector<double> covariance(size * size);
  std::vector<std::size_t> held;
  for (const std::uint32_t n : members) {
    held.clear();
    for (std::size_t i = 0; i < size; ++i) {
      if (data.bits(n, columns[i])) held.push_back(i);
    }
    for (const std::size_t i : held) {
      for (const std::size_t j : held) covariance[i * size + j] += data.row_weight[n];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      double& cell = covariance[i * size + j];
      cell = i == j ? 0.0
                    : (cell - users * mean[i] * mean[j]) *
                          std::sqrt(data.column_weight[columns[i]] * data.column_weight[columns[j]]);
    }
  }
  return covariance;
}

// By the power method; a shift makes the largest eigenvalue the largest in size. Empty if all is zero.
std::vector<double> leading_eigenvector(const std::vector<double>& covariance, std::size_t size) {
  double shift = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < size; ++j) row += std::abs(covariance[i * size + j]);
    shift = std::max(shift, 0.5 * row);
  }
  std::vector<double> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = (i % 2 == 0 ? 1.0 : -1.0) + 0.1 * static_cast<double>(i % 7);
  std::vector<double> next(size);
  for (std::size_t step = 0; step < power_steps; ++step) {
    double norm = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      next[i] = shift * v[i];
      for (std::size_t j = 0; j < size; ++j) next[i] += covariance[i * size + j] * v[j];
      norm += next[i] * next[i];
    }
    if (!(norm > 0.0)) return {};
    for (std::size_t i = 0; i < size; ++i) v[i] = next[i] / std::sqrt(norm);
  }
  return v;
}

}  // namespace

CellGain cell_gain(double p0, double p1) { return {std::log(p1 / p0), std::log((1.0 - p1) / (1.0 - p0))}; }

std::vector<Bits> residual_candidates(const MergedMatrix& data, const BitMatrix& covered, double p0, double p1,
                                      std::size_t count, Threads threads, Rng& rng) {
  const Residual residual = residual_of(data, covered, p0, p1);
  const std::vector<Bits> candidates = first_candidates(residual, p1, rng);
  std::vector<Bits> chosen;
  for (const std::size_t c : by_falling_score(scores_of(residual, candidates, threads))) {
    const bool is_new = std::all_of(chosen.begin(), chosen.end(),
                                    [&](const Bits& other) { return differs_much(candidates[c], other); });
    if (is_new) chosen.push_back(candidates[c]);
    if (chosen.size() >= std::max(refined_candidates, count)) break;
  }
  std::vector<double> worth(chosen.size());
  for_each_task(chosen.size(), threads, [&](std::size_t c) { worth[c] = refine(residual, chosen[c]); });
  std::vector<Bits> result;
  for (const std::size_t c : by_falling_score(worth)) {
    const bool is_empty = std::all_of(chosen[c].begin(), chosen[c].end(), [](auto w) { return w == 0; });
    if (is_empty || std::find(result.begin(), result.end(), chosen[c]) != result.end()) continue;
    result.push_back(chosen[c]);
    if (result.size() == count) break;
  }
  return result;
}

RoleSplit split_role(const MergedMatrix& data, std::span<const std::uint64_t> role,
                     std::span<const std::uint32_t> members, double p0, double p1) {
  std::vector<std::size_t> columns;
  for_each_bit(role, [&](std::size_t d) { columns.push_back(d); });
  const std::size_t size = columns.size();
  RoleSplit split;
  if (size < 2 || members.size() < 4) return split;
  const std::vector<double> v = leading_eigenvector(covariance_of(data, columns, members), size);
  if (v.empty()) return split;
  const CellGain gain = cell_gain(p0, p1);
  Bits part(role.size());
  std::size_t in_part = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (v[i] <= 0.0) continue;
    part[columns[i] / 64] |= std::uint64_t{1} << (columns[i] % 64);
    ++in_part;
  }
  if (in_part == 0 || in_part == size) return split;
  for (const std::uint32_t n : members) {
    double sums[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < size; ++i) {
      sums[v[i] > 0.0 ? 1 : 0] +=
          data.column_weight[columns[i]] * (data.bits(n, columns[i]) ? gain.held : gain.not_held);
    }
    const double whole = sums[0] + sums[1];
    split.worth += data.row_weight[n] * (std::max({sums[0], sums[1], whole}) - whole);
  }
  split.part = std::move(part);
  return split;
}

}  // namespace motet::roles
