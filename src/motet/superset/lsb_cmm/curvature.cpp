#include "motet/superset/lsb_cmm/curvature.h"

#include <cmath>

#include "motet/data/eigen.h"

namespace motet::superset {
namespace {

// X'X with the column of ones last, or its diagonal.
std::vector<double> second_moments(const LsbRows& rows, bool exact, Threads threads) {
  const std::size_t size = rows.dimensions + 1;
  const std::size_t width = exact ? padded(size) : 1;
  const LsbTasks tasks(rows.count());
  return sum_over_tasks(tasks.count, size * width, threads, [&](std::size_t task, std::span<double> sums) {
    std::vector<double> filled(LsbTasks::tile * padded(size));
    for (std::size_t from = tasks.begin(task); from < tasks.end(task); from += LsbTasks::tile) {
      const std::size_t to = std::min(tasks.end(task), from + LsbTasks::tile);
      const RowBlock<double> x = rows.block(from, to);
      for (std::size_t n = 0; n < x.rows; ++n) {
        const double* const row = x.values + n * rows.dimensions;
        if (!exact) {
          for (std::size_t d = 0; d < rows.dimensions; ++d) sums[d] += row[d] * row[d];
          sums[rows.dimensions] += 1.0;
          continue;
        }
        double* const line = filled.data() + n * width;
        std::copy_n(row, rows.dimensions, line);
        line[rows.dimensions] = 1.0;
        for (std::size_t d = 0; d < width; ++d) sums[rows.dimensions * width + d] += line[d];
      }
      if (exact) add_transposed(x, filled.data(), width, sums.data());
    }
  });
}

}  // namespace

StickCurvature::StickCurvature(const LsbRows& rows, const LsbPrior& prior, Threads threads)
    : exact_(rows.dimensions <= most_exact),
      rows_(static_cast<double>(rows.count())),
      precision_(rows.dimensions + 1, 1.0 / prior.weight_variance) {
  precision_.back() = 1.0 / prior.bias_variance;
  const std::size_t size = precision_.size();
  const std::vector<double> moments = second_moments(rows, exact_, threads);
  if (!exact_) {
    values_ = moments;
    return;
  }
  const std::size_t width = padded(size);
  const auto order = static_cast<Eigen::Index>(size);
  Eigen::MatrixXd scaled(order, order);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = moments[i * width + j] / std::sqrt(precision_[i] * precision_[j]);
      scaled(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
      scaled(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = value;
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  values_.resize(size);
  vectors_.resize(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    values_[i] = std::max(0.0, solver.eigenvalues()(static_cast<Eigen::Index>(i)));
    for (std::size_t j = 0; j < size; ++j) {
      vectors_[i * size + j] =
          solver.eigenvectors()(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) / std::sqrt(precision_[i]);
    }
  }
}

void StickCurvature::solve(std::span<const double> c, std::size_t width, std::span<const double> r,
                           std::span<double> z) const {
  if (!exact_) {
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t k = 0; k < width; ++k) z[i * width + k] = r[i * width + k] / (c[k] * values_[i] + precision_[i]);
    }
    return;
  }
  const auto order = static_cast<Eigen::Index>(size());
  const auto columns = static_cast<Eigen::Index>(width);
  const Eigen::Map<const RowMatrix> v(vectors_.data(), order, order);
  const Eigen::Map<const RowMatrix> from(r.data(), order, columns);
  Eigen::Map<RowMatrix> to(z.data(), order, columns);
  RowMatrix rotated = v.transpose() * from;
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t k = 0; k < width; ++k) {
      rotated(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) /= c[k] * values_[i] + 1.0;
    }
  }
  to.noalias() = v * rotated;
}

}  // namespace motet::superset
