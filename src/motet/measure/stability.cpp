#include "motet/measure/stability.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/assignment.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"

namespace motet {
namespace {

// Users with the same two sets, kept once with their number.
struct Pairs {
  std::size_t clusters = 0;
  BitMatrix first;
  BitMatrix second;
  std::vector<std::size_t> count;
};

Pairs distinct_pairs(const BitMatrix& first, const BitMatrix& second) {
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const auto by_second = [&] { return std::ranges::lexicographical_compare(second.row(a), second.row(b)); };
    if (std::ranges::equal(first.row(a), first.row(b))) return by_second();
    return std::ranges::lexicographical_compare(first.row(a), first.row(b));
  };
  std::vector<std::uint32_t> order(first.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), less);
  std::vector<std::uint32_t> kept;
  Pairs pairs;
  for (const std::uint32_t user : order) {
    if (kept.empty() || less(kept.back(), user)) {
      kept.push_back(user);
      pairs.count.push_back(0);
    }
    ++pairs.count.back();
  }
  pairs.clusters = std::max(first.columns(), second.columns());
  pairs.first = first.rows_of(kept);
  pairs.second = second.rows_of(kept);
  return pairs;
}

bool bit(const BitMatrix& bits, std::size_t row, std::size_t column) {
  return column < bits.columns() && bits(row, column);
}

// The matching of single clusters with the most users alike.
std::vector<std::size_t> match_clusters(const Pairs& pairs) {
  const std::size_t k = pairs.clusters;
  // Users alike = N - |a| - |b| + 2 |a and b|; N and |a| are the same for every matching of a row.
  std::vector<double> gains(k * k, 0.0);
  for (std::size_t p = 0; p < pairs.count.size(); ++p) {
    const auto weight = static_cast<double>(pairs.count[p]);
    for_each_bit(pairs.second.row(p), [&](std::size_t j) {
      for (std::size_t i = 0; i < k; ++i) gains[i * k + j] -= weight;
      for_each_bit(pairs.first.row(p), [&](std::size_t i) { gains[i * k + j] += 2.0 * weight; });
    });
  }
  return best_assignment(gains, k);
}

// Swaps pairs of partners while more users agree, or as many with fewer wrong clusters.
struct SwapSearch {
  const Pairs& pairs;
  std::vector<std::size_t> partner;
  std::vector<int> wrong = std::vector<int>(pairs.count.size(), 0);  // by pair: clusters that differ

  std::size_t agreeing() const {
    std::size_t sum = 0;
    for (std::size_t p = 0; p < wrong.size(); ++p) sum += wrong[p] == 0 ? pairs.count[p] : 0;
    return sum;
  }

  int change(std::size_t p, std::size_t i, std::size_t j) const {
    const bool a = bit(pairs.first, p, i);
    const bool b = bit(pairs.first, p, j);
    const bool to_a = bit(pairs.second, p, partner[i]);
    const bool to_b = bit(pairs.second, p, partner[j]);
    if (a == b || to_a == to_b) return 0;
    return a == to_a ? 2 : -2;
  }

  bool improve(std::size_t i, std::size_t j) {
    long long gain = 0;
    long long fewer = 0;
    for (std::size_t p = 0; p < wrong.size(); ++p) {
      const int delta = change(p, i, j);
      if (delta == 0) continue;
      const auto weight = static_cast<long long>(pairs.count[p]);
      gain += weight * ((wrong[p] + delta == 0 ? 1 : 0) - (wrong[p] == 0 ? 1 : 0));
      fewer -= weight * delta;
    }
    if (gain < 0 || (gain == 0 && fewer <= 0)) return false;
    for (std::size_t p = 0; p < wrong.size(); ++p) wrong[p] += change(p, i, j);
    std::swap(partner[i], partner[j]);
    return true;
  }

  void run() {
    for (std::size_t p = 0; p < wrong.size(); ++p) {
      for (std::size_t i = 0; i < partner.size(); ++i) {
        wrong[p] += bit(pairs.first, p, i) != bit(pairs.second, p, partner[i]) ? 1 : 0;
      }
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i < partner.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) moved = improve(i, j) || moved;
      }
    }
  }
};

// Branch and bound: clusters get partners one after the other; users whose sets already
// differ are left behind, and a branch ends when those that remain are no more than the best found.
struct ExactSearch {
  const Pairs& pairs;
  std::vector<std::size_t> best;
  std::size_t best_count;
  std::vector<std::size_t> order = {};  // clusters of many users first: they separate soonest
  std::vector<std::size_t> partner = {};
  std::vector<bool> taken = {};

  void extend(std::size_t depth, const std::vector<std::size_t>& alive) {
    const std::size_t i = order[depth];
    for (std::size_t j = 0; j < pairs.clusters; ++j) {
      if (taken[j]) continue;
      std::vector<std::size_t> rest;
      std::size_t sum = 0;
      for (const std::size_t p : alive) {
        if (bit(pairs.first, p, i) != bit(pairs.second, p, j)) continue;
        rest.push_back(p);
        sum += pairs.count[p];
      }
      if (sum <= best_count) continue;
      partner[i] = j;
      if (depth + 1 == order.size()) {
        best_count = sum;
        best = partner;
        continue;
      }
      taken[j] = true;
      extend(depth + 1, rest);
      taken[j] = false;
    }
  }

  void run() {
    std::vector<std::size_t> users(pairs.clusters, 0);
    std::vector<std::size_t> alive;
    for (std::size_t p = 0; p < pairs.count.size(); ++p) {
      for_each_bit(pairs.first.row(p), [&](std::size_t i) { users[i] += pairs.count[p]; });
      if (pairs.first.count(p) == pairs.second.count(p)) alive.push_back(p);  // others differ under any permutation
    }
    order.resize(pairs.clusters);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return users[a] > users[b]; });
    partner.assign(pairs.clusters, 0);
    taken.assign(pairs.clusters, false);
    if (pairs.clusters > 0) extend(0, alive);
  }
};

// `second` with its rows dealt anew.
BitMatrix shuffled(const BitMatrix& second, Rng rng) {
  std::vector<std::uint32_t> order(second.rows());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return second.rows_of(order);
}

}  // namespace

Instability instability(const BitMatrix& first, const BitMatrix& second) {
  if (first.rows() != second.rows()) fail(ErrorKind::internal, "measure: labelings of different users");
  if (first.rows() == 0) return {no_number, {}, true};
  const Pairs pairs = distinct_pairs(first, second);
  SwapSearch search{pairs, match_clusters(pairs)};
  search.run();
  Instability result;
  result.exact = pairs.clusters <= exact_clusters;
  std::size_t agreeing = search.agreeing();
  result.partner = search.partner;
  if (result.exact) {
    ExactSearch exact{pairs, search.partner, agreeing};
    exact.run();
    agreeing = exact.best_count;
    result.partner = exact.best;
  }
  result.share = static_cast<double>(first.rows() - agreeing) / static_cast<double>(first.rows());
  return result;
}

Stability stability(const BitMatrix& first, const BitMatrix& second, std::size_t possible_sets, std::size_t draws,
                    const RunContext& run) {
  Stability result;
  result.observed = instability(first, second);
  const auto sets = static_cast<double>(possible_sets);
  result.literal = possible_sets < 2 ? no_number : 1.0 - sets / (sets - 1.0) * result.observed.share;
  std::vector<double> by_chance(draws);
  const Rng root = stream(run.seed, Stream::roles_stability);
  for_each_task(draws, run.threads, [&](std::size_t r) {
    if (run.cancelled()) return;
    by_chance[r] = instability(first, shuffled(second, root.child(r))).share;
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while measuring stability");
  const MeanSd chance = mean_sd(by_chance);
  result.chance = chance.mean;
  result.chance_error = chance.error;
  result.corrected = chance.mean > 0.0 ? 1.0 - result.observed.share / chance.mean : no_number;
  return result;
}

}  // namespace motet
