#include "motet/superset/neighbours/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/data/eigen.h"

namespace motet::superset {
namespace {

constexpr std::size_t neighbour_rows = 64;

}  // namespace

NearestRows nearest(std::span<const double> memory, std::span<const double> x, std::size_t dimensions, std::size_t k,
                    bool among_itself, Threads threads) {
  const std::size_t stored = memory.size() / dimensions;
  const std::size_t rows = x.size() / dimensions;
  NearestRows result;
  result.each = std::min(k, among_itself && stored > 0 ? stored - 1 : stored);
  result.row.resize(rows * result.each);
  result.distance.resize(rows * result.each);
  if (result.each == 0) return result;
  const RowMatrixView all(memory.data(), at(stored), at(dimensions));
  const Eigen::VectorXd squares = all.rowwise().squaredNorm();
  const double work = static_cast<double>(x.size()) * static_cast<double>(stored);
  for_each_task((rows + neighbour_rows - 1) / neighbour_rows, threads_for(threads, work), [&](std::size_t task) {
    const std::size_t begin = task * neighbour_rows;
    const std::size_t count = std::min(neighbour_rows, rows - begin);
    const RowMatrixView part(x.data() + begin * dimensions, at(count), at(dimensions));
    const RowMatrix product = part * all.transpose();
    std::vector<double> far(stored);
    std::vector<std::uint32_t> order(stored);
    for (std::size_t i = 0; i < count; ++i) {
      const double own = part.row(at(i)).squaredNorm();
      for (std::size_t j = 0; j < stored; ++j) {
        far[j] = std::max(0.0, own + squares[at(j)] - 2.0 * product(at(i), at(j)));
      }
      if (among_itself) far[begin + i] = INFINITY;
      std::iota(order.begin(), order.end(), 0U);
      std::partial_sort(order.begin(), order.begin() + at(result.each), order.end(),
                        [&](std::uint32_t a, std::uint32_t b) { return far[a] != far[b] ? far[a] < far[b] : a < b; });
      for (std::size_t j = 0; j < result.each; ++j) {
        result.row[(begin + i) * result.each + j] = order[j];
        result.distance[(begin + i) * result.each + j] = std::sqrt(far[order[j]]);
      }
    }
  });
  return result;
}

}  // namespace motet::superset
