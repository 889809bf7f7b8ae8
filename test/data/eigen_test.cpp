// The functions of Eigen that are compiled once, each through its usual interface and against a definition.
#include "motet/data/eigen.h"

#include <gtest/gtest.h>

#include "motet/base/rng.h"

namespace motet::eigen_test {
namespace {

constexpr double rounding = 1e-10;
constexpr Eigen::Index side = 70;  // beyond the blocks of 32 or 64 that large products and factors work in

template <class Matrix>
Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = rng.normal();
  return matrix;
}

template <class Matrix>
Matrix positive_matrix() {
  const Matrix root = random_matrix<Matrix>(side, side, 1);
  return root * root.transpose() + Matrix::Identity(side, side);
}

template <class A, class B>
void expect_near(const A& found, const B& expected) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), rounding * (1.0 + expected.cwiseAbs().maxCoeff()));
}

// Entry by entry, with nothing clever.
template <class A, class B>
Eigen::MatrixXd product(const A& a, const B& b) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      for (Eigen::Index l = 0; l < a.cols(); ++l) result(i, j) += a(i, l) * b(l, j);
    }
  }
  return result;
}

// What the caches of this machine are must not decide in which order a product adds up.
TEST(Eigen, ProductsAreCutTheSameOnEveryMachine) {
  EXPECT_EQ(Eigen::l1CacheSize(), 32 * 1024);
  EXPECT_EQ(Eigen::l2CacheSize(), 256 * 1024);
  EXPECT_EQ(Eigen::l3CacheSize(), 2 * 1024 * 1024);
}

TEST(Eigen, ProductsOfRowsAndColumnsAreSumsOfProducts) {
  const auto a = random_matrix<Eigen::MatrixXd>(side, 90, 2);
  const auto b = random_matrix<Eigen::MatrixXd>(90, side, 3);
  const auto rows_of_a = random_matrix<RowMatrix>(side, 90, 4);
  const auto rows_of_b = random_matrix<RowMatrix>(90, side, 5);
  expect_near((a * b).eval(), product(a, b));
  expect_near((rows_of_a * rows_of_b).eval(), product(rows_of_a, rows_of_b));
  expect_near((rows_of_a * b).eval(), product(rows_of_a, b));
  expect_near((a.transpose() * rows_of_a).eval(), product(a.transpose(), rows_of_a));
  const Eigen::VectorXd x = random_matrix<Eigen::MatrixXd>(90, 1, 6);
  expect_near((a * x).eval(), product(a, x));
  expect_near((rows_of_a * x).eval(), product(rows_of_a, x));
}

template <class Matrix>
class EigenFactors : public testing::Test {};
using BothOrders = testing::Types<Eigen::MatrixXd, RowMatrix>;
TYPED_TEST_SUITE(EigenFactors, BothOrders);

TYPED_TEST(EigenFactors, TakeThePositiveMatrixApartAndSolve) {
  const TypeParam matrix = positive_matrix<TypeParam>();
  const Eigen::LLT<TypeParam> factor(matrix);
  ASSERT_EQ(factor.info(), Eigen::Success);
  const TypeParam lower = factor.matrixL();
  expect_near(product(lower, lower.transpose()), matrix);
  const Eigen::LDLT<TypeParam> solver(matrix);
  const Eigen::VectorXd x = random_matrix<Eigen::MatrixXd>(side, 1, 7);
  expect_near(product(matrix, solver.solve(x).eval()), x);
  EXPECT_EQ(Eigen::LLT<TypeParam>((-matrix).eval()).info(), Eigen::NumericalIssue);
}

TEST(Eigen, EigenvectorsAreThoseOfTheirValues) {
  const auto matrix = positive_matrix<Eigen::MatrixXd>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  const Eigen::MatrixXd vectors = solver.eigenvectors();
  expect_near(product(matrix, vectors), product(vectors, Eigen::MatrixXd(solver.eigenvalues().asDiagonal())));
  expect_near(product(vectors.transpose(), vectors), Eigen::MatrixXd::Identity(side, side).eval());
  EXPECT_GT(solver.eigenvalues()(0), 0.9);  // the identity was added
}

TEST(Eigen, AGeneralMatrixIsInverted) {
  const auto matrix = random_matrix<Eigen::MatrixXd>(side, side, 8);
  expect_near(product(matrix, matrix.partialPivLu().inverse().eval()), Eigen::MatrixXd::Identity(side, side).eval());
}

TEST(Eigen, RowsOfNumbersAreSeenAsAMatrix) {
  const double numbers[] = {1, 2, 3, 4, 5, 6};
  const RowMatrixView view(numbers, 2, 3);
  EXPECT_EQ(view(1, 0), 4.0);
  EXPECT_EQ(view(at(0), at(2)), 3.0);
}

}  // namespace
}  // namespace motet::eigen_test
