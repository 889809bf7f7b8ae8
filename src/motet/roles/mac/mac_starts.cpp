#include "motet/roles/mac/mac_starts.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "motet/base/streams.h"
#include "motet/data/split.h"

namespace motet::roles {
namespace {

constexpr double soft_held = 0.05;  // beta of a held permission when a rounded role is made soft

std::vector<std::vector<std::uint64_t>> sorted_rows(const BitMatrix& roles) {
  std::vector<std::vector<std::uint64_t>> rows;
  for (std::size_t k = 0; k < roles.rows(); ++k) rows.emplace_back(roles.row(k).begin(), roles.row(k).end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

BitMatrix compressed(const BitMatrix& roles, const MergedMatrix& data) {
  BitMatrix result(roles.rows(), data.bits.columns());
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    for_each_bit(roles.row(k), [&](std::size_t d) { result.set(k, data.column_of[d]); });
  }
  return result;
}

BitMatrix expanded(const BitMatrix& roles, const MergedMatrix& data) {
  BitMatrix result(roles.rows(), data.column_of.size());
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    for (std::size_t d = 0; d < data.column_of.size(); ++d) result.set(k, d, roles(k, data.column_of[d]));
  }
  return result;
}

bool same_roles(const BitMatrix& one, const BitMatrix& other) { return sorted_rows(one) == sorted_rows(other); }

std::vector<std::uint32_t> searched_rows(const MergedMatrix& all, std::size_t roles, Seed seed) {
  const std::size_t most = std::max(searched_users, searched_users_a_role * roles);
  const std::size_t users = all.row_of.size();
  if (all.bits.rows() > most) return sample_by_lot(users, most, stream(seed, Stream::roles_searched_users));
  std::vector<std::uint32_t> rows(users);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

std::vector<std::uint32_t> columns_apart(std::size_t columns, const RoleConstraints& constraints) {
  if (constraints.keep.rows() == 0 && constraints.never_in_one_role.empty()) return {};
  std::vector<std::uint32_t> group;
  std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
  for (std::uint32_t d = 0; d < columns; ++d) {
    std::vector<std::uint32_t> key;
    for (std::size_t k = 0; k < constraints.keep.rows(); ++k) key.push_back(constraints.keep(k, d) ? 1 : 0);
    const bool is_paired = std::any_of(constraints.never_in_one_role.begin(), constraints.never_in_one_role.end(),
                                       [&](const auto& pair) { return pair.first == d || pair.second == d; });
    key.push_back(is_paired ? d + 1 : 0);
    group.push_back(seen.try_emplace(std::move(key), static_cast<std::uint32_t>(seen.size())).first->second);
  }
  return group;
}

BitMatrix roles_of(const RoleModel& model, const NameList& permissions, std::size_t roles) {
  NameTable known(permissions);
  BitMatrix result(roles, permissions.size());
  for (std::size_t k = 0; k < std::min(roles, model.role_count()); ++k) {
    for (std::size_t d = 0; d < model.permission_count(); ++d) {
      const std::uint32_t column = known.find(model.permissions[d]);
      if (column != NameTable::absent) result.set(k, column, model.has(k, d));
    }
  }
  return result;
}

std::vector<double> start_of(const MacShape& shape, const BitMatrix& roles, const RoleState& state,
                             std::size_t columns) {
  std::vector<double> beta = absence_of(roles);
  if (!shape.rounded) {
    for (std::size_t i = 0; i < beta.size(); ++i) {
      const bool is_frozen = !shape.frozen.empty() && shape.frozen[i / columns] != 0;
      if (!is_frozen) beta[i] = beta[i] < 0.5 ? soft_held : 1.0 - soft_held;
    }
  }
  std::vector<double> start = mac_start(shape, beta, columns, state.p0, state.p1);
  std::copy(state.share.begin(), state.share.end(),
            start.begin() + static_cast<std::ptrdiff_t>(mac_parts(shape, columns).prior()));
  return start;
}

std::vector<double> carried_over(std::span<const double> parameters, std::size_t roles, const MergedMatrix& from,
                                 const MergedMatrix& to) {
  const std::size_t before = from.bits.columns();
  const std::size_t after = to.bits.columns();
  std::vector<double> result(roles * after);
  for (std::size_t k = 0; k < roles; ++k) {
    for (std::size_t d = 0; d < to.column_of.size(); ++d) {
      result[k * after + to.column_of[d]] = parameters[k * before + from.column_of[d]];
    }
  }
  const std::span<const double> rest = parameters.subspan(roles * before);
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

}  // namespace motet::roles
