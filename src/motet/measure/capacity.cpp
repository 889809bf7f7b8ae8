#include "motet/measure/capacity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "motet/base/assignment.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet {
namespace {

constexpr double negligible = 45.0;  // exp(-45) is below the rounding of a sum of terms, the largest 1
constexpr std::size_t block = 256;   // pairs per task
constexpr double rarely = 0.05;      // as often in the second data as in the first: the set does not recur

// log sum_c exp(-b cost(c)), and at b = infinity log(number of minima) with the minimum apart.
struct LogSum {
  double least = 0.0;  // smallest cost
  double log = 0.0;    // of the sum of exp(-b (cost - least))
};

template <class Cost>
LogSum log_sum(std::size_t sets, double b, const Cost& cost) {
  double least = infinity;
  for (std::size_t c = 0; c < sets; ++c) least = std::min(least, cost(c));
  double sum = 0.0;
  for (std::size_t c = 0; c < sets; ++c) {
    const double above = cost(c) - least;
    if (b == infinity) {
      sum += above == 0.0 ? 1.0 : 0.0;
    } else if (b * above < negligible) {
      sum += std::exp(-b * above);
    }
  }
  return {least, std::log(sum)};
}

// log2 sum_c g1(c) g2(c) of one pair.
double overlap_bits(const double* first, const double* second, std::size_t sets, double b) {
  const LogSum one = log_sum(sets, b, [&](std::size_t c) { return first[c]; });
  const LogSum two = log_sum(sets, b, [&](std::size_t c) { return second[c]; });
  if (b == infinity) {
    double common = 0.0;
    for (std::size_t c = 0; c < sets; ++c) common += first[c] == one.least && second[c] == two.least ? 1.0 : 0.0;
    return (std::log(common) - one.log - two.log) / std::log(2.0);
  }
  const LogSum both = log_sum(sets, b, [&](std::size_t c) { return first[c] + second[c]; });
  const double excess = both.least - one.least - two.least;
  return (both.log - b * excess - one.log - two.log) / std::log(2.0);
}

void check(const CapacityData& data) {
  const bool fits = data.sets > 0 && !data.pairs.empty() && data.first_cost.size() % data.sets == 0 &&
                    data.second_cost.size() % data.sets == 0;
  if (!fits) fail(ErrorKind::internal, "measure: capacity without sets or pairs");
  for (const UserPair& pair : data.pairs) {
    if (pair.first >= data.first_cost.size() / data.sets || pair.second >= data.second_cost.size() / data.sets) {
      fail(ErrorKind::internal, "measure: capacity of a pair without costs");
    }
  }
}

std::vector<double> bits_by_pair(const CapacityData& data, double b, Threads threads) {
  std::vector<double> bits(data.pairs.size());
  for_each_task((bits.size() + block - 1) / block, threads, [&](std::size_t task) {
    const std::size_t end = std::min(bits.size(), (task + 1) * block);
    for (std::size_t i = task * block; i < end; ++i) {
      const UserPair pair = data.pairs[i];
      bits[i] = overlap_bits(data.first_cost.data() + pair.first * data.sets,
                             data.second_cost.data() + pair.second * data.sets, data.sets, b);
    }
  });
  return bits;
}

double information(const CapacityData& data, double b, Threads threads) {
  return data.entropy + mean_sd(bits_by_pair(data, b, threads)).mean;
}

// Standard error of the mean over pairs whose members may be in several pairs: variance
// of the sums by first user, plus by second user, less by pair, which is in both.
double two_way_error(std::span<const double> bits, std::span<const UserPair> pairs) {
  const double mean = mean_sd(bits).mean;
  std::map<std::uint32_t, double> by_first;
  std::map<std::uint32_t, double> by_second;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> by_pair;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const double e = bits[i] - mean;
    by_first[pairs[i].first] += e;
    by_second[pairs[i].second] += e;
    by_pair[{pairs[i].first, pairs[i].second}] += e;
  }
  const auto squares = [](const auto& sums) {
    double total = 0.0;
    for (const auto& [key, sum] : sums) total += sum * sum;
    return total;
  };
  const double first = squares(by_first);
  const double second = squares(by_second);
  const double variance = std::max({first + second - squares(by_pair), first, second});
  const auto users = static_cast<double>(std::min(by_first.size(), by_second.size()));
  const double correction = users > 1.0 ? users / (users - 1.0) : 1.0;
  return std::sqrt(variance * correction) / static_cast<double>(bits.size());
}

}  // namespace

std::vector<UserPair> pair_in_order(std::size_t users) {
  std::vector<UserPair> pairs(users);
  for (std::size_t n = 0; n < users; ++n) pairs[n] = {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n)};
  return pairs;
}

std::vector<UserPair> pair_nearest(const BitMatrix& first, const BitMatrix& second) {
  const std::size_t users = first.rows();
  if (second.rows() != users || second.columns() != first.columns()) {
    fail(ErrorKind::internal, "measure: users of two data sets that cannot be paired");
  }
  std::vector<double> alike(users * users);
  for (std::size_t n = 0; n < users; ++n) {
    for (std::size_t m = 0; m < users; ++m) {
      int differing = 0;
      for (std::size_t w = 0; w < first.words(); ++w) differing += std::popcount(first.row(n)[w] ^ second.row(m)[w]);
      alike[n * users + m] = -differing;
    }
  }
  std::vector<UserPair> pairs;
  for (const std::size_t partner : best_assignment(alike, users)) {
    pairs.push_back({static_cast<std::uint32_t>(pairs.size()), static_cast<std::uint32_t>(partner)});
  }
  return pairs;
}

std::vector<UserPair> pair_by_label(std::span<const double> first_responsibility,
                                    std::span<const double> second_responsibility, std::size_t sets, std::size_t draws,
                                    Rng rng) {
  const std::size_t first_users = first_responsibility.size() / sets;
  const std::size_t second_users = second_responsibility.size() / sets;
  std::vector<double> until(sets * second_users);  // by set: running total over the second users
  std::vector<bool> recurs(sets);
  for (std::size_t c = 0; c < sets; ++c) {
    double second = 0.0;
    for (std::size_t m = 0; m < second_users; ++m) {
      until[c * second_users + m] = second += second_responsibility[m * sets + c];
    }
    double first = 0.0;
    for (std::size_t n = 0; n < first_users; ++n) first += first_responsibility[n * sets + c];
    recurs[c] = second * static_cast<double>(first_users) > rarely * first * static_cast<double>(second_users);
  }
  std::vector<UserPair> pairs;
  pairs.reserve(first_users * draws);
  for (std::size_t n = 0; n < first_users; ++n) {
    for (std::size_t r = 0; r < draws; ++r) {
      const std::size_t c = rng.categorical(first_responsibility.subspan(n * sets, sets));
      const double at = rng.uniform();
      if (!recurs[c]) continue;
      const auto begin = until.begin() + static_cast<std::ptrdiff_t>(c * second_users);
      const auto last = begin + static_cast<std::ptrdiff_t>(second_users - 1);
      const auto found = std::upper_bound(begin, last, at * *last);
      pairs.push_back({static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(found - begin)});
    }
  }
  return pairs;
}

double mutual_information(const CapacityData& data, double inverse_temperature, Threads threads) {
  check(data);
  return information(data, inverse_temperature, threads);
}

Capacity approximation_capacity(const CapacityData& data, Threads threads) {
  check(data);
  const auto at = [&](double log_b) { return information(data, std::exp(log_b), threads); };
  // I_b need not have one maximum, hence the grid; steps of a factor 1.8.
  constexpr int steps = 32;
  const double low = std::log(1e-4);
  const double step = (std::log(1e4) - low) / steps;
  int best = 0;
  double best_bits = -infinity;
  for (int i = 0; i <= steps; ++i) {
    const double bits = at(low + step * i);
    if (bits <= best_bits) continue;
    best = i;
    best_bits = bits;
  }
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double a = low + step * std::max(best - 1, 0);
  double b = low + step * std::min(best + 1, steps);
  double x = b - golden * (b - a);
  double y = a + golden * (b - a);
  double at_x = at(x);
  double at_y = at(y);
  while (b - a > 1e-3) {  // I_b is flat at its maximum: its error is then of the order 1e-6
    if (at_x >= at_y) {
      b = y;
      y = x;
      at_y = at_x;
      at_x = at(x = b - golden * (b - a));
    } else {
      a = x;
      x = y;
      at_x = at_y;
      at_y = at(y = a + golden * (b - a));
    }
  }
  double chosen = std::max(at_x, at_y) > best_bits ? std::exp(at_x >= at_y ? x : y) : std::exp(low + step * best);
  best_bits = std::max({best_bits, at_x, at_y});
  for (const double end : {0.0, infinity}) {
    const double found = information(data, end, threads);
    if (found <= best_bits) continue;
    best_bits = found;
    chosen = end;
  }

  const std::vector<double> bits = bits_by_pair(data, chosen, threads);
  return {data.entropy + mean_sd(bits).mean, two_way_error(bits, data.pairs), chosen};
}

double type_entropy(std::span<const double> shares) {
  double bits = 0.0;
  for (const double share : shares) bits -= share > 0.0 ? share * std::log2(share) : 0.0;
  return bits;
}

DistinctRows distinct_rows(const BitMatrix& proxies) {
  std::map<std::vector<std::uint64_t>, std::uint32_t> seen;
  DistinctRows result;
  for (std::size_t row = 0; row < proxies.rows(); ++row) {
    const std::span<const std::uint64_t> words = proxies.row(row);
    const auto next = static_cast<std::uint32_t>(result.first.size());
    const auto [at, is_new] = seen.try_emplace({words.begin(), words.end()}, next);
    if (is_new) result.first.push_back(static_cast<std::uint32_t>(row));
    result.group_of.push_back(at->second);
  }
  return result;
}

std::vector<double> merge_costs(std::span<const double> costs, std::span<const double> set_share,
                                const DistinctRows& groups) {
  const std::size_t sets = groups.group_of.size();
  const std::size_t merged = groups.first.size();
  const std::vector<double> share = merge_shares(set_share, groups);
  // Sets of a group that all have share 0 count alike.
  std::vector<double> size(merged, 0.0);
  for (const std::uint32_t group : groups.group_of) size[group] += 1.0;
  std::vector<double> weight(sets);
  for (std::size_t c = 0; c < sets; ++c) {
    const std::uint32_t group = groups.group_of[c];
    weight[c] = share[group] > 0.0 ? set_share[c] / share[group] : 1.0 / size[group];
  }
  const std::size_t users = sets == 0 ? 0 : costs.size() / sets;
  std::vector<double> result(users * merged, infinity);
  std::vector<double> sum(merged);
  for (std::size_t n = 0; n < users; ++n) {
    const std::span<const double> row = costs.subspan(n * sets, sets);
    double* least = result.data() + n * merged;
    for (std::size_t c = 0; c < sets; ++c) {
      if (weight[c] > 0.0) least[groups.group_of[c]] = std::min(least[groups.group_of[c]], row[c]);
    }
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t c = 0; c < sets; ++c) {
      const std::uint32_t group = groups.group_of[c];
      if (weight[c] > 0.0) sum[group] += weight[c] * std::exp(least[group] - row[c]);
    }
    for (std::size_t g = 0; g < merged; ++g) least[g] -= std::log(sum[g]);
  }
  return result;
}

std::vector<double> merge_shares(std::span<const double> set_share, const DistinctRows& groups) {
  std::vector<double> share(groups.first.size(), 0.0);
  for (std::size_t c = 0; c < set_share.size(); ++c) share[groups.group_of[c]] += set_share[c];
  return share;
}

std::vector<double> responsibilities(std::span<const double> costs, std::span<const double> shares) {
  const std::size_t sets = shares.size();
  std::vector<double> result(costs.size());
  for (std::size_t begin = 0; begin < costs.size(); begin += sets) {
    double least = infinity;
    for (std::size_t c = 0; c < sets; ++c) {
      if (shares[c] > 0.0) least = std::min(least, costs[begin + c]);
    }
    double sum = 0.0;
    for (std::size_t c = 0; c < sets; ++c) {
      const double weight = shares[c] > 0.0 ? shares[c] * std::exp(least - costs[begin + c]) : 0.0;
      result[begin + c] = weight;
      sum += weight;
    }
    for (std::size_t c = 0; c < sets; ++c) result[begin + c] /= sum;
  }
  return result;
}

}  // namespace motet
