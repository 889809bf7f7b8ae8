// What files that compute with Eigen share; it is slow to compile, so only .cpp files include it.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace motet {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatrixView = Eigen::Map<const RowMatrix>;

inline Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

}  // namespace motet
