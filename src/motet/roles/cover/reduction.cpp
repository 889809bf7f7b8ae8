#include "motet/roles/cover/reduction.h"

#include <algorithm>
#include <limits>

#include "motet/base/error.h"
#include "motet/engine/iterate.h"

namespace motet::roles {
namespace {

constexpr std::uint32_t rows_a_report = 256;

// Some rows or columns as bits, and as numbers where they are few.
struct NumberSet {
  explicit NumberSet(std::size_t size) : bits(1, size) {}

  void clear() {
    if (is_listed) {
      for (const std::uint32_t number : numbers) bits.set(0, number, false);
    } else {
      std::fill(bits.row(0).begin(), bits.row(0).end(), 0);
    }
    numbers.clear();
    is_listed = true;
  }
  void add(std::uint32_t number) {
    numbers.push_back(number);
    bits.set(0, number);
  }
  void take_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
    clear();
    is_listed = false;
    for (std::size_t w = 0; w < a.size(); ++w) bits.row(0)[w] = a[w] & b[w];
  }
  bool lies_in(std::span<const std::uint64_t> row) const {
    const std::span<const std::uint64_t> own = bits.row(0);
    if (is_listed && numbers.size() < own.size()) {
      return std::all_of(numbers.begin(), numbers.end(),
                         [&](std::uint32_t i) { return (row[i / 64] >> (i % 64) & 1U) != 0; });
    }
    for (std::size_t w = 0; w < own.size(); ++w) {
      if ((own[w] & ~row[w]) != 0) return false;
    }
    return true;
  }

  BitMatrix bits;
  std::vector<std::uint32_t> numbers;  // when listed
  bool is_listed = true;
};

// The cells that must be covered, by row or by column. The lists may still have cells that were dropped since.
struct Needed {
  explicit Needed(const BitMatrix& all) : bits(all), left(all.rows()), list(all.rows()) { list_again(); }

  void list_again() {
    for (std::size_t n = 0; n < list.size(); ++n) {
      list[n].clear();
      for_each_bit(bits.row(n), [&](std::size_t d) { list[n].push_back(static_cast<std::uint32_t>(d)); });
      left[n] = list[n].size();
    }
  }
  void drop(std::uint32_t n, std::uint32_t d) {
    bits.set(n, d, false);
    --left[n];
  }
  bool has_one_of(std::uint32_t n, std::span<const std::uint64_t> which) const {
    if (left[n] == 0) return false;
    if (list[n].size() < which.size()) {
      return std::any_of(list[n].begin(), list[n].end(),
                         [&](std::uint32_t d) { return (which[d / 64] >> (d % 64) & 1U) != 0 && bits(n, d); });
    }
    const std::span<const std::uint64_t> own = bits.row(n);
    for (std::size_t w = 0; w < own.size(); ++w) {
      if ((own[w] & which[w]) != 0) return true;
    }
    return false;
  }

  BitMatrix bits;
  std::vector<std::size_t> left;
  std::vector<std::vector<std::uint32_t>> list;
};

class Reducer {
 public:
  explicit Reducer(const AccessCells& cells)
      : cells_(cells),
        by_row_(cells.held),
        by_column_(cells.holders),
        reach_(1, cells.held.rows()),
        wide_bits_(1, cells.held.rows()),
        rows_(cells.held.rows()),
        columns_(cells.held.columns()),
        changed_rows_(cells.held.rows()),
        changed_columns_(cells.held.columns()) {
    result_.covered_with.assign(cells.count(), Reduction::itself);
  }

  void pass(const RunContext& run) {
    by_row_.list_again();
    by_column_.list_again();
    const bool is_first = dropped() == 0;
    const BitMatrix rows = changed_rows_.bits;
    const BitMatrix columns = changed_columns_.bits;
    changed_rows_.clear();
    changed_columns_.clear();
    // A star changed only if one of its rows and one of its columns lost a cell, in the last pass or in this one.
    const auto meets = [](std::span<const std::uint64_t> own, const BitMatrix& before, const NumberSet& now) {
      for (std::size_t w = 0; w < own.size(); ++w) {
        if ((own[w] & (before.row(0)[w] | now.bits.row(0)[w])) != 0) return true;
      }
      return false;
    };
    for (std::uint32_t n = 0; n < cells_.held.rows(); ++n) {
      if (run.cancelled()) return;
      if (run.observer && n % rows_a_report == 0) {
        run.observer({"reducing", static_cast<double>(dropped()), static_cast<double>(cells_.count()), "cells"});
      }
      look_ahead(n);
      for (const std::uint32_t d : by_row_.list[n]) {
        if (!by_row_.bits(n, d)) continue;
        if (is_first || (meets(cells_.held.row(n), columns, changed_columns_) &&
                         meets(cells_.holders.row(d), rows, changed_rows_))) {
          drop_what_follows(n, d);
        }
      }
    }
  }

  std::size_t dropped() const { return result_.order.size(); }
  Reduction result() && {
    for (std::size_t n = 0; n < cells_.held.rows(); ++n) {
      for_each_bit(by_row_.bits.row(n), [&](std::size_t d) { result_.remaining.push_back(cells_.at(n, d)); });
    }
    return std::move(result_);
  }

 private:
  // Drops every needed cell e whose star holds that of f = (n, d): its row holds all columns of the star, and all rows
  // of the star hold its column. Since the row of f is in the star, e is compatible with f and so in the star itself.
  void drop_what_follows(std::uint32_t n, std::uint32_t d) {
    columns_.clear();
    for (const std::uint32_t c : cells_.columns_of(n)) {
      if (by_column_.has_one_of(c, cells_.holders.row(d))) columns_.add(c);
    }
    wide_.clear();
    if (is_crowded_) {
      find_crowded_rows(d);
    } else {
      find_rows(n, d);
    }
    common_.clear();
    for (const std::uint32_t c : columns_.numbers) {
      if (rows_.lies_in(cells_.holders.row(c))) common_.push_back(c);
    }
    if (wide_.size() * common_.size() == 1) return;
    const std::uint32_t because = cells_.at(n, d);
    for (const std::uint32_t m : wide_) {
      for (const std::uint32_t c : common_) {
        if ((m != n || c != d) && by_row_.bits(m, c)) drop(m, c, because);
      }
    }
  }

  // Where columns have many holders it is quicker to join them as bits: `reach_` has the rows with a needed cell in a
  // column of row n. It may hold too many once something was dropped; stars are then taken for larger than they are,
  // which drops too little, and the next pass looks again.
  void look_ahead(std::uint32_t n) {
    const std::span<const std::uint32_t> columns = cells_.columns_of(n);
    std::size_t holders = 0;
    for (const std::uint32_t c : columns) holders += cells_.cells_of(c).size();
    is_crowded_ = holders > columns.size() * reach_.words();
    if (!is_crowded_) return;
    std::fill(reach_.row(0).begin(), reach_.row(0).end(), 0);
    for (const std::uint32_t c : columns) {
      for (std::size_t w = 0; w < reach_.words(); ++w) reach_.row(0)[w] |= by_column_.bits.row(c)[w];
    }
  }

  // The rows of the star of (n, d), and those of them that hold all its columns.
  void find_rows(std::uint32_t n, std::uint32_t d) {
    rows_.clear();
    for (const std::uint32_t cell : cells_.cells_of(d)) {
      const std::uint32_t m = cells_.row[cell];
      if (!by_row_.has_one_of(m, cells_.held.row(n))) continue;
      rows_.add(m);
      if (columns_.lies_in(cells_.held.row(m))) wide_.push_back(m);
    }
  }
  void find_crowded_rows(std::uint32_t d) {
    rows_.take_common(reach_.row(0), cells_.holders.row(d));
    const std::span<std::uint64_t> wide = wide_bits_.row(0);
    std::copy(rows_.bits.row(0).begin(), rows_.bits.row(0).end(), wide.begin());
    for (const std::uint32_t c : columns_.numbers) {
      const std::span<const std::uint64_t> holders = cells_.holders.row(c);
      for (std::size_t w = 0; w < wide.size(); ++w) wide[w] &= holders[w];
    }
    for_each_bit(wide, [&](std::size_t m) { wide_.push_back(static_cast<std::uint32_t>(m)); });
  }

  void drop(std::uint32_t row, std::uint32_t column, std::uint32_t because) {
    by_row_.drop(row, column);
    by_column_.drop(column, row);
    if (!changed_rows_.bits(0, row)) changed_rows_.add(row);
    if (!changed_columns_.bits(0, column)) changed_columns_.add(column);
    const std::uint32_t cell = cells_.at(row, column);
    result_.covered_with[cell] = because;
    result_.order.push_back(cell);
  }

  const AccessCells& cells_;
  Needed by_row_;
  Needed by_column_;
  bool is_crowded_ = false;  // the row at work
  BitMatrix reach_;
  BitMatrix wide_bits_;
  NumberSet rows_;  // of the star at work
  NumberSet columns_;
  NumberSet changed_rows_;  // that lost a cell in this pass
  NumberSet changed_columns_;
  std::vector<std::uint32_t> wide_;    // rows that hold all columns of the star
  std::vector<std::uint32_t> common_;  // columns that all rows of the star hold
  Reduction result_;
};

}  // namespace

Reduction reduce(const AccessCells& cells, const RunContext& run) {
  Reducer reducer(cells);
  Iterated passes;
  passes.objective = [&] { return static_cast<double>(reducer.dropped()); };
  passes.step = [&] {
    reducer.pass(run);
    return Step{};
  };
  RunContext quiet = run;  // the cells that were dropped are told as they go
  quiet.observer = {};
  iterate(passes, {.max_iterations = std::numeric_limits<std::size_t>::max(), .least_rise = 0.5}, quiet, "reduction");
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while reducing the cells to be covered");
  return std::move(reducer).result();
}

}  // namespace motet::roles
