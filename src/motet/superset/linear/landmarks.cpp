#include "motet/superset/linear/landmarks.h"

#include <algorithm>
#include <cmath>

#include "motet/base/lot.h"
#include "motet/data/eigen.h"

namespace motet::superset {
namespace {

constexpr std::size_t landmark_rows = 256;
constexpr double ridge = 1e-6;

RowMatrix squared_distances(const RowMatrixView& a, const RowMatrixView& b) {
  RowMatrix d = -2.0 * a * b.transpose();
  d.colwise() += a.rowwise().squaredNorm();
  d.rowwise() += b.rowwise().squaredNorm().transpose();
  return d.cwiseMax(0.0);
}

}  // namespace

Landmarks choose_landmarks(std::span<const double> x, std::size_t dimensions, std::size_t most, double width, Rng rng) {
  const std::size_t rows = x.size() / dimensions;
  std::vector<std::uint32_t> order = drawn_by_lot(rows, most, rng);
  const std::size_t count = order.size();
  std::sort(order.begin(), order.end());
  Landmarks result{dimensions, 1.0, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = x.begin() + at(order[i] * dimensions);
    result.z.insert(result.z.end(), from, from + at(dimensions));
  }
  const RowMatrixView z(result.z.data(), at(count), at(dimensions));
  const RowMatrix d = squared_distances(z, z);
  std::vector<double> pairs;
  for (Eigen::Index i = 0; i < d.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) pairs.push_back(d(i, j));
  }
  if (!pairs.empty()) {
    const auto middle = pairs.begin() + at(pairs.size() / 2);
    std::nth_element(pairs.begin(), middle, pairs.end());
    if (*middle > 0.0) result.scale = width * *middle;
  }
  RowMatrix kernel = (-d / result.scale).array().exp().matrix();
  kernel.diagonal().array() += ridge;
  const RowMatrix factor = kernel.llt().matrixL();
  result.factor.assign(factor.data(), factor.data() + factor.size());
  return result;
}

std::vector<double> likeness(const Landmarks& landmarks, std::span<const double> x, Threads threads) {
  const std::size_t count = landmarks.count();
  const std::size_t rows = x.size() / landmarks.dimensions;
  std::vector<double> result(rows * count);
  const RowMatrixView z(landmarks.z.data(), at(count), at(landmarks.dimensions));
  const RowMatrixView factor(landmarks.factor.data(), at(count), at(count));
  for_each_task((rows + landmark_rows - 1) / landmark_rows, threads, [&](std::size_t task) {
    const std::size_t begin = task * landmark_rows;
    const std::size_t part = std::min(landmark_rows, rows - begin);
    const RowMatrixView block(x.data() + begin * landmarks.dimensions, at(part), at(landmarks.dimensions));
    Eigen::MatrixXd kernel = (-squared_distances(block, z) / landmarks.scale).array().exp().matrix().transpose();
    factor.triangularView<Eigen::Lower>().solveInPlace(kernel);
    Eigen::Map<RowMatrix>(result.data() + begin * count, at(part), at(count)) = kernel.transpose();
  });
  return result;
}

}  // namespace motet::superset
