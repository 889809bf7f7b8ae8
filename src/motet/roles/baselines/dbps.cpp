#include "motet/roles/baselines/dbps.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "motet/base/error.h"

namespace motet::roles {
namespace {

struct Pair {
  std::uint64_t hash = 0;  // of the common permissions
  std::uint32_t first = 0;
  std::uint32_t second = 0;  // >= first
};

struct Common {
  Pair pair;
  double frequency = 0.0;
};

std::uint64_t hash_of_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (std::size_t w = 0; w < a.size(); ++w) {
    hash = (hash ^ (a[w] & b[w])) * 0xD6E8FEB86659FD93U;
    hash ^= hash >> 32;
  }
  return hash;
}

bool same_common(const BitMatrix& bits, const Pair& p, const Pair& q) {
  for (std::size_t w = 0; w < bits.words(); ++w) {
    const std::uint64_t of_p = bits.row(p.first)[w] & bits.row(p.second)[w];
    if (of_p != (bits.row(q.first)[w] & bits.row(q.second)[w])) return false;
  }
  return true;
}

std::vector<std::uint32_t> heaviest_rows(const MergedMatrix& data, std::size_t most) {
  std::vector<std::uint32_t> rows(data.bits.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return data.row_weight[a] > data.row_weight[b]; });
  rows.resize(std::min(rows.size(), most));
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<Pair> all_pairs(const BitMatrix& bits, const std::vector<std::uint32_t>& rows, const RunContext& run) {
  std::vector<Pair> pairs(rows.size() * (rows.size() + 1) / 2);
  for_each_task(rows.size(), run.threads, [&](std::size_t i) {
    Pair* to = pairs.data() + i * (i + 1) / 2;
    for (std::size_t j = 0; j <= i; ++j) {
      *to++ = {hash_of_common(bits.row(rows[j]), bits.row(rows[i])), rows[j], rows[i]};
    }
  });
  return pairs;
}

// One entry per set; sets with the same hash are told apart by their bits.
std::vector<Common> frequencies(const MergedMatrix& data, std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.hash, a.first, a.second) < std::tie(b.hash, b.first, b.second);
  });
  std::vector<Common> sets;
  std::size_t first_of_hash = 0;  // in `sets`
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].hash != pairs[i - 1].hash) first_of_hash = sets.size();
    const double first = data.row_weight[pairs[i].first];
    const double second = data.row_weight[pairs[i].second];
    const double users = pairs[i].first == pairs[i].second ? first * (first + 1.0) / 2.0 : first * second;
    std::size_t at = first_of_hash;
    while (at < sets.size() && !same_common(data.bits, sets[at].pair, pairs[i])) ++at;
    if (at == sets.size()) sets.push_back({pairs[i], 0.0});
    sets[at].frequency += users;
  }
  return sets;
}

}  // namespace

BitMatrix dbps_candidates(const MergedMatrix& data, const DbpsOptions& options, const RunContext& run) {
  const std::vector<std::uint32_t> rows = heaviest_rows(data, options.most_rows);
  std::vector<Common> sets = frequencies(data, all_pairs(data.bits, rows, run));
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while comparing users");
  std::sort(sets.begin(), sets.end(), [](const Common& a, const Common& b) {
    if (a.frequency != b.frequency) return a.frequency > b.frequency;
    return std::tie(a.pair.first, a.pair.second) < std::tie(b.pair.first, b.pair.second);
  });
  sets.resize(std::min(sets.size(), options.most_candidates));
  BitMatrix candidates(sets.size(), data.bits.columns());
  for (std::size_t c = 0; c < sets.size(); ++c) {
    for (std::size_t w = 0; w < candidates.words(); ++w) {
      candidates.row(c)[w] = data.bits.row(sets[c].pair.first)[w] & data.bits.row(sets[c].pair.second)[w];
    }
  }
  return candidates;
}

Factorization dbps(const MergedMatrix& data, std::size_t roles, const DbpsOptions& options, const RunContext& run) {
  return std::move(greedy_cover(data, dbps_candidates(data, options, run), roles, options.weights, run).result);
}

}  // namespace motet::roles
