#include "motet/roles/cover/fooling_set.h"

#include <algorithm>
#include <numeric>

#include "motet/roles/cover/grouping.h"

namespace motet::roles {
namespace {

constexpr std::uint32_t no_cell = 0xFFFFFFFFU;
constexpr std::size_t most_waiting = 64;  // for the place of one cell

class Chosen {
 public:
  explicit Chosen(const CoverPart& part)
      : part_(&part), at_column_(part.held.columns(), no_cell), columns_(1, part.held.columns()) {}

  std::size_t size() const { return size_; }
  bool has(std::uint32_t cell) const { return at_column_[part_->column[cell]] == cell; }

  // At most `most` of the chosen cells that are compatible with this one.
  std::size_t conflicts(std::uint32_t cell, std::size_t most, std::uint32_t* found) const {
    const std::span<const std::uint64_t> held = part_->held.row(part_->row[cell]);
    const std::span<const std::uint64_t> chosen = columns_.row(0);
    std::size_t count = 0;
    for (std::size_t w = 0; w < held.size(); ++w) {
      for (std::uint64_t rest = held[w] & chosen[w]; rest != 0; rest &= rest - 1) {
        const std::uint32_t other = at_column_[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
        if (!part_->held(part_->row[other], part_->column[cell])) continue;
        found[count++] = other;
        if (count == most) return count;
      }
    }
    return count;
  }
  void add(std::uint32_t cell) {
    at_column_[part_->column[cell]] = cell;
    columns_.set(0, part_->column[cell]);
    ++size_;
  }
  void remove(std::uint32_t cell) {
    at_column_[part_->column[cell]] = no_cell;
    columns_.set(0, part_->column[cell], false);
    --size_;
  }
  std::vector<std::uint32_t> cells() const {
    std::vector<std::uint32_t> cells;
    for (const std::uint32_t cell : at_column_) {
      if (cell != no_cell) cells.push_back(cell);
    }
    std::sort(cells.begin(), cells.end());
    return cells;
  }

 private:
  const CoverPart* part_;
  std::vector<std::uint32_t> at_column_;  // the chosen cell of each column
  BitMatrix columns_;                     // that have one
  std::size_t size_ = 0;
};

// Cells whose row and column hold little first, ties by lot.
std::vector<std::uint32_t> sparse_first(const CoverPart& part, Rng& rng) {
  std::vector<std::uint32_t> order(part.count());
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, rng);
  std::vector<std::size_t> in_row(part.held.rows());
  std::vector<std::size_t> in_column(part.held.columns());
  for (std::size_t n = 0; n < in_row.size(); ++n) in_row[n] = part.held.count(n);
  for (std::size_t d = 0; d < in_column.size(); ++d) in_column[d] = part.holders.count(d);
  const auto weight = [&](std::uint32_t cell) { return in_row[part.row[cell]] * in_column[part.column[cell]]; };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return weight(a) < weight(b); });
  return order;
}

// Adds what is free and exchanges one cell for two while that is possible; true when the set grew.
bool grow_once(const CoverPart& part, const std::vector<std::uint32_t>& order, Chosen& chosen,
               std::vector<std::vector<std::uint32_t>>& waiting) {
  std::uint32_t found[2];
  bool grew = false;
  for (std::vector<std::uint32_t>& cells : waiting) cells.clear();
  for (const std::uint32_t cell : order) {
    if (chosen.has(cell)) continue;
    const std::size_t conflicts = chosen.conflicts(cell, 2, found);
    if (conflicts == 0) {
      chosen.add(cell);
      grew = true;
    } else if (conflicts == 1) {
      // Two cells that only this one stands against, and that do not stand against each other, take its place.
      std::vector<std::uint32_t>& others = waiting[part.column[found[0]]];
      for (const std::uint32_t other : others) {
        if (part.are_compatible(cell, other) || !chosen.has(found[0])) continue;
        std::uint32_t again[2];
        if (chosen.conflicts(other, 2, again) != 1 || again[0] != found[0]) continue;
        chosen.remove(found[0]);
        chosen.add(cell);
        chosen.add(other);
        grew = true;
        break;
      }
      if (chosen.has(found[0]) && others.size() < most_waiting) others.push_back(cell);
    }
  }
  return grew;
}

}  // namespace

std::vector<std::uint32_t> fooling_set(const CoverPart& part, std::size_t rounds, std::size_t enough, Rng rng) {
  std::vector<std::uint32_t> order = sparse_first(part, rng);
  std::vector<std::vector<std::uint32_t>> waiting(part.held.columns());
  Chosen chosen(part);
  while (chosen.size() < enough && grow_once(part, order, chosen, waiting)) {
  }
  Chosen best = chosen;
  std::vector<std::uint32_t> found(part.held.columns());
  for (std::size_t round = 0; round < rounds && best.size() < enough; ++round) {
    const auto forced = static_cast<std::uint32_t>(rng.below(part.count()));
    if (chosen.has(forced)) continue;
    const std::size_t conflicts = chosen.conflicts(forced, found.size(), found.data());
    for (std::size_t i = 0; i < conflicts; ++i) chosen.remove(found[i]);
    chosen.add(forced);
    shuffle(order, rng);
    while (grow_once(part, order, chosen, waiting)) {
    }
    if (chosen.size() > best.size()) best = chosen;
    if (chosen.size() + 1 < best.size()) chosen = best;
  }
  return best.cells();
}

}  // namespace motet::roles
