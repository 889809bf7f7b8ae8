#include "motet/multilabel/search/threshold.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

double normal_cumulative(double value) { return 0.5 * std::erfc(-value / std::numbers::sqrt2); }

Eigen::MatrixXd column_square(const std::vector<double>& cells, std::size_t size) {
  return Eigen::Map<const Eigen::MatrixXd>(cells.data(), at(size), at(size));
}

void require_sums(const Sources& sources) {
  const SourceFamily& family = family_of(sources.family);
  const bool adds =
      family.has_scatter && sources.combination == (family.is_logarithm ? Combination::product : Combination::sum);
  if (!adds) {
    fail(ErrorKind::usage,
         "--heuristic-error needs gaussian sources that are summed or lognormal ones that are multiplied; leave it 0");
  }
}

}  // namespace

SourceThreshold make_threshold(const Sources& sources, std::size_t most_labels, double error) {
  require_sums(sources);
  const std::size_t size = sources.dimensions;
  SourceThreshold threshold;
  threshold.labels = sources.label_count();
  threshold.logarithm = family_of(sources.family).is_logarithm;
  const std::size_t most = std::clamp<std::size_t>(most_labels, 1, threshold.labels);

  std::vector<Eigen::MatrixXd> covariance;
  Eigen::MatrixXd pooled = Eigen::MatrixXd::Zero(at(size), at(size));
  for (std::size_t k = 0; k < sources.count; ++k) {
    covariance.push_back(column_square(covariance_of(sources, k), size));
    pooled += covariance.back() / static_cast<double>(sources.count);
  }
  Eigen::MatrixXd always = Eigen::MatrixXd::Zero(at(size), at(size));  // in every item, whatever its labels
  if (!sources.noise.empty()) always += column_square(sources.noise, size);
  if (sources.background) always += covariance.back();
  pooled += always;

  // Least squares in the metric of the pooled covariance; any metric gives E[z~] = z.
  const Eigen::MatrixXd means =
      Eigen::Map<const Eigen::MatrixXd>(sources.location.data(), at(size), at(threshold.labels));
  const Eigen::LLT<Eigen::MatrixXd> metric(pooled);
  const Eigen::MatrixXd white = metric.matrixL().solve(means);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(white);
  if (static_cast<std::size_t>(qr.rank()) < threshold.labels) {
    fail(ErrorKind::usage, "--heuristic-error needs linearly independent means: there are " +
                               std::to_string(threshold.labels) + " labels, and their means have rank " +
                               std::to_string(qr.rank()) + "; leave it 0");
  }
  const Eigen::MatrixXd unwhite = metric.matrixL().solve(Eigen::MatrixXd::Identity(at(size), at(size)));
  const Eigen::MatrixXd solve = qr.solve(unwhite);  // labels x D
  for (std::size_t k = 0; k < threshold.labels; ++k) {
    for (std::size_t d = 0; d < size; ++d) threshold.solve.push_back(solve(at(k), at(d)));
  }
  threshold.centre.assign(size, 0.0);
  if (sources.background) {
    const std::span<const double> mean = sources.location_of(threshold.labels);
    threshold.centre.assign(mean.begin(), mean.end());
  }

  threshold.variance.resize(most * threshold.labels);
  for (std::size_t k = 0; k < threshold.labels; ++k) {
    const Eigen::VectorXd row = solve.row(at(k)).transpose();
    std::vector<double> others;
    for (std::size_t j = 0; j < threshold.labels; ++j) {
      if (j != k) others.push_back(row.dot(covariance[j] * row));
    }
    std::sort(others.begin(), others.end(), std::greater<>());
    double sum = row.dot(covariance[k] * row) + row.dot(always * row);
    for (std::size_t m = 0; m < most; ++m) {
      if (m > 0) sum += others[m - 1];
      threshold.variance[m * threshold.labels + k] = sum;
    }
  }
  threshold.tau = threshold_for(threshold, error);
  threshold.error = error_bound(threshold, threshold.tau);
  return threshold;
}

double error_bound(const SourceThreshold& threshold, double tau) {
  double largest = 0.0;
  std::vector<double> lost(threshold.labels);
  for (std::size_t m = 1; m <= threshold.most_labels(); ++m) {
    for (std::size_t k = 0; k < threshold.labels; ++k) {
      lost[k] = normal_cumulative((tau - 1.0) / std::sqrt(threshold.variance[(m - 1) * threshold.labels + k]));
    }
    std::sort(lost.begin(), lost.end(), std::greater<>());
    double sum = 0.0;
    for (std::size_t i = 0; i < m; ++i) sum += lost[i];
    largest = std::max(largest, sum);
  }
  return std::min(largest, 1.0);
}

double threshold_for(const SourceThreshold& threshold, double error) {
  if (!(error > 0.0 && error < 1.0)) {
    fail(ErrorKind::usage, "--heuristic-error " + to_text(error) + " is not a probability between 0 and 1");
  }
  double low = 0.0;
  double high = 1.0;
  while (error_bound(threshold, high) <= error) high += 1.0;  // only an error above 1/2 leaves tau above 1
  for (double step = 1.0; error_bound(threshold, low) > error; step *= 2.0) low -= step;
  for (int halving = 0; halving < 80; ++halving) {
    const double middle = 0.5 * (low + high);
    (error_bound(threshold, middle) <= error ? low : high) = middle;
  }
  return low;
}

std::vector<double> least_squares_labels(const SourceThreshold& threshold, std::span<const double> x) {
  std::vector<double> result(threshold.labels);
  for (std::size_t k = 0; k < threshold.labels; ++k) {
    for (std::size_t d = 0; d < x.size(); ++d) {
      const double value = threshold.logarithm ? std::log(x[d]) : x[d];
      result[k] += threshold.solve[k * x.size() + d] * (value - threshold.centre[d]);
    }
  }
  return result;
}

std::vector<std::uint64_t> kept_sources(const SourceThreshold& threshold, std::span<const double> x) {
  const std::vector<double> solution = least_squares_labels(threshold, x);
  std::vector<std::uint64_t> words((threshold.labels + 63) / 64);
  for (std::size_t k = 0; k < threshold.labels; ++k) {
    if (solution[k] > threshold.tau) words[k / 64] |= std::uint64_t{1} << (k % 64);
  }
  return words;
}

}  // namespace motet::multilabel
