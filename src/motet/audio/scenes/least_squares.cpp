#include "motet/audio/scenes/least_squares.h"

#include <Eigen/Dense>

namespace motet::audio {

std::vector<double> least_squares(const Rows2d& rows, std::span<const double> values) {
  const auto count = static_cast<Eigen::Index>(rows.rows());
  const auto width = static_cast<Eigen::Index>(rows.width);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> features(rows.values.data(), count, width);
  const Eigen::Map<const Eigen::VectorXd> wanted(values.data(), count);
  // The constant apart: the shortest weights are those of the features alone.
  const Eigen::RowVectorXd middle = features.colwise().mean();
  const double mean = wanted.mean();
  const Eigen::MatrixXd centred = features.rowwise() - middle;
  const Eigen::VectorXd weights = centred.completeOrthogonalDecomposition().solve((wanted.array() - mean).matrix());
  std::vector<double> result(weights.data(), weights.data() + weights.size());
  result.push_back(mean - middle.dot(weights));
  return result;
}

}  // namespace motet::audio
