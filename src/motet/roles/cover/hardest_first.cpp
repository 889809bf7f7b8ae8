#include "motet/roles/cover/hardest_first.h"

#include <numeric>

namespace motet::roles {
namespace {

// Numbers in the order of their counts, which change by one at a time.
class CountOrder {
 public:
  CountOrder(std::vector<std::uint32_t> order, std::size_t most)
      : order_(std::move(order)), place_(order_.size()), count_(order_.size(), 0), begin_(most + 2, order_.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    begin_[0] = 0;
  }

  bool is_empty() const { return done_ == order_.size(); }
  bool has(std::uint32_t number) const { return place_[number] >= done_; }

  std::uint32_t take_least() {
    const std::uint32_t number = order_[done_++];
    for (std::size_t c = 0; c <= count_[number]; ++c) begin_[c] = done_;
    return number;
  }
  // Takes this one now; the bins below its own move up by one.
  void take(std::uint32_t number) {
    while (count_[number] > 0) lower(number);
    swap_places(place_[number], done_);
    take_least();
  }
  void raise(std::uint32_t number) {
    std::size_t& end = begin_[count_[number] + 1];
    swap_places(place_[number], --end);
    ++count_[number];
  }
  void lower(std::uint32_t number) {
    std::size_t& begin = begin_[count_[number]];
    swap_places(place_[number], begin++);
    --count_[number];
  }

 private:
  void swap_places(std::size_t i, std::size_t j) {
    std::swap(order_[i], order_[j]);
    place_[order_[i]] = i;
    place_[order_[j]] = j;
  }

  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> place_;
  std::vector<std::size_t> count_;
  std::vector<std::size_t> begin_;  // by count: its first place; those below the least count begin where it does
  std::size_t done_ = 0;            // places of those that were taken
};

class HardestFirst {
 public:
  HardestFirst(const CoverPart& part, std::size_t most, std::vector<std::uint32_t> order)
      : part_(part),
        most_(most),
        left_(std::move(order), most),
        rows_(most, part.held.rows()),
        columns_(most, part.held.columns()),
        in_row_(part.held.rows()),
        in_column_(part.held.columns()),
        group_(part.count()) {
    for (std::uint32_t cell = 0; cell < part.count(); ++cell) {
      in_row_[part.row[cell]].push_back(cell);
      in_column_[part.column[cell]].push_back(cell);
    }
  }

  bool open(std::uint32_t cell) {
    left_.take(cell);
    return open_taken(cell);
  }

  bool deal_rest() {
    while (!left_.is_empty()) {
      const std::uint32_t cell = left_.take_least();
      const std::uint32_t group = best_for(cell);
      if (group == count_) {
        if (!open_taken(cell)) return false;
      } else {
        put(cell, group);
      }
    }
    return true;
  }

  CellGroups groups() && { return std::move(group_); }

 private:
  bool open_taken(std::uint32_t cell) {
    if (count_ == most_) return false;
    const std::span<const std::uint64_t> holders = part_.holders.row(part_.column[cell]);
    const std::span<const std::uint64_t> held = part_.held.row(part_.row[cell]);
    std::copy(holders.begin(), holders.end(), rows_.row(count_).begin());
    std::copy(held.begin(), held.end(), columns_.row(count_).begin());
    for_each_bit(holders, [&](std::size_t n) {
      for (const std::uint32_t other : in_row_[n]) {
        if (left_.has(other) && columns_(count_, part_.column[other])) left_.raise(other);
      }
    });
    group_[cell] = count_++;
    return true;
  }

  std::uint32_t best_for(std::uint32_t cell) const {
    const std::uint32_t n = part_.row[cell];
    const std::uint32_t d = part_.column[cell];
    std::uint32_t best = count_;
    std::size_t least = 0;
    for (std::uint32_t group = 0; group < count_; ++group) {
      if (!rows_(group, n) || !columns_(group, d)) continue;
      const std::size_t shut_out = lost(rows_.row(group), part_.holders.row(d)) * columns_.count(group) +
                                   lost(columns_.row(group), part_.held.row(n)) * rows_.count(group);
      if (best < count_ && shut_out >= least) continue;
      best = group;
      least = shut_out;
      if (least == 0) break;
    }
    return best;
  }

  static std::size_t lost(std::span<const std::uint64_t> now, std::span<const std::uint64_t> kept) {
    std::size_t count = 0;
    for (std::size_t w = 0; w < now.size(); ++w) count += static_cast<std::size_t>(std::popcount(now[w] & ~kept[w]));
    return count;
  }

  void put(std::uint32_t cell, std::uint32_t group) {
    group_[cell] = group;
    const std::span<const std::uint64_t> holders = part_.holders.row(part_.column[cell]);
    const std::span<const std::uint64_t> held = part_.held.row(part_.row[cell]);
    const std::span<std::uint64_t> rows = rows_.row(group);
    const std::span<std::uint64_t> columns = columns_.row(group);
    for (std::size_t w = 0; w < rows.size(); ++w) {
      for (std::uint64_t gone = rows[w] & ~holders[w]; gone != 0; gone &= gone - 1) {
        shut_row(group, w * 64 + static_cast<std::size_t>(std::countr_zero(gone)));
      }
      rows[w] &= holders[w];
    }
    for (std::size_t w = 0; w < columns.size(); ++w) {
      for (std::uint64_t gone = columns[w] & ~held[w]; gone != 0; gone &= gone - 1) {
        shut_column(group, w * 64 + static_cast<std::size_t>(std::countr_zero(gone)));
      }
      columns[w] &= held[w];
    }
  }
  void shut_row(std::uint32_t group, std::size_t row) {
    for (const std::uint32_t other : in_row_[row]) {
      if (left_.has(other) && columns_(group, part_.column[other])) left_.lower(other);
    }
  }
  // After the rows: what lies in a row that has gone was counted there.
  void shut_column(std::uint32_t group, std::size_t column) {
    for (const std::uint32_t other : in_column_[column]) {
      if (left_.has(other) && rows_(group, part_.row[other])) left_.lower(other);
    }
  }

  const CoverPart& part_;
  std::size_t most_;
  CountOrder left_;    // cells without a group, by how many groups would take them
  BitMatrix rows_;     // by group: rows that hold all its columns
  BitMatrix columns_;  // by group: columns that all its rows hold
  std::vector<std::vector<std::uint32_t>> in_row_;
  std::vector<std::vector<std::uint32_t>> in_column_;
  CellGroups group_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::optional<CellGroups> dealt_hardest_first(const CoverPart& part, const std::vector<std::uint32_t>& apart,
                                              std::size_t most, Rng& rng) {
  std::vector<std::uint32_t> order(part.count());
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, rng);
  HardestFirst dealing(part, most, std::move(order));
  for (const std::uint32_t cell : apart) {
    if (!dealing.open(cell)) return {};
  }
  if (!dealing.deal_rest()) return {};
  return std::move(dealing).groups();
}

}  // namespace motet::roles
