#include "motet/roles/catalogue/cheapest_set.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace motet::roles {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr double cost_rounding = 1e-3;  // of a bound; costs are whole numbers

std::size_t count_new(std::span<const std::uint64_t> bits, const Words& there) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < bits.size(); ++w) count += static_cast<std::size_t>(std::popcount(bits[w] & ~there[w]));
  return count;
}

void join(Words& there, std::span<const std::uint64_t> bits) {
  for (std::size_t w = 0; w < bits.size(); ++w) there[w] |= bits[w];
}

std::int64_t price_of_new(const UserCover& cover, std::uint32_t candidate, const Words& there) {
  std::int64_t sum = 0;
  for_each_bit(cover.surplus.row(candidate), [&](std::size_t d) {
    if ((there[d / 64] >> (d % 64) & 1U) == 0) sum += cover.price[d];
  });
  return sum;
}

bool are_apart(const UserCover& cover, std::uint32_t a, std::uint32_t b) {
  return std::any_of(cover.apart.begin(), cover.apart.end(), [&](const auto& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  });
}

bool fits_beside(const UserCover& cover, std::uint32_t candidate, const std::vector<std::uint32_t>& set) {
  return std::none_of(set.begin(), set.end(),
                      [&](std::uint32_t other) { return other == candidate || are_apart(cover, candidate, other); });
}

// What a set has brought so far.
struct Covering {
  Words covered;
  Words granted;             // of the surplus
  std::int64_t surplus = 0;  // its price
  std::size_t open = 0;      // columns of `wanted` not covered
  std::vector<std::uint32_t> set;

  explicit Covering(const UserCover& cover)
      : covered(cover.wanted.words()), granted(cover.surplus.words()), open(cover.wanted.columns()) {}

  std::int64_t cost() const {
    return one_permission * static_cast<std::int64_t>(open) + surplus + static_cast<std::int64_t>(set.size());
  }
  void add(const UserCover& cover, std::uint32_t candidate) {
    open -= count_new(cover.wanted.row(candidate), covered);
    surplus += price_of_new(cover, candidate, granted);
    join(covered, cover.wanted.row(candidate));
    join(granted, cover.surplus.row(candidate));
    set.push_back(candidate);
  }
};

Covering state_of(const UserCover& cover, const std::vector<std::uint32_t>& set) {
  Covering state(cover);
  for (const std::uint32_t candidate : set) state.add(cover, candidate);
  return state;
}

Covering greedy(const UserCover& cover) {
  Covering state(cover);
  for (;;) {
    std::int64_t best_change = 0;
    std::uint32_t best = 0;
    for (std::uint32_t c = 0; c < cover.wanted.rows(); ++c) {
      if (!fits_beside(cover, c, state.set)) continue;
      const auto gain = static_cast<std::int64_t>(count_new(cover.wanted.row(c), state.covered));
      if (gain == 0) continue;
      const std::int64_t change = 1 + price_of_new(cover, c, state.granted) - one_permission * gain;
      if (change < best_change) {
        best_change = change;
        best = c;
      }
    }
    if (best_change == 0) return state;
    state.add(cover, best);
  }
}

// Takes out one role, or puts one in the place of another, or adds one, as long as that helps.
Covering improved(const UserCover& cover, Covering state) {
  const auto candidates = static_cast<std::uint32_t>(cover.wanted.rows());
  const auto better = [&](const Covering& base) {
    Covering best = state;
    if (base.cost() < best.cost()) best = base;
    for (std::uint32_t c = 0; c < candidates; ++c) {
      if (!fits_beside(cover, c, base.set)) continue;
      Covering tried = base;
      tried.add(cover, c);
      if (tried.cost() < best.cost()) best = std::move(tried);
    }
    return best;
  };
  for (;;) {
    Covering next = better(state);
    for (std::size_t i = 0; i < state.set.size() && next.cost() == state.cost(); ++i) {
      std::vector<std::uint32_t> rest = state.set;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      next = better(state_of(cover, rest));
    }
    if (next.cost() == state.cost()) return state;
    state = std::move(next);
  }
}

class Search {
 public:
  Search(const UserCover& cover, Covering start, std::size_t most_nodes)
      : cover_(cover), best_(std::move(start)), nodes_left_(most_nodes) {}

  CheapestSet run() {
    descend(Covering(cover_), std::vector<bool>(cover_.wanted.rows(), true));
    std::sort(best_.set.begin(), best_.set.end());
    return {best_.set, best_.cost(), !was_cut_};
  }

 private:
  // The least that the open permissions will cost, and the one that the fewest free roles grant.
  struct Outlook {
    double least = 0.0;
    std::vector<std::uint32_t> ways;  // free roles that grant that permission; none: nothing more can be gained
  };

  Outlook outlook(const Covering& state, const std::vector<bool>& is_free) const {
    std::vector<std::uint32_t> sharers(cover_.surplus.columns(), 0);
    std::vector<std::uint32_t> granters(cover_.wanted.columns(), 0);
    std::vector<std::uint32_t> useful;
    for (std::uint32_t c = 0; c < is_free.size(); ++c) {
      if (!is_free[c] || count_new(cover_.wanted.row(c), state.covered) == 0) continue;
      useful.push_back(c);
      for_each_bit(cover_.surplus.row(c), [&](std::size_t d) { ++sharers[d]; });
      for_each_bit(cover_.wanted.row(c), [&](std::size_t d) { ++granters[d]; });
    }
    std::vector<std::pair<double, std::uint32_t>> rates;
    for (const std::uint32_t c : useful) {
      double weight = 1.0;
      for_each_bit(cover_.surplus.row(c), [&](std::size_t d) {
        const bool is_paid = (state.granted[d / 64] >> (d % 64) & 1U) != 0;
        if (!is_paid) weight += static_cast<double>(cover_.price[d]) / sharers[d];
      });
      rates.emplace_back(weight / static_cast<double>(count_new(cover_.wanted.row(c), state.covered)), c);
    }
    std::sort(rates.begin(), rates.end());
    Outlook result;
    Words settled = state.covered;
    std::size_t open = state.open;
    for (const auto& [rate, c] : rates) {
      const std::size_t fresh = count_new(cover_.wanted.row(c), settled);
      result.least += static_cast<double>(fresh) * std::min(rate, static_cast<double>(one_permission));
      open -= fresh;
      join(settled, cover_.wanted.row(c));
    }
    result.least += static_cast<double>(open) * static_cast<double>(one_permission);
    if (!useful.empty()) result.ways = ways_of_rarest(state, useful, granters);
    return result;
  }

  std::vector<std::uint32_t> ways_of_rarest(const Covering& state, const std::vector<std::uint32_t>& useful,
                                            const std::vector<std::uint32_t>& granters) const {
    std::size_t rarest = granters.size();
    for (std::size_t d = 0; d < granters.size(); ++d) {
      const bool is_open = (state.covered[d / 64] >> (d % 64) & 1U) == 0;
      if (!is_open || granters[d] == 0) continue;
      if (rarest == granters.size() || granters[d] < granters[rarest]) rarest = d;
    }
    std::vector<std::uint32_t> ways;
    for (const std::uint32_t c : useful) {
      if (cover_.wanted(c, rarest)) ways.push_back(c);
    }
    return ways;
  }

  void descend(const Covering& state, std::vector<bool> is_free) {
    if (state.cost() < best_.cost()) best_ = state;
    const Outlook ahead = outlook(state, is_free);
    if (ahead.ways.empty()) return;
    const double paid = static_cast<double>(state.surplus) + static_cast<double>(state.set.size());
    if (paid + ahead.least > static_cast<double>(best_.cost()) - 1.0 + cost_rounding) return;
    if (nodes_left_ == 0) {
      was_cut_ = true;
      return;
    }
    --nodes_left_;
    for (const std::uint32_t c : ahead.ways) {
      is_free[c] = false;  // in this branch it is there, in the later ones it is not
      Covering next = state;
      next.add(cover_, c);
      std::vector<bool> rest = is_free;
      for (const auto& [a, b] : cover_.apart) {
        if (a == c) rest[b] = false;
        if (b == c) rest[a] = false;
      }
      descend(next, std::move(rest));
    }
    descend(state, std::move(is_free));  // the permission stays individual
  }

  const UserCover& cover_;
  Covering best_;
  std::size_t nodes_left_;
  bool was_cut_ = false;
};

}  // namespace

CheapestSet cheapest_set(const UserCover& cover, std::size_t most_nodes) {
  return Search(cover, improved(cover, greedy(cover)), most_nodes).run();
}

}  // namespace motet::roles
