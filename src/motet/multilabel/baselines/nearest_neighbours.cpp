#include "motet/multilabel/baselines/nearest_neighbours.h"

#include <algorithm>
#include <numeric>

#include "motet/data/eigen.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_neighbours = 10;
constexpr double smoothing = 1.0;
constexpr std::size_t rows_a_task = 64;

// How many of the nearest training items of each row have each label: rows x labels. Of equally
// near ones the first count. `own`: rows are the training items themselves, which do not count.
std::vector<std::uint32_t> neighbour_counts(const BaselineData& data, std::span<const double> rows, bool own,
                                            const RunContext& run) {
  const auto columns = at(data.dimensions);
  const std::size_t count = rows.size() / data.dimensions;
  const std::size_t labels = data.labels();
  const std::size_t k = std::min(most_neighbours, data.train_rows() - (own ? 1 : 0));
  const RowMatrixView train(data.train.data(), at(data.train_rows()), columns);
  const Eigen::RowVectorXd squares = train.rowwise().squaredNorm().transpose();
  std::vector<std::uint32_t> counts(count * labels);
  for_each_task((count + rows_a_task - 1) / rows_a_task, run.threads, [&](std::size_t task) {
    const std::size_t first = task * rows_a_task;
    const std::size_t size = std::min(count, first + rows_a_task) - first;
    const RowMatrixView block(rows.data() + first * data.dimensions, at(size), columns);
    RowMatrix distances = -2.0 * block * train.transpose();
    distances.rowwise() += squares;
    std::vector<std::uint32_t> order(data.train_rows());
    for (std::size_t n = 0; n < size; ++n) {
      std::iota(order.begin(), order.end(), 0U);
      if (own) order.erase(order.begin() + static_cast<std::ptrdiff_t>(first + n));
      const auto row = distances.row(at(n));
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                        [&](std::uint32_t a, std::uint32_t b) { return row(a) != row(b) ? row(a) < row(b) : a < b; });
      for (std::size_t j = 0; j < k; ++j) {
        for_each_bit(data.sets.row(order[j]), [&](std::size_t label) { ++counts[(first + n) * labels + label]; });
      }
      order.resize(data.train_rows());
    }
  });
  return counts;
}

}  // namespace

BitMatrix nearest_neighbours(const BaselineData& data, const RunContext& run) {
  const std::size_t labels = data.labels();
  const std::size_t rows = data.train_rows();
  const std::vector<std::uint32_t> among = neighbour_counts(data, data.train, true, run);
  const std::vector<std::uint32_t> near = neighbour_counts(data, data.test, false, run);
  constexpr std::size_t bins = most_neighbours + 1;
  BitMatrix result(data.test_rows(), labels);
  for (std::size_t label = 0; label < labels; ++label) {
    double with = 0.0;
    std::vector<double> counts_with(bins, smoothing);
    std::vector<double> counts_without(bins, smoothing);
    for (std::size_t n = 0; n < rows; ++n) {
      const bool has = data.sets(n, label);
      with += has ? 1.0 : 0.0;
      (has ? counts_with : counts_without)[among[n * labels + label]] += 1.0;
    }
    const double without = static_cast<double>(rows) - with;
    const double added = static_cast<double>(bins) * smoothing;
    for (std::size_t n = 0; n < data.test_rows(); ++n) {
      const std::uint32_t j = near[n * labels + label];
      const double yes = (smoothing + with) * counts_with[j] / (added + with);
      const double no = (smoothing + without) * counts_without[j] / (added + without);
      result.set(n, label, yes > no);
    }
  }
  return result;
}

}  // namespace motet::multilabel
