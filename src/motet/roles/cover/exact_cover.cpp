#include "motet/roles/cover/exact_cover.h"

#include <algorithm>

#include "motet/base/error.h"
#include "motet/roles/cover/granted_exactly.h"
#include "motet/roles/cover/least_cover.h"

namespace motet::roles {
namespace {

using BitRow = std::vector<std::uint64_t>;

// The AND of some rows; there is at least one.
BitRow common_of(const BitMatrix& bits, const std::vector<std::uint32_t>& rows) {
  BitRow common(bits.row(rows[0]).begin(), bits.row(rows[0]).end());
  for (const std::uint32_t n : rows) {
    for (std::size_t w = 0; w < common.size(); ++w) common[w] &= bits.row(n)[w];
  }
  return common;
}

std::vector<std::uint32_t> numbers_in(const BitRow& bits) {
  std::vector<std::uint32_t> numbers;
  for_each_bit(bits, [&](std::size_t i) { numbers.push_back(static_cast<std::uint32_t>(i)); });
  return numbers;
}

double weight_of(const BitRow& bits, const std::vector<double>& weight) {
  double sum = 0.0;
  for_each_bit(bits, [&](std::size_t i) { sum += weight[i]; });
  return sum;
}

// The permissions of a role that covers these rows and columns.
BitRow widest(const AccessCells& cells, const std::vector<std::uint32_t>& rows,
              const std::vector<std::uint32_t>& columns, const MergedMatrix& data) {
  BitRow wide = common_of(cells.held, rows);
  const BitRow its_rows = common_of(cells.holders, numbers_in(wide));
  const BitRow all_rows = common_of(cells.holders, columns);
  BitRow many = common_of(cells.held, numbers_in(all_rows));
  const double wide_area = weight_of(wide, data.column_weight) * weight_of(its_rows, data.row_weight);
  const double many_area = weight_of(many, data.column_weight) * weight_of(all_rows, data.row_weight);
  return many_area > wide_area ? many : wide;
}

BitMatrix roles_of(const AccessCells& cells, const LeastCover& cover, const MergedMatrix& data) {
  std::vector<std::vector<std::uint32_t>> rows(cover.roles);
  std::vector<std::vector<std::uint32_t>> columns(cover.roles);
  for (std::uint32_t cell = 0; cell < cells.count(); ++cell) {
    std::vector<std::uint32_t>& of_role = rows[cover.role[cell]];
    if (of_role.empty() || of_role.back() != cells.row[cell]) of_role.push_back(cells.row[cell]);
  }
  for (const std::uint32_t cell : cells.column_cells) {
    std::vector<std::uint32_t>& of_role = columns[cover.role[cell]];
    if (of_role.empty() || of_role.back() != cells.column[cell]) of_role.push_back(cells.column[cell]);
  }
  BitMatrix roles(cover.roles, cells.held.columns());
  for (std::size_t k = 0; k < cover.roles; ++k) {
    const BitRow permissions = widest(cells, rows[k], columns[k], data);
    std::copy(permissions.begin(), permissions.end(), roles.row(k).begin());
  }
  return roles;
}

}  // namespace

ExactCover exact_cover(const MergedMatrix& data, const RunContext& run) {
  const AccessCells cells = access_cells(data.bits);
  LeastCover least = least_cover(cells, run);
  ExactCover cover;
  cover.roles = roles_of(cells, least, data);
  cover.assignments = granted_exactly(cells.held, cover.roles, run);
  std::vector<std::uint32_t> used;
  const BitMatrix members = cover.assignments.transposed();
  for (std::uint32_t k = 0; k < members.rows(); ++k) {
    if (members.count(k) > 0) used.push_back(k);
  }
  cover.roles = cover.roles.rows_of(used);
  cover.assignments = cover.assignments.columns_of(used);
  if (boolean_product(cover.assignments, cover.roles) != cells.held) {
    fail(ErrorKind::internal, "the exact cover does not give back what is held");
  }
  cover.at_least = least.at_least;
  cover.cells = cells.count();
  cover.remaining = least.remaining;
  cover.parts = least.parts;
  cover.summary = std::move(least.summary);
  return cover;
}

}  // namespace motet::roles
