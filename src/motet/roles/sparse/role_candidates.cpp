#include "motet/roles/sparse/role_candidates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <span>

namespace motet::roles {
namespace {

constexpr double seed_taus[] = {0.3, 0.5, 0.7, 0.9};
constexpr std::size_t most_holders = 500;    // of a permission that are asked what else they hold
constexpr double enough_holders = 800.0;     // of a permission on average; where there are more, some users will do
constexpr std::size_t least_holders = 3;     // fewer say nothing
constexpr std::size_t wanted_pairs = 6'000;  // of holders, over all permissions
constexpr std::size_t most_pairs = 15;       // of holders of one permission
constexpr std::size_t seed_visits = 30'000;  // of a seed's holdings; beyond them users are left out evenly
constexpr std::size_t candidate_visits = 2'000'000;  // the same of what seeds have become
constexpr std::size_t most_refinements = 5;
constexpr double most_share = 0.5;  // a member holds more of a candidate, and a permission is held by more members
// Of a missing cell beside a held one, where candidates are chosen: two roles in one must not look better than either.
constexpr double least_missing_price = 0.7;
constexpr double same_seed = 0.7;   // Jaccard from which a seed is taken for what another became
constexpr double same_role = 0.95;  // and two candidates for one
constexpr std::size_t seeds_at_once = 256;
constexpr std::size_t permissions_a_task = 64;
constexpr std::size_t refined_a_task = 8;

// Numbers by user or permission that are zero but for those touched.
class TouchedCounts {
 public:
  explicit TouchedCounts(std::size_t size) : count_(size) {}
  void add(std::uint32_t i) {
    if (count_[i]++ == 0) touched_.push_back(i);
  }
  std::uint32_t operator[](std::uint32_t i) const { return count_[i]; }
  const std::vector<std::uint32_t>& touched() const { return touched_; }
  void clear() {
    for (const std::uint32_t i : touched_) count_[i] = 0;
    touched_.clear();
  }

 private:
  std::vector<std::uint32_t> count_;
  std::vector<std::uint32_t> touched_;
};

void add_seeds(const AccessView& data, std::uint32_t d, std::size_t pairs, Rng rng, TouchedCounts& counts,
               std::vector<Permissions>& seeds) {
  const std::span<const std::uint32_t> holders = data.by_permission[d];
  if (holders.size() < least_holders) return;
  const std::size_t asked = std::min(holders.size(), most_holders);
  for (std::size_t i = 0; i < asked; ++i) {
    for (const std::uint32_t e : data.by_user[holders[i * holders.size() / asked]]) counts.add(e);
  }
  for (const double tau : seed_taus) {
    Permissions seed;
    for (const std::uint32_t e : counts.touched()) {
      if (static_cast<double>(counts[e]) >= tau * static_cast<double>(asked)) seed.push_back(e);
    }
    std::sort(seed.begin(), seed.end());
    seeds.push_back(std::move(seed));
  }
  counts.clear();
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint32_t one = holders[rng.below(holders.size())];
    const std::uint32_t other = holders[rng.below(holders.size())];
    if (one == other) continue;
    Permissions seed;
    std::ranges::set_intersection(data.by_user[one], data.by_user[other], std::back_inserter(seed));
    if (seed.size() > 1) seeds.push_back(std::move(seed));
  }
}

// Sets of permissions that differ, and which of them a new one is like.
class DistinctSets {
 public:
  explicit DistinctSets(std::size_t permissions) : with_(permissions) {}

  bool has_like(const Permissions& one, double jaccard) {
    common_.resize(kept_.size());
    touched_.clear();
    for (const std::uint32_t d : one) {
      for (const std::uint32_t i : with_[d]) {
        if (common_[i]++ == 0) touched_.push_back(i);
      }
    }
    bool found = false;
    for (const std::uint32_t i : touched_) {
      const double both = common_[i];
      found = found || both >= jaccard * (static_cast<double>(one.size() + kept_[i].size()) - both);
      common_[i] = 0;
    }
    return found;
  }
  void add(Permissions one) {
    for (const std::uint32_t d : one) with_[d].push_back(static_cast<std::uint32_t>(kept_.size()));
    kept_.push_back(std::move(one));
  }
  std::vector<Permissions> take() { return std::move(kept_); }

 private:
  std::vector<Permissions> kept_;
  std::vector<std::vector<std::uint32_t>> with_;  // by permission: the kept ones that have it
  std::vector<std::uint32_t> common_;
  std::vector<std::uint32_t> touched_;
};

// Room to refine one candidate at a time.
class Refiner {
 public:
  Refiner(const AccessView& data, const CandidateGain& gain, std::size_t visits)
      : data_(data), gain_(gain), visits_(visits), overlap_(data.by_user.rows()), holders_(data.by_user.columns) {}

  // Turns of members and permissions until they stay; empty when it has no two members.
  Permissions refined(Permissions candidate) {
    for (std::size_t round = 0; round < most_refinements; ++round) {
      Permissions next = common_of(members_of(candidate));
      if (next.empty() || next == candidate) return next;
      candidate = std::move(next);
    }
    return candidate;
  }

 private:
  std::vector<std::uint32_t> members_of(const Permissions& candidate) {
    std::size_t visits = 0;
    for (const std::uint32_t d : candidate) visits += data_.by_permission[d].size();
    const std::size_t every = 1 + visits / visits_;
    for (const std::uint32_t d : candidate) {
      for (const std::uint32_t n : data_.by_permission[d]) {
        if (every == 1 || n % every == 0) overlap_.add(n);
      }
    }
    std::vector<std::uint32_t> members;
    const auto size = static_cast<double>(candidate.size());
    for (const std::uint32_t n : overlap_.touched()) {
      const double held = overlap_[n];
      const double worth = gain_.held * held - gain_.missing * (size - held) - gain_.member;
      if (held > most_share * size && worth > 0.0) members.push_back(n);
    }
    overlap_.clear();
    return members;
  }

  Permissions common_of(const std::vector<std::uint32_t>& members) {
    Permissions result;
    if (members.size() < 2) return result;
    const double least = std::max(most_share, gain_.missing / (gain_.held + gain_.missing));
    for (const std::uint32_t n : members) {
      for (const std::uint32_t d : data_.by_user[n]) holders_.add(d);
    }
    for (const std::uint32_t d : holders_.touched()) {
      if (static_cast<double>(holders_[d]) > least * static_cast<double>(members.size())) result.push_back(d);
    }
    holders_.clear();
    std::sort(result.begin(), result.end());
    return result;
  }

  const AccessView& data_;
  const CandidateGain& gain_;
  std::size_t visits_;
  TouchedCounts overlap_;
  TouchedCounts holders_;
};

// What candidates are worth beside those chosen.
class CandidateChooser {
 public:
  CandidateChooser(const AccessView& data, const CandidateGain& gain, std::vector<std::uint8_t>& granted)
      : data_(data), gain_(gain), granted_(granted) {
    gain_.missing = std::max(gain_.missing, least_missing_price * gain_.held);
    granted_.resize(data.by_user.places.size());
  }

  struct Room {
    explicit Room(std::size_t users) : held(users), open(users) {}
    TouchedCounts held;
    TouchedCounts open;  // held, and not granted yet
  };

  double worth(const Permissions& candidate, Room& room) const {
    count(candidate, room);
    double sum = 0.0;
    for (const std::uint32_t n : room.held.touched()) sum += std::max(0.0, gain_of(n, candidate, room));
    room.held.clear();
    room.open.clear();
    return sum;
  }

  void grant(const Permissions& candidate, Room& room) {
    count(candidate, room);
    for (const std::uint32_t d : candidate) {
      const std::span<const std::uint32_t> holders = data_.by_permission[d];
      const std::size_t begin = data_.by_permission.begin(d);
      for (std::size_t i = 0; i < holders.size(); ++i) {
        if (gain_of(holders[i], candidate, room) > 0.0) granted_[begin + i] = 1;
      }
    }
    room.held.clear();
    room.open.clear();
  }

 private:
  void count(const Permissions& candidate, Room& room) const {
    for (const std::uint32_t d : candidate) {
      const std::span<const std::uint32_t> holders = data_.by_permission[d];
      const std::size_t begin = data_.by_permission.begin(d);
      for (std::size_t i = 0; i < holders.size(); ++i) {
        room.held.add(holders[i]);
        if (granted_[begin + i] == 0) room.open.add(holders[i]);
      }
    }
  }
  double gain_of(std::uint32_t n, const Permissions& candidate, const Room& room) const {
    return gain_.held * room.open[n] - gain_.missing * static_cast<double>(candidate.size() - room.held[n]) -
           gain_.member;
  }

  const AccessView& data_;
  CandidateGain gain_;
  std::vector<std::uint8_t>& granted_;
};

SparseRows every_few(const SparseRows& rows, std::size_t step) {
  SparseRows some;
  some.columns = rows.columns;
  for (std::size_t n = 0; n < rows.rows(); n += step) some.add(rows[n]);
  return some;
}

// Each refined, a lot at a time: seeds that are like what earlier ones became need not be, and ends that are alike are
// one.
std::vector<Permissions> refined(const AccessView& data, std::vector<Permissions> seeds, const CandidateGain& gain,
                                 std::size_t visits, double like_an_end, Threads threads) {
  DistinctSets ends(data.by_user.columns);
  for (std::size_t begin = 0; begin < seeds.size(); begin += seeds_at_once) {
    const std::size_t stop = std::min(seeds.size(), begin + seeds_at_once);
    std::vector<Permissions> open;
    for (std::size_t i = begin; i < stop; ++i) {
      if (!ends.has_like(seeds[i], like_an_end)) open.push_back(std::move(seeds[i]));
    }
    for_each_task((open.size() + refined_a_task - 1) / refined_a_task, threads, [&](std::size_t task) {
      Refiner refiner(data, gain, visits);
      for (std::size_t c = task * refined_a_task; c < std::min(open.size(), (task + 1) * refined_a_task); ++c) {
        open[c] = refiner.refined(std::move(open[c]));
      }
    });
    for (Permissions& end : open) {
      if (!end.empty() && !ends.has_like(end, same_role)) ends.add(std::move(end));
    }
  }
  return ends.take();
}

}  // namespace

std::vector<Permissions> role_candidates(const AccessView& data, const CandidateGain& gain, const Rng& rng,
                                         Threads threads) {
  const std::size_t permissions = data.by_user.columns;
  if (!(gain.held > 0.0)) return {};
  const double holders = static_cast<double>(data.by_user.places.size()) / static_cast<double>(permissions);
  if (holders > enough_holders) {
    const SparseRows some = every_few(data.by_user, static_cast<std::size_t>(std::ceil(holders / enough_holders)));
    return role_candidates(AccessView(some), gain, rng, threads);
  }
  const std::size_t pairs =
      std::clamp<std::size_t>(wanted_pairs / std::max<std::size_t>(permissions, 1), 1, most_pairs);
  std::vector<std::vector<Permissions>> seeds((permissions + permissions_a_task - 1) / permissions_a_task);
  for_each_task(seeds.size(), threads, [&](std::size_t task) {
    TouchedCounts counts(permissions);
    for (std::size_t d = task * permissions_a_task; d < std::min(permissions, (task + 1) * permissions_a_task); ++d) {
      add_seeds(data, static_cast<std::uint32_t>(d), pairs, rng.child(d), counts, seeds[task]);
    }
  });
  std::vector<Permissions> all;
  for (std::vector<Permissions>& some : seeds) std::ranges::move(some, std::back_inserter(all));
  constexpr double never = 2.0;  // no Jaccard: all are refined
  return refined(data, refined(data, std::move(all), gain, seed_visits, same_seed, threads), gain, candidate_visits,
                 never, threads);
}

std::vector<Permissions> choose_candidates(const AccessView& data, const std::vector<Permissions>& candidates,
                                           std::size_t count, const CandidateGain& gain,
                                           std::vector<std::uint8_t>& granted, Threads threads) {
  CandidateChooser chooser(data, gain, granted);
  std::vector<double> worth(candidates.size());
  for_each_task((candidates.size() + refined_a_task - 1) / refined_a_task, threads, [&](std::size_t task) {
    CandidateChooser::Room room(data.by_user.rows());
    for (std::size_t c = task * refined_a_task; c < std::min(candidates.size(), (task + 1) * refined_a_task); ++c) {
      worth[c] = chooser.worth(candidates[c], room);
    }
  });
  // What a candidate is worth hardly ever rises as others are chosen, so only the first in the queue is asked again.
  std::priority_queue<std::pair<double, std::size_t>> queue;  // equal ones: the last first, which is as good
  for (std::size_t c = 0; c < candidates.size(); ++c) queue.emplace(worth[c], c);
  std::vector<Permissions> chosen;
  CandidateChooser::Room room(data.by_user.rows());
  while (chosen.size() < count && !queue.empty()) {
    const std::size_t c = queue.top().second;
    queue.pop();
    const double now = chooser.worth(candidates[c], room);
    if (!(now > 0.0)) continue;
    if (!queue.empty() && now < queue.top().first) {
      queue.emplace(now, c);
      continue;
    }
    chooser.grant(candidates[c], room);
    chosen.push_back(candidates[c]);
  }
  return chosen;
}

std::vector<Permissions> leftover_rows(const AccessView& data, std::span<const std::uint8_t> granted,
                                       std::size_t count) {
  std::vector<Permissions> left(data.by_user.rows());
  for (std::uint32_t d = 0; d < data.by_permission.rows(); ++d) {
    const std::size_t begin = data.by_permission.begin(d);
    for (std::size_t i = begin; i < data.by_permission.ends[d]; ++i) {
      if (granted[i] == 0) left[data.by_permission.places[i]].push_back(d);
    }
  }
  std::sort(left.begin(), left.end(), [](const Permissions& a, const Permissions& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  left.erase(std::unique(left.begin(), left.end()), left.end());
  if (!left.empty() && left.back().empty()) left.pop_back();
  left.resize(std::min(left.size(), count));
  return left;
}

}  // namespace motet::roles
