#include "motet/data/eigen.h"

namespace Eigen {

template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, int);
template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
template LLT<motet::RowMatrix>& LLT<motet::RowMatrix>::compute(const EigenBase<motet::RowMatrix>&);
template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
template LDLT<motet::RowMatrix>& LDLT<motet::RowMatrix>::compute(const EigenBase<motet::RowMatrix>&);

namespace internal {

template Index llt_inplace<double, Lower>::blocked(MatrixXd&);
template Index llt_inplace<double, Lower>::blocked(motet::RowMatrix&);
template void partial_lu_inplace(MatrixXd&, Transpositions<Dynamic>&, Transpositions<Dynamic>::StorageIndex&);

template struct gebp_kernel<double, double, Index, Products, Kernel::mr, Kernel::nr, false, false>;
template struct gemm_pack_lhs<double, Index, Factor<ColMajor>, Kernel::mr, Kernel::LhsProgress,
                              Kernel::LhsPacket4Packing, ColMajor>;
template struct gemm_pack_lhs<double, Index, Factor<RowMajor>, Kernel::mr, Kernel::LhsProgress,
                              Kernel::LhsPacket4Packing, RowMajor>;
template struct gemm_pack_rhs<double, Index, Factor<ColMajor>, Kernel::nr, ColMajor>;
template struct gemm_pack_rhs<double, Index, Factor<RowMajor>, Kernel::nr, RowMajor>;
template struct general_matrix_vector_product<Index, double, Factor<ColMajor>, ColMajor, false, double,
                                              Factor<RowMajor>, false>;
template struct general_matrix_vector_product<Index, double, Factor<RowMajor>, RowMajor, false, double,
                                              Factor<ColMajor>, false>;

}  // namespace internal
}  // namespace Eigen
