#include "motet/roles/sparse/sparse_rows.h"

#include <string_view>
#include <unordered_set>

namespace motet::roles {
namespace {

void add_bits(std::span<const std::uint64_t> row, SparseRows& to) {
  for_each_bit(row, [&](std::size_t d) { to.places.push_back(static_cast<std::uint32_t>(d)); });
  to.ends.push_back(to.places.size());
}

}  // namespace

SparseRows sparse_rows(const BitMatrix& bits) {
  SparseRows result;
  result.columns = bits.columns();
  result.places.reserve(bits.count());
  for (std::size_t n = 0; n < bits.rows(); ++n) add_bits(bits.row(n), result);
  return result;
}

SparseRows sparse_rows(const BitMatrix& bits, std::span<const std::uint32_t> rows) {
  SparseRows result;
  result.columns = bits.columns();
  for (const std::uint32_t n : rows) add_bits(bits.row(n), result);
  return result;
}

SparseRows transposed(const SparseRows& rows) {
  SparseRows result;
  result.columns = rows.rows();
  result.ends.assign(rows.columns, 0);
  result.places.resize(rows.places.size());
  for (const std::uint32_t d : rows.places) ++result.ends[d];
  std::size_t sum = 0;
  for (std::size_t& end : result.ends) {  // the beginnings, which become the ends as rows are filled
    const std::size_t count = end;
    end = sum;
    sum += count;
  }
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    for (const std::uint32_t d : rows[n]) result.places[result.ends[d]++] = static_cast<std::uint32_t>(n);
  }
  return result;
}

BitMatrix dense_rows(const SparseRows& rows) {
  BitMatrix bits(rows.rows(), rows.columns);
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    for (const std::uint32_t d : rows[n]) bits.set(n, d);
  }
  return bits;
}

std::size_t count_distinct_rows(const SparseRows& rows) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    seen.emplace(reinterpret_cast<const char*>(rows[n].data()), rows[n].size_bytes());
  }
  return seen.size();
}

std::size_t common_places(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::size_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint32_t left = a[i];
    const std::uint32_t right = b[j];
    count += left == right ? 1 : 0;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
  }
  return count;
}

}  // namespace motet::roles
