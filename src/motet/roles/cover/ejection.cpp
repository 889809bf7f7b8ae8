#include "motet/roles/cover/ejection.h"

#include <algorithm>
#include <limits>

namespace motet::roles {
namespace {

constexpr double most_counters = 2e7;
constexpr std::uint32_t in_no_group = 0xFFFFFFFFU;

// How many cells a group has in each row, or in each column.
class LineCounts {
 public:
  LineCounts(std::size_t groups, std::size_t lines) : bits_(groups, lines), count_(groups * lines), lines_(lines) {}

  void add(std::uint32_t group, std::uint32_t line) {
    if (count_[group * lines_ + line]++ == 0) bits_.set(group, line);
  }
  void remove(std::uint32_t group, std::uint32_t line) {
    if (--count_[group * lines_ + line] == 0) bits_.set(group, line, false);
  }
  // Cells in lines that are not in `allowed`.
  std::size_t outside(std::uint32_t group, std::span<const std::uint64_t> allowed, std::size_t most) const {
    const std::span<const std::uint64_t> own = bits_.row(group);
    std::size_t cells = 0;
    for (std::size_t w = 0; w < own.size(); ++w) {
      for (std::uint64_t rest = own[w] & ~allowed[w]; rest != 0; rest &= rest - 1) {
        cells += count_[group * lines_ + w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
        if (cells > most) return cells;
      }
    }
    return cells;
  }

 private:
  BitMatrix bits_;
  std::vector<std::uint32_t> count_;
  std::size_t lines_;
};

class Ejection {
 public:
  Ejection(const CoverPart& part, const CellGroups& grouping, std::uint32_t without, std::size_t groups, Rng& rng)
      : part_(part),
        rng_(rng),
        groups_(groups - 1),
        rows_(groups_, part.held.rows()),
        columns_(groups_, part.held.columns()),
        members_(groups_),
        group_(part.count(), in_no_group),
        back_from_(part.count(), {in_no_group, 0}) {
    for (std::uint32_t cell = 0; cell < grouping.size(); ++cell) {
      if (grouping[cell] == without) {
        loose_.push_back(cell);
      } else {
        put(cell, grouping[cell] - (grouping[cell] > without ? 1 : 0));
      }
    }
  }

  bool run(std::size_t steps) {
    for (std::size_t step = 1; step <= steps && !loose_.empty(); ++step) {
      const std::size_t at = rng_.below(loose_.size());
      const std::uint32_t cell = loose_[at];
      const std::uint32_t group = best_for(cell, step);
      if (group == in_no_group) continue;
      loose_[at] = loose_.back();
      loose_.pop_back();
      throw_out(cell, group, step);
      put(cell, group);
    }
    return loose_.empty();
  }

  const CellGroups& grouping() const { return group_; }

 private:
  std::uint32_t best_for(std::uint32_t cell, std::size_t step) {
    std::size_t best = std::numeric_limits<std::size_t>::max() - 1;
    std::uint32_t chosen = in_no_group;
    std::uint64_t equals = 0;
    for (std::uint32_t group = 0; group < groups_; ++group) {
      if (back_from_[cell].group == group && step < back_from_[cell].step) continue;
      std::size_t cost = rows_.outside(group, part_.holders.row(part_.column[cell]), best);
      if (cost <= best) cost += columns_.outside(group, part_.held.row(part_.row[cell]), best - cost);
      if (cost > best) continue;
      equals = cost < best ? 1 : equals + 1;
      best = cost;
      if (rng_.below(equals) == 0) chosen = group;
    }
    return chosen;
  }

  void throw_out(std::uint32_t cell, std::uint32_t group, std::size_t step) {
    std::vector<std::uint32_t>& members = members_[group];
    for (std::size_t i = members.size(); i-- > 0;) {
      const std::uint32_t other = members[i];
      if (part_.are_compatible(cell, other)) continue;
      rows_.remove(group, part_.row[other]);
      columns_.remove(group, part_.column[other]);
      members[i] = members.back();
      members.pop_back();
      group_[other] = in_no_group;
      back_from_[other] = {group, step + 2 + loose_.size() + rng_.below(10)};
      loose_.push_back(other);
    }
  }

  void put(std::uint32_t cell, std::uint32_t group) {
    rows_.add(group, part_.row[cell]);
    columns_.add(group, part_.column[cell]);
    members_[group].push_back(cell);
    group_[cell] = group;
  }

  struct Tabu {
    std::uint32_t group;
    std::size_t step;  // before which the cell may not come back
  };

  const CoverPart& part_;
  Rng& rng_;
  std::size_t groups_;
  LineCounts rows_;
  LineCounts columns_;
  std::vector<std::vector<std::uint32_t>> members_;
  CellGroups group_;
  std::vector<Tabu> back_from_;
  std::vector<std::uint32_t> loose_;
};

}  // namespace

bool can_eject(const CoverPart& part, std::size_t groups) {
  return groups > 1 &&
         static_cast<double>(groups) * static_cast<double>(part.held.rows() + part.held.columns()) <= most_counters;
}

std::optional<CellGroups> with_one_less(const CoverPart& part, const CellGroups& grouping, std::size_t steps,
                                        Rng& rng) {
  const std::vector<std::uint32_t> order = largest_first(grouping);
  // A small group mostly, but not always the same.
  const std::size_t smallest = std::min<std::size_t>(order.size(), 4);
  const std::uint32_t without = order[order.size() - 1 - rng.below(smallest)];
  Ejection ejection(part, grouping, without, order.size(), rng);
  if (!ejection.run(steps)) return {};
  return ejection.grouping();
}

}  // namespace motet::roles
