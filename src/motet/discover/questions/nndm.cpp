#include "motet/discover/questions/nndm.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>

#include "motet/base/error.h"
#include "motet/discover/questions/scaled_rows.h"

namespace motet::discover {
namespace {

constexpr std::array<double, 4> growth{1.0, 2.0, 4.0, 8.0};
constexpr std::size_t block_cells = 64;

void for_rows(std::size_t rows, Threads threads, const std::function<void(std::size_t)>& body) {
  for_each_task((rows + block_cells - 1) / block_cells, threads, [&](std::size_t task) {
    for (std::size_t n = task * block_cells; n < std::min(rows, (task + 1) * block_cells); ++n) body(n);
  });
}

// Rows near one that comes before them go to the end.
std::vector<std::uint32_t> spread(const ScaledRows& rows, const std::vector<std::uint32_t>& order, double near) {
  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> put_off;
  for (const std::uint32_t row : order) {
    const bool is_near = std::any_of(kept.begin(), kept.end(),
                                     [&](std::uint32_t before) { return rows.squared_distance(row, before) <= near; });
    (is_near ? put_off : kept).push_back(row);
  }
  kept.insert(kept.end(), put_off.begin(), put_off.end());
  return kept;
}

}  // namespace

std::vector<std::uint32_t> nndm_order(const Features& features, std::size_t radius, const RunContext& run) {
  const std::size_t size = features.rows();
  if (size > most_nndm_rows) {
    fail(ErrorKind::usage, "--strategy nndm compares all pairs of rows and takes at most " +
                               std::to_string(most_nndm_rows) + "; there are " + std::to_string(size));
  }
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  if (size < 3) return order;
  const ScaledRows rows(features);
  const std::size_t k = std::clamp<std::size_t>(2 * radius, 1, size - 1);

  std::vector<double> kth(size);
  for_rows(size, run.threads, [&](std::size_t n) {
    std::vector<double> distances(size);
    for (std::size_t i = 0; i < size; ++i) distances[i] = rows.squared_distance(n, i);
    std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(k), distances.end());
    kth[n] = distances[k];  // the row itself is the nearest
  });
  const double r = *std::min_element(kth.begin(), kth.end());

  std::vector<std::int32_t> count(size, 0);
  for_rows(size, run.threads, [&](std::size_t n) {
    for (std::size_t i = 0; i < size; ++i) count[n] += rows.squared_distance(n, i) <= r ? 1 : 0;
  });
  std::array<std::vector<std::int32_t>, growth.size()> score;
  for (std::vector<std::int32_t>& s : score) s.assign(size, std::numeric_limits<std::int32_t>::min());
  for_rows(size, run.threads, [&](std::size_t n) {
    for (std::size_t i = 0; i < size; ++i) {
      const double distance = rows.squared_distance(n, i);
      for (std::size_t t = growth.size(); t-- > 0 && distance <= r * growth[t] * growth[t];) {
        score[t][n] = std::max(score[t][n], count[n] - count[i]);
      }
    }
  });

  std::array<std::vector<std::uint32_t>, growth.size()> lists;
  for_each_task(growth.size(), run.threads, [&](std::size_t t) {
    std::vector<std::uint32_t> best_first = order;
    std::stable_sort(best_first.begin(), best_first.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return score[t][a] > score[t][b]; });
    lists[t] = spread(rows, best_first, r * growth[t] * growth[t]);
  });
  std::vector<std::uint8_t> taken(size, 0);
  std::array<std::size_t, growth.size()> next{};
  order.clear();
  for (std::size_t turn = 0; order.size() < size; ++turn) {
    const std::size_t t = turn % growth.size();
    while (next[t] < size && taken[lists[t][next[t]]] != 0) ++next[t];
    if (next[t] == size) continue;
    taken[lists[t][next[t]]] = 1;
    order.push_back(lists[t][next[t]]);
  }
  return order;
}

}  // namespace motet::discover
