#include "motet/discover/questions/isolation.h"

#include <algorithm>
#include <limits>

#include "motet/base/lot.h"
#include "motet/base/streams.h"
#include "motet/discover/questions/scaled_rows.h"

namespace motet::discover {
namespace {

constexpr std::size_t median_rows = 500;
constexpr double far_away = 3.0;  // medians
constexpr std::size_t exact_rows = 20'000;
constexpr double most_comparisons = 4e8;
constexpr std::size_t block_items = 256;

// Square of the distance of row n to its k-th nearest other row.
double kth_nearest(const ScaledRows& rows, std::size_t n, std::size_t k) {
  std::vector<double> nearest(k, std::numeric_limits<double>::infinity());  // a heap, the farthest first
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == n) continue;
    const double distance = rows.squared_distance(n, i);
    if (distance >= nearest.front()) continue;
    std::pop_heap(nearest.begin(), nearest.end());
    nearest.back() = distance;
    std::push_heap(nearest.begin(), nearest.end());
  }
  return nearest.front();
}

double median_distance(const ScaledRows& rows, std::size_t k, const RunContext& run) {
  const std::vector<std::uint32_t> drawn =
      drawn_by_lot(rows.size(), median_rows, stream(run.seed, Stream::discover_median_rows));
  std::vector<double> distances(drawn.size());
  for_each_task(drawn.size(), run.threads, [&](std::size_t i) { distances[i] = kth_nearest(rows, drawn[i], k); });
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

// Whether k other rows are within the distance: neighbours in time, then the others as they come.
bool has_company(const ScaledRows& rows, const Features& features, std::span<const std::uint32_t> others, std::size_t n,
                 std::size_t k, std::size_t radius, double limit) {
  const std::size_t s = sequence_of(features, n);
  const std::size_t reach = std::max<std::size_t>(8, radius);
  const std::size_t begin = std::max(features.starts[s], n - std::min(n, reach));
  const std::size_t end = std::min(features.starts[s + 1], n + reach + 1);
  std::size_t found = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (i != n && rows.squared_distance(n, i) <= limit && ++found == k) return true;
  }
  for (const std::uint32_t i : others) {
    if (i >= begin && i < end) continue;
    if (rows.squared_distance(n, i) <= limit && ++found == k) return true;
  }
  return false;
}

// Oddness that lasts is an event, not noise.
void keep_lasting(const Features& features, std::size_t radius, std::size_t first_row, std::vector<std::uint8_t>& odd) {
  const std::size_t enough = std::max<std::size_t>(2, (radius + 2) / 3);
  const std::vector<std::uint8_t> before = odd;
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    for (std::size_t n = std::max(first_row, features.starts[s]); n < features.starts[s + 1]; ++n) {
      if (before[n - first_row] == 0) continue;
      const std::size_t begin = std::max({first_row, features.starts[s], n - std::min(n, radius)});
      const std::size_t end = std::min(features.starts[s + 1], n + radius + 1);
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i) count += before[i - first_row];
      if (count - 1 >= enough) odd[n - first_row] = 0;
    }
  }
}

}  // namespace

std::vector<std::uint8_t> isolated_rows(const Features& features, std::size_t k, std::size_t radius,
                                        std::size_t first_row, const RunContext& run) {
  const std::size_t size = features.rows();
  std::vector<std::uint8_t> odd(size - first_row, 0);
  if (k == 0 || size <= k + 1) return odd;
  const ScaledRows rows(features);
  const double limit = far_away * far_away * median_distance(rows, k, run);
  if (limit == 0.0) return odd;
  const std::size_t most =
      size <= exact_rows ? size : static_cast<std::size_t>(most_comparisons / static_cast<double>(size));
  const std::vector<std::uint32_t> others = drawn_by_lot(size, most, stream(run.seed, Stream::discover_company));
  for_each_task((odd.size() + block_items - 1) / block_items, run.threads, [&](std::size_t task) {
    for (std::size_t i = task * block_items; i < std::min(odd.size(), (task + 1) * block_items); ++i) {
      odd[i] = has_company(rows, features, others, first_row + i, k, radius, limit) ? 0 : 1;
    }
  });
  keep_lasting(features, radius, first_row, odd);
  return odd;
}

}  // namespace motet::discover
