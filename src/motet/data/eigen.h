// What files that compute with Eigen share; it is slow to compile, so only .cpp files include it.
//
// The large functions of Eigen that many files need are compiled once, in eigen.cpp. A new use is only faster to
// compile for a line here; it works without.
#pragma once

#include <Eigen/Dense>
#include <cstddef>

namespace motet {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatrixView = Eigen::Map<const RowMatrix>;

inline Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

}  // namespace motet

namespace Eigen {

extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&,
                                                                                            int);
extern template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
extern template LLT<motet::RowMatrix>& LLT<motet::RowMatrix>::compute(const EigenBase<motet::RowMatrix>&);
extern template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
extern template LDLT<motet::RowMatrix>& LDLT<motet::RowMatrix>::compute(const EigenBase<motet::RowMatrix>&);

namespace internal {

using Kernel = gebp_traits<double, double, false, false>;
using Products = blas_data_mapper<double, Index, ColMajor, Unaligned, 1>;
template <int order>
using Factor = const_blas_data_mapper<double, Index, order>;

extern template Index llt_inplace<double, Lower>::blocked(MatrixXd&);
extern template Index llt_inplace<double, Lower>::blocked(motet::RowMatrix&);
extern template void partial_lu_inplace(MatrixXd&, Transpositions<Dynamic>&, Transpositions<Dynamic>::StorageIndex&);

extern template struct gebp_kernel<double, double, Index, Products, Kernel::mr, Kernel::nr, false, false>;
extern template struct gemm_pack_lhs<double, Index, Factor<ColMajor>, Kernel::mr, Kernel::LhsProgress,
                                     Kernel::LhsPacket4Packing, ColMajor>;
extern template struct gemm_pack_lhs<double, Index, Factor<RowMajor>, Kernel::mr, Kernel::LhsProgress,
                                     Kernel::LhsPacket4Packing, RowMajor>;
extern template struct gemm_pack_rhs<double, Index, Factor<ColMajor>, Kernel::nr, ColMajor>;
extern template struct gemm_pack_rhs<double, Index, Factor<RowMajor>, Kernel::nr, RowMajor>;
extern template struct general_matrix_vector_product<Index, double, Factor<ColMajor>, ColMajor, false, double,
                                                     Factor<RowMajor>, false>;
extern template struct general_matrix_vector_product<Index, double, Factor<RowMajor>, RowMajor, false, double,
                                                     Factor<ColMajor>, false>;

}  // namespace internal
}  // namespace Eigen
