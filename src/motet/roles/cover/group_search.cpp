#include "motet/roles/cover/group_search.h"

#include <algorithm>

namespace motet::roles {
namespace {

constexpr std::uint32_t not_dealt = 0xFFFFFFFFU;

class GroupDealer {
 public:
  GroupDealer(const CoverPart& part, const CellGroups& start, std::size_t bound, std::size_t most_nodes)
      : part_(part),
        best_(start),
        best_count_(group_count(start)),
        bound_(bound),
        nodes_left_(most_nodes),
        group_(part.count(), not_dealt),
        against_(part.count() * best_count_, 0),
        closed_(part.count(), 0) {}

  void put(std::uint32_t cell, std::uint32_t group) { change(cell, group, 1); }

  // Deals out the rest; `open` groups are in use.
  void go(std::uint32_t open) {
    if (open >= best_count_ || best_count_ == bound_) return;
    const std::uint32_t cell = hardest();
    if (cell == not_dealt) {
      best_ = group_;
      best_count_ = open;
      return;
    }
    for (std::uint32_t group = 0; group <= open && group + 1 < best_count_; ++group) {
      if (group < open && against(cell, group) != 0) continue;
      if (nodes_left_ == 0) return;
      --nodes_left_;
      change(cell, group, 1);
      go(std::max(open, group + 1));
      change(cell, group, -1);
    }
  }

  GroupSearch result() && { return {std::move(best_), nodes_left_ > 0 || best_count_ == bound_}; }

 private:
  std::uint32_t& against(std::uint32_t cell, std::uint32_t group) { return against_[cell * capacity_ + group]; }

  void change(std::uint32_t cell, std::uint32_t group, int by) {
    group_[cell] = by > 0 ? group : not_dealt;
    for (std::uint32_t other = 0; other < part_.count(); ++other) {
      if (part_.are_compatible(cell, other)) continue;
      std::uint32_t& count = against(other, group);
      if (by > 0 && count++ == 0) ++closed_[other];
      if (by < 0 && --count == 0) --closed_[other];
    }
  }

  std::uint32_t hardest() const {
    std::uint32_t chosen = not_dealt;
    for (std::uint32_t cell = 0; cell < part_.count(); ++cell) {
      if (group_[cell] != not_dealt) continue;
      if (chosen == not_dealt || closed_[cell] > closed_[chosen]) chosen = cell;
    }
    return chosen;
  }

  const CoverPart& part_;
  CellGroups best_;
  std::size_t best_count_;
  std::size_t bound_;
  std::size_t nodes_left_;
  std::size_t capacity_ = best_count_;
  CellGroups group_;
  std::vector<std::uint32_t> against_;  // [cell * capacity_ + group]: cells of the group that are not compatible
  std::vector<std::uint32_t> closed_;   // by cell: groups that do not take it
};

}  // namespace

GroupSearch least_groups(const CoverPart& part, const CellGroups& start, const std::vector<std::uint32_t>& apart,
                         std::size_t most_nodes) {
  GroupDealer search(part, start, apart.size(), most_nodes);
  std::uint32_t open = 0;
  for (const std::uint32_t cell : apart) search.put(cell, open++);
  search.go(open);
  return std::move(search).result();
}

}  // namespace motet::roles
