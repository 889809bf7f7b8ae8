#include "motet/roles/merge.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace motet::roles {
namespace {

struct Grouping {
  std::vector<std::uint32_t> group_of;
  std::vector<std::uint32_t> first;  // by group: the row that opened it
  std::vector<double> weight;
};

Grouping group_rows(const BitMatrix& bits, bool merge, const std::vector<std::uint32_t>& row_group) {
  struct Key {
    std::uint32_t group;
    std::string_view bytes;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>{}(key.bytes) ^ (key.group * 0x9E3779B97F4A7C15U);
    }
  };
  Grouping result;
  std::unordered_map<Key, std::uint32_t, Hash> seen;
  for (std::size_t n = 0; n < bits.rows(); ++n) {
    const std::span<const std::uint64_t> row = bits.row(n);
    const Key key{row_group.empty() ? 0 : row_group[n], {reinterpret_cast<const char*>(row.data()), row.size_bytes()}};
    auto group = static_cast<std::uint32_t>(result.first.size());
    if (merge) group = seen.try_emplace(key, group).first->second;
    if (group == result.first.size()) {
      result.first.push_back(static_cast<std::uint32_t>(n));
      result.weight.push_back(0.0);
    }
    result.group_of.push_back(group);
    result.weight[group] += 1.0;
  }
  return result;
}

}  // namespace

MergedMatrix merge_equal(const BitMatrix& bits, MergeRule rule, const std::vector<std::uint32_t>& row_group,
                         const std::vector<std::uint32_t>& column_group) {
  Grouping rows = group_rows(bits, rule.rows, row_group);
  const BitMatrix few_rows = bits.rows_of(rows.first);
  // Columns that are equal in the kept rows are equal everywhere.
  Grouping columns = group_rows(few_rows.transposed(), rule.columns, column_group);
  MergedMatrix merged;
  merged.bits = few_rows.columns_of(columns.first);
  merged.row_of = std::move(rows.group_of);
  merged.row_weight = std::move(rows.weight);
  merged.column_of = std::move(columns.group_of);
  merged.column_weight = std::move(columns.weight);
  return merged;
}

std::size_t count_distinct_rows(const BitMatrix& bits) { return group_rows(bits, true, {}).first.size(); }

}  // namespace motet::roles
