#include "motet/roles/cover/coverage_curve.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "motet/base/error.h"
#include "motet/roles/baselines/dbps.h"
#include "motet/roles/cover/access_cells.h"
#include "motet/roles/cover/granted_exactly.h"

namespace motet::roles {
namespace {

struct Gain {
  double cells = 0.0;
  std::uint32_t candidate = 0;
  std::size_t roles = 0;  // chosen when it was counted
};

struct SmallerGain {
  bool operator()(const Gain& a, const Gain& b) const {
    return a.cells != b.cells ? a.cells < b.cells : a.candidate > b.candidate;
  }
};

double newly_covered(const MergedMatrix& data, const BitMatrix& left, std::span<const std::uint64_t> role,
                     const std::vector<std::uint32_t>& members) {
  double sum = 0.0;
  for (const std::uint32_t n : members) {
    double cells = 0.0;
    for (std::size_t w = 0; w < role.size(); ++w) {
      for (std::uint64_t rest = role[w] & left.row(n)[w]; rest != 0; rest &= rest - 1) {
        cells += data.column_weight[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
      }
    }
    sum += cells * data.row_weight[n];
  }
  return sum;
}

void append_rows(BitMatrix& to, std::size_t& place, const BitMatrix& from) {
  for (std::size_t n = 0; n < from.rows(); ++n) {
    std::copy(from.row(n).begin(), from.row(n).end(), to.row(place++).begin());
  }
}

// What all holders of a permission have in common.
BitMatrix common_to_holders(const BitMatrix& held) {
  const BitMatrix holders = held.transposed();
  BitMatrix common(held.columns(), held.columns());
  for (std::size_t d = 0; d < holders.rows(); ++d) {
    bool is_first = true;
    for_each_bit(holders.row(d), [&](std::size_t n) {
      for (std::size_t w = 0; w < common.words(); ++w) {
        common.row(d)[w] = is_first ? held.row(n)[w] : common.row(d)[w] & held.row(n)[w];
      }
      is_first = false;
    });
  }
  return common;
}

// How many of some roles cover each cell, and what each covers alone.
class CoverCounts {
 public:
  CoverCounts(const MergedMatrix& data, const BitMatrix& roles, const RunContext& run)
      : data_(data),
        roles_(roles),
        cells_(access_cells(data.bits)),
        members_(possible_members(data.bits, roles, run)),
        roles_of_(data.bits.rows()),
        count_(cells_.count()),
        alone_(roles.rows(), 0.0),
        is_left_(roles.rows(), 1) {
    for (std::uint32_t k = 0; k < roles.rows(); ++k) {
      for (const std::uint32_t n : members_[k]) roles_of_[n].push_back(k);
      for_each_cell(k, [&](std::uint32_t n, std::size_t d) { ++count_[cells_.at(n, d)]; });
    }
    for (std::uint32_t k = 0; k < roles.rows(); ++k) {
      for_each_cell(k, [&](std::uint32_t n, std::size_t d) {
        if (count_[cells_.at(n, d)] == 1) alone_[k] += weight(n, d);
      });
    }
  }

  std::uint32_t least_useful() const {
    std::uint32_t least = 0;
    for (std::uint32_t k = 0; k < alone_.size(); ++k) {
      if (is_left_[k] != 0 && (is_left_[least] == 0 || alone_[k] < alone_[least])) least = k;
    }
    return least;
  }
  double alone(std::uint32_t role) const { return alone_[role]; }

  void remove(std::uint32_t role) {
    is_left_[role] = 0;
    for_each_cell(role, [&](std::uint32_t n, std::size_t d) {
      if (--count_[cells_.at(n, d)] != 1) return;
      for (const std::uint32_t k : roles_of_[n]) {
        if (is_left_[k] != 0 && roles_(k, d)) alone_[k] += weight(n, d);
      }
    });
  }

  std::vector<std::uint32_t> left() const {
    std::vector<std::uint32_t> roles;
    for (std::uint32_t k = 0; k < is_left_.size(); ++k) {
      if (is_left_[k] != 0) roles.push_back(k);
    }
    return roles;
  }

 private:
  double weight(std::size_t n, std::size_t d) const { return data_.row_weight[n] * data_.column_weight[d]; }
  template <class Visit>
  void for_each_cell(std::uint32_t role, const Visit& visit) const {
    for (const std::uint32_t n : members_[role]) {
      for_each_bit(roles_.row(role), [&](std::size_t d) { visit(n, d); });
    }
  }

  const MergedMatrix& data_;
  const BitMatrix& roles_;
  AccessCells cells_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::vector<std::uint32_t>> roles_of_;  // by row
  std::vector<std::uint32_t> count_;                  // by cell
  std::vector<double> alone_;
  std::vector<std::uint8_t> is_left_;
};

}  // namespace

double held_weight(const MergedMatrix& data) {
  double sum = 0.0;
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    for_each_bit(data.bits.row(n), [&](std::size_t d) { sum += data.row_weight[n] * data.column_weight[d]; });
  }
  return sum;
}

RolesByGain greedy_order(const MergedMatrix& data, const BitMatrix& candidates, const RunContext& run) {
  const std::vector<std::vector<std::uint32_t>> members = possible_members(data.bits, candidates, run);
  BitMatrix left = data.bits;
  std::priority_queue<Gain, std::vector<Gain>, SmallerGain> gains;
  for (std::uint32_t c = 0; c < candidates.rows(); ++c) {
    gains.push({newly_covered(data, left, candidates.row(c), members[c]), c, 0});
  }
  std::vector<std::uint32_t> chosen;
  RolesByGain order;
  double covered = 0.0;
  // A gain can only fall as others are chosen, so one that was counted last and is still the largest is the best.
  while (!gains.empty() && gains.top().cells > 0.0) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while ordering roles");
    Gain best = gains.top();
    gains.pop();
    const std::span<const std::uint64_t> role = candidates.row(best.candidate);
    if (best.roles < chosen.size()) {
      best = {newly_covered(data, left, role, members[best.candidate]), best.candidate, chosen.size()};
      gains.push(best);
      continue;
    }
    chosen.push_back(best.candidate);
    covered += best.cells;
    order.covered.push_back(covered);
    for (const std::uint32_t n : members[best.candidate]) {
      for (std::size_t w = 0; w < role.size(); ++w) left.row(n)[w] &= ~role[w];
    }
  }
  order.roles = candidates.rows_of(chosen);
  return order;
}

BitMatrix cover_candidates(const MergedMatrix& data, const BitMatrix& exact, const RunContext& run) {
  const BitMatrix pairs = dbps_candidates(data, {}, run);
  const BitMatrix common = common_to_holders(data.bits);
  BitMatrix all(exact.rows() + data.bits.rows() + common.rows() + pairs.rows(), data.bits.columns());
  std::size_t place = 0;
  for (const BitMatrix* some : {&exact, &data.bits, &common, &pairs}) append_rows(all, place, *some);
  return merge_equal(all, {.rows = true, .columns = false}).bits;
}

std::size_t roles_for(const RolesByGain& order, double covered) {
  return static_cast<std::size_t>(std::lower_bound(order.covered.begin(), order.covered.end(), covered) -
                                  order.covered.begin()) +
         (covered > 0.0 ? 1 : 0);
}

ShortList short_list(const MergedMatrix& data, const RolesByGain& order, double covered, const RunContext& run) {
  std::vector<std::uint32_t> first(roles_for(order, covered));
  if (first.empty()) return {BitMatrix(0, data.bits.columns()), 0.0};
  std::iota(first.begin(), first.end(), 0U);
  ShortList list = {order.roles.rows_of(first), order.covered[first.size() - 1]};
  CoverCounts counts(data, list.roles, run);
  for (std::uint32_t role = counts.least_useful(); list.covered - counts.alone(role) >= covered;
       role = counts.least_useful()) {
    list.covered -= counts.alone(role);
    counts.remove(role);
  }
  list.roles = list.roles.rows_of(counts.left());
  return list;
}

}  // namespace motet::roles
