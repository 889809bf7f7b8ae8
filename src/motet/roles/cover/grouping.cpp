#include "motet/roles/cover/grouping.h"

#include <algorithm>
#include <numeric>

namespace motet::roles {
namespace {

void keep_common(std::span<std::uint64_t> row, std::span<const std::uint64_t> with) {
  for (std::size_t w = 0; w < row.size(); ++w) row[w] &= with[w];
}

// Groups that grow: which rows hold all their columns, and which columns all their rows hold.
class Growing {
 public:
  Growing(const CoverPart& part, std::size_t most)
      : part_(part),
        rows_(most, part.held.rows()),
        columns_(most, part.held.columns()),
        by_row_(part.held.rows()),
        holders_(part.held.columns()) {
    for (std::size_t d = 0; d < holders_.size(); ++d) holders_[d] = part.holders.count(d);
  }

  std::uint32_t add(std::uint32_t cell) {
    const std::uint32_t group = first_for(cell);
    const std::uint32_t n = part_.row[cell];
    const std::uint32_t d = part_.column[cell];
    if (group == count_) {
      std::copy(part_.holders.row(d).begin(), part_.holders.row(d).end(), rows_.row(group).begin());
      std::copy(part_.held.row(n).begin(), part_.held.row(n).end(), columns_.row(group).begin());
      by_row_[n].push_back(group);
      ++count_;
    } else {
      keep_common(rows_.row(group), part_.holders.row(d));
      keep_common(columns_.row(group), part_.held.row(n));
    }
    return group;
  }

 private:
  bool fits(std::uint32_t group, std::uint32_t n, std::uint32_t d) const {
    return rows_(group, n) && columns_(group, d);
  }

  std::uint32_t first_for(std::uint32_t cell) const {
    const std::uint32_t n = part_.row[cell];
    const std::uint32_t d = part_.column[cell];
    if (count_ <= holders_[d]) {
      for (std::uint32_t group = 0; group < count_; ++group) {
        if (fits(group, n, d)) return group;
      }
      return count_;
    }
    // Every group has the row that opened it, which must hold the column.
    std::uint32_t first = count_;
    for_each_bit(part_.holders.row(d), [&](std::size_t m) {
      for (const std::uint32_t group : by_row_[m]) {
        if (group < first && fits(group, n, d)) first = group;
      }
    });
    return first;
  }

  const CoverPart& part_;
  BitMatrix rows_;
  BitMatrix columns_;
  std::vector<std::vector<std::uint32_t>> by_row_;  // groups that the row opened
  std::vector<std::size_t> holders_;
  std::uint32_t count_ = 0;
};

std::vector<std::vector<std::uint32_t>> members_of(const CellGroups& grouping) {
  std::vector<std::vector<std::uint32_t>> members(group_count(grouping));
  for (std::uint32_t cell = 0; cell < grouping.size(); ++cell) members[grouping[cell]].push_back(cell);
  return members;
}

}  // namespace

void shuffle(std::vector<std::uint32_t>& numbers, Rng& rng) {
  for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[rng.below(i)]);
}

std::size_t group_count(const CellGroups& grouping) {
  return grouping.empty() ? 0 : *std::max_element(grouping.begin(), grouping.end()) + std::size_t{1};
}

CellGroups lines_of(const CoverPart& part) { return part.held.rows() <= part.held.columns() ? part.row : part.column; }

std::vector<std::uint32_t> largest_first(const CellGroups& grouping) {
  std::vector<std::size_t> size(group_count(grouping));
  for (const std::uint32_t group : grouping) ++size[group];
  std::vector<std::uint32_t> order(size.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });
  return order;
}

CellGroups dealt_again(const CoverPart& part, const CellGroups& grouping, const std::vector<std::uint32_t>& order,
                       Rng& rng) {
  std::vector<std::vector<std::uint32_t>> members = members_of(grouping);
  Growing growing(part, members.size());
  CellGroups dealt(grouping.size());
  for (const std::uint32_t group : order) {
    shuffle(members[group], rng);
    for (const std::uint32_t cell : members[group]) dealt[cell] = growing.add(cell);
  }
  return dealt;
}

}  // namespace motet::roles
