#include "motet/data/leading_eigen.h"

#include <algorithm>

#include "motet/base/rng.h"
#include "motet/data/eigen.h"

namespace motet {
namespace {

constexpr std::size_t small_side = 400;  // up to here all eigenvectors are quick
constexpr std::size_t spare = 20;        // vectors more than wanted: the wanted ones settle sooner
constexpr std::size_t sweeps = 3;

// An orthonormal basis of the columns by Cholesky, all products of matrices; a second round makes it as precise as
// Householder's.
void orthonormalize(Eigen::MatrixXd& basis, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    Eigen::MatrixXd products = basis.transpose() * basis;
    products.diagonal().array() += 1e-14 * products.trace();  // columns beyond the rank stay finite
    const Eigen::LLT<Eigen::MatrixXd> factor(products);
    factor.matrixL().transpose().solveInPlace<Eigen::OnTheRight>(basis);
  }
}

}  // namespace

LeadingEigen leading_eigen(std::span<const double> symmetric, std::size_t side, std::size_t count) {
  const auto n = static_cast<Eigen::Index>(side);
  const auto wanted = static_cast<Eigen::Index>(count);
  const Eigen::Map<const Eigen::MatrixXd> matrix(symmetric.data(), n, n);
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  if (side <= small_side || 2 * (count + spare) >= side) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(matrix);
    values = eigen.eigenvalues().tail(wanted).reverse();
    vectors = eigen.eigenvectors().rightCols(wanted).rowwise().reverse();
  } else {
    Eigen::MatrixXd basis(n, static_cast<Eigen::Index>(count + spare));
    Rng rng{Seed{1}};
    for (Eigen::Index i = 0; i < basis.size(); ++i) basis.data()[i] = rng.normal();
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      orthonormalize(basis, 1);
      basis = (matrix * basis).eval();
    }
    orthonormalize(basis, 2);
    const Eigen::MatrixXd image = matrix * basis;
    const Eigen::MatrixXd small = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (small + small.transpose()));
    values = eigen.eigenvalues().tail(wanted).reverse();
    vectors = basis * eigen.eigenvectors().rightCols(wanted).rowwise().reverse();
  }
  LeadingEigen result;
  result.vectors.resize(count * side);
  for (Eigen::Index i = 0; i < wanted; ++i) {
    result.values.push_back(std::max(0.0, values(i)));
    Eigen::Index largest = 0;
    vectors.col(i).cwiseAbs().maxCoeff(&largest);
    const double sign = vectors(largest, i) < 0.0 ? -1.0 : 1.0;
    Eigen::Map<Eigen::VectorXd>(result.vectors.data() + i * n, n) = sign * vectors.col(i);
  }
  return result;
}

}  // namespace motet
