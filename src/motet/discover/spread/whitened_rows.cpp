#include "motet/discover/spread/whitened_rows.h"

#include <algorithm>
#include <cmath>

#include "motet/data/eigen.h"
#include "motet/discover/answers.h"

namespace motet::discover {
namespace {

constexpr std::size_t rows_a_task = 4096;
// Added to the variance of a column, as shares of it and of the mean of all: silence must not divide by 0.
constexpr double of_own_variance = 1e-9;
constexpr double of_mean_variance = 1e-15;

// Calls take(n, s_n) for the rows of a task; the sum slides along, and starts afresh with each task and sequence.
template <class Take>
void each_smoothed(const Features& features, std::size_t w, std::size_t begin, std::size_t end, const Take& take) {
  const std::size_t dimensions = features.dimensions();
  std::vector<double> sum(dimensions);
  std::vector<double> mean(dimensions);
  RowRange held;
  const auto add = [&](std::size_t n, double sign) {
    const std::span<const double> row = features.row(n);
    for (std::size_t d = 0; d < dimensions; ++d) sum[d] += sign * row[d];
  };
  for (std::size_t n = begin; n < end; ++n) {
    const RowRange range = rows_around(features.starts, n, w);
    const bool is_next = n > begin && range.begin <= held.begin + 1 && range.end >= held.end && range.begin < held.end;
    if (is_next) {
      if (range.begin > held.begin) add(held.begin, -1.0);
      for (std::size_t i = held.end; i < range.end; ++i) add(i, 1.0);
    } else {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t i = range.begin; i < range.end; ++i) add(i, 1.0);
    }
    held = range;
    const double share = 1.0 / static_cast<double>(range.end - range.begin);
    for (std::size_t d = 0; d < dimensions; ++d) mean[d] = sum[d] * share;
    take(n, std::span<const double>(mean));
  }
}

std::size_t task_count(std::size_t rows) { return (rows + rows_a_task - 1) / rows_a_task; }

// The lower factor of the shrunk covariance.
Eigen::MatrixXd shrunk_factor(const std::vector<double>& sums, std::size_t dimensions, double rows, double own_rows) {
  const auto size = at(dimensions);
  Eigen::MatrixXd covariance(size, size);
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) covariance(i, j) = covariance(j, i) = sums[next++] / rows;
  }
  const auto columns = static_cast<double>(dimensions);
  const double rho = columns / (columns + own_rows);
  const Eigen::VectorXd variance = covariance.diagonal();
  const double mean = variance.mean();
  covariance *= 1.0 - rho;
  for (Eigen::Index i = 0; i < size; ++i) {
    covariance(i, i) = mean > 0.0 ? (1.0 + of_own_variance) * variance(i) + of_mean_variance * mean : 1.0;
  }
  return Eigen::LLT<Eigen::MatrixXd>(covariance).matrixL();
}

}  // namespace

std::size_t smoothing_reach(std::size_t radius) { return radius / 10; }

std::vector<float> WhitenedRows::whitened(std::span<const double> smoothed) const {
  std::vector<float> z(dimensions);
  std::vector<double> exact(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) {
    double left = smoothed[i] - centre[i];
    for (std::size_t j = 0; j < i; ++j) left -= factor[i * dimensions + j] * exact[j];
    exact[i] = left / factor[i * dimensions + i];
    z[i] = static_cast<float>(exact[i]);
  }
  return z;
}

std::vector<double> smoothed_row(const Features& features, std::size_t row, std::size_t radius) {
  std::vector<double> result;
  each_smoothed(features, smoothing_reach(radius), row, row + 1,
                [&](std::size_t, std::span<const double> s) { result.assign(s.begin(), s.end()); });
  return result;
}

WhitenedRows whitened_rows(const Features& features, std::size_t radius, Threads threads) {
  const std::size_t rows = features.rows();
  const std::size_t dimensions = features.dimensions();
  const std::size_t w = smoothing_reach(radius);
  const Threads here = threads.here();
  const auto each = [&](std::size_t task, const auto& take) {
    each_smoothed(features, w, task * rows_a_task, std::min(rows, (task + 1) * rows_a_task), take);
  };
  WhitenedRows result;
  result.dimensions = dimensions;
  result.centre = sum_over_tasks(task_count(rows), dimensions, here, [&](std::size_t task, std::span<double> sums) {
    each(task, [&](std::size_t, std::span<const double> s) {
      for (std::size_t d = 0; d < dimensions; ++d) sums[d] += s[d];
    });
  });
  for (double& value : result.centre) value /= static_cast<double>(rows);
  const std::vector<double> products = sum_over_tasks(task_count(rows), dimensions * (dimensions + 1) / 2, here,
                                                      [&](std::size_t task, std::span<double> sums) {
                                                        std::vector<double> off(dimensions);
                                                        each(task, [&](std::size_t, std::span<const double> s) {
                                                          for (std::size_t d = 0; d < dimensions; ++d)
                                                            off[d] = s[d] - result.centre[d];
                                                          double* sum = sums.data();
                                                          for (std::size_t i = 0; i < dimensions; ++i) {
                                                            for (std::size_t j = 0; j <= i; ++j)
                                                              *sum++ += off[i] * off[j];
                                                          }
                                                        });
                                                      });
  const double own_rows = static_cast<double>(rows) / static_cast<double>(2 * w + 1);
  const Eigen::MatrixXd lower = shrunk_factor(products, dimensions, static_cast<double>(rows), own_rows);
  result.factor.resize(dimensions * dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) result.factor[i * dimensions + j] = lower(at(i), at(j));
  }
  result.values.resize(rows * dimensions);
  for_each_task(task_count(rows), here, [&](std::size_t task) {
    each(task, [&](std::size_t n, std::span<const double> s) {
      const std::vector<float> z = result.whitened(s);
      std::copy(z.begin(), z.end(), result.values.begin() + static_cast<std::ptrdiff_t>(n * dimensions));
    });
  });
  return result;
}

}  // namespace motet::discover
