#include "motet/discover/questions/odd_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/data/eigen.h"

namespace motet::discover {
namespace {

constexpr double correlation_shrinkage = 0.1;
constexpr std::size_t rows_of_block = 2048;
constexpr std::size_t float_lanes = 8;

struct Blocks {
  explicit Blocks(std::size_t all) : rows(all), count((all + rows_of_block - 1) / rows_of_block) {}
  std::size_t begin(std::size_t task) const { return task * rows_of_block; }
  std::size_t end(std::size_t task) const { return std::min(rows, (task + 1) * rows_of_block); }

  std::size_t rows;
  std::size_t count;
};

// Columns x columns: what a centred row is multiplied by.
RowMatrix whitening(const temporal::GlobalShape& global) {
  const std::size_t d = global.mean.size();
  const RowMatrixView covariance(global.covariance.data(), at(d), at(d));
  const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  correlation *= 1.0 - correlation_shrinkage;
  correlation.diagonal().array() += correlation_shrinkage;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(correlation);
  const Eigen::VectorXd roots = solved.eigenvalues().cwiseMax(correlation_shrinkage / 2.0).cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * solved.eigenvectors() * roots.asDiagonal();
}

std::vector<float> whitened(const Features& features, const temporal::GlobalShape& global, Threads threads) {
  const std::size_t d = features.dimensions();
  const RowMatrix by = whitening(global);
  const Eigen::Map<const Eigen::RowVectorXd> mean(global.mean.data(), at(d));
  std::vector<float> values(features.values.size());
  const Blocks blocks(features.rows());
  for_each_task(blocks.count, threads, [&](std::size_t task) {
    const std::size_t begin = blocks.begin(task);
    const std::size_t count = blocks.end(task) - begin;
    const RowMatrixView rows(features.values.data() + begin * d, at(count), at(d));
    const RowMatrix turned = (rows.rowwise() - mean) * by;
    std::transform(turned.data(), turned.data() + count * d, values.begin() + static_cast<std::ptrdiff_t>(begin * d),
                   [](double value) { return static_cast<float>(value); });
  });
  return values;
}

// Means over 2w + 1 rows, fewer at the ends of a sequence. A sum begins anew in each block, so it does not drift.
std::vector<float> averaged(const std::vector<float>& values, const Features& features, std::size_t w,
                            Threads threads) {
  const std::size_t d = features.dimensions();
  std::vector<float> means(values.size());
  const Blocks blocks(features.rows());
  for_each_task(blocks.count, threads, [&](std::size_t task) {
    std::vector<double> sum(d);
    std::size_t first = 0;  // the rows in the sum
    std::size_t last = 0;
    const auto add = [&](std::size_t n, double sign) {
      for (std::size_t i = 0; i < d; ++i) sum[i] += sign * static_cast<double>(values[n * d + i]);
    };
    std::size_t s = sequence_of(features, blocks.begin(task));
    for (std::size_t n = blocks.begin(task); n < blocks.end(task); ++n) {
      while (n >= features.starts[s + 1]) ++s;
      const std::size_t begin = std::max(features.starts[s], n - std::min(n, w));
      const std::size_t end = std::min(features.starts[s + 1], n + w + 1);
      if (begin >= last) {
        std::fill(sum.begin(), sum.end(), 0.0);
        first = last = begin;
      }
      for (; last < end; ++last) add(last, 1.0);
      for (; first < begin; ++first) add(first, -1.0);
      const double count = static_cast<double>(end - begin);
      for (std::size_t i = 0; i < d; ++i) means[n * d + i] = static_cast<float>(sum[i] / count);
    }
  });
  return means;
}

// Each column divided by its deviation; one that does not vary stays as it is.
void to_deviations(std::vector<float>& values, std::size_t d, Threads threads) {
  const std::size_t rows = values.size() / d;
  const Blocks blocks(rows);
  const std::vector<double> sums = sum_over_tasks(blocks.count, 2 * d, threads, [&](std::size_t task, auto of_task) {
    for (std::size_t n = blocks.begin(task); n < blocks.end(task); ++n) {
      for (std::size_t i = 0; i < d; ++i) {
        const auto value = static_cast<double>(values[n * d + i]);
        of_task[i] += value;
        of_task[d + i] += value * value;
      }
    }
  });
  std::vector<float> factor(d, 1.0F);
  const auto count = static_cast<double>(rows);
  for (std::size_t i = 0; i < d; ++i) {
    const double variance = sums[d + i] / count - sums[i] / count * (sums[i] / count);
    if (variance > 1e-12) factor[i] = static_cast<float>(1.0 / std::sqrt(variance));
  }
  for_each_task(blocks.count, threads, [&](std::size_t task) {
    for (std::size_t n = blocks.begin(task); n < blocks.end(task); ++n) {
      for (std::size_t i = 0; i < d; ++i) values[n * d + i] *= factor[i];
    }
  });
}

// In lanes of fixed number, so that the bits do not depend on the processor.
float squared_apart(const float* a, const float* b, std::size_t d) {
  float sums[float_lanes] = {};
  std::size_t i = 0;
  for (; i + float_lanes <= d; i += float_lanes) {
    for (std::size_t lane = 0; lane < float_lanes; ++lane) {
      const float difference = a[i + lane] - b[i + lane];
      sums[lane] += difference * difference;
    }
  }
  for (; i < d; ++i) sums[i % float_lanes] += (a[i] - b[i]) * (a[i] - b[i]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

std::vector<float> oddness_of(const OddRows& odd, std::size_t rows) {
  const std::vector<float> centre(odd.columns, 0.0F);
  std::vector<float> oddness(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    oddness[n] = std::sqrt(squared_apart(odd.values.data() + n * odd.columns, centre.data(), odd.columns));
  }
  std::vector<float> sorted = oddness;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(rows / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const float median = *middle;
  if (median > 0.0F) {
    for (float& value : oddness) value /= median;
  }
  return oddness;
}

}  // namespace

OddRows odd_rows(const Features& features, const temporal::GlobalShape& global, std::size_t half_width,
                 Threads threads) {
  OddRows odd;
  odd.columns = features.dimensions();
  odd.values = whitened(features, global, threads);
  if (half_width > 0) odd.values = averaged(odd.values, features, half_width, threads);
  to_deviations(odd.values, odd.columns, threads);
  odd.oddness = oddness_of(odd, features.rows());
  return odd;
}

float squared_distance(const OddRows& odd, std::size_t a, std::size_t b) {
  return squared_apart(odd.values.data() + a * odd.columns, odd.values.data() + b * odd.columns, odd.columns);
}

void take_answered(OddRows& odd, std::size_t row) {
  if (odd.answered.empty()) {
    odd.nearest.assign(odd.rows(), std::numeric_limits<float>::infinity());
    odd.counted.assign(odd.rows(), 0);
  }
  odd.answered.push_back(row);
}

float nearest_answered(const OddRows& odd, std::size_t row, float weight, float least) {
  if (odd.answered.empty()) return std::numeric_limits<float>::infinity();
  float& nearest = odd.nearest[row];
  std::uint32_t& counted = odd.counted[row];
  for (; counted < odd.answered.size() && !(nearest * weight < least); ++counted) {
    nearest = std::min(nearest, squared_distance(odd, row, odd.answered[counted]));
  }
  return nearest;
}

}  // namespace motet::discover
