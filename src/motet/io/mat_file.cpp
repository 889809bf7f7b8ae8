#include "motet/io/mat_file.h"

#include <fmt/format.h>
#include <matio.h>

#include <cstdint>
#include <memory>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/mat_elements.h"
#include "motet/io/sparse_size.h"

namespace motet {
namespace {

struct CloseMat {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};

template <class T>
void copy_numbers(const void* from, std::size_t count, std::vector<double>& to) {
  const T* const numbers = static_cast<const T*>(from);
  to.assign(numbers, numbers + count);
}

bool is_of_numbers(matio_classes kind) {
  return kind == MAT_C_DOUBLE || kind == MAT_C_SINGLE || (kind >= MAT_C_INT8 && kind <= MAT_C_UINT64);
}

// False for a kind that is no number.
bool copy_by_type(matio_types type, const void* from, std::size_t count, std::vector<double>& to) {
  switch (type) {
    case MAT_T_DOUBLE: copy_numbers<double>(from, count, to); return true;
    case MAT_T_SINGLE: copy_numbers<float>(from, count, to); return true;
    case MAT_T_INT8: copy_numbers<std::int8_t>(from, count, to); return true;
    case MAT_T_UINT8: copy_numbers<std::uint8_t>(from, count, to); return true;
    case MAT_T_INT16: copy_numbers<std::int16_t>(from, count, to); return true;
    case MAT_T_UINT16: copy_numbers<std::uint16_t>(from, count, to); return true;
    case MAT_T_INT32: copy_numbers<std::int32_t>(from, count, to); return true;
    case MAT_T_UINT32: copy_numbers<std::uint32_t>(from, count, to); return true;
    case MAT_T_INT64: copy_numbers<std::int64_t>(from, count, to); return true;
    case MAT_T_UINT64: copy_numbers<std::uint64_t>(from, count, to); return true;
    default: return false;
  }
}

std::optional<MatMatrix> read_one(mat_t* file, const std::string& path, const std::string& name) {
  const std::unique_ptr<matvar_t, FreeVariable> variable(Mat_VarReadInfo(file, name.c_str()));
  if (!variable) return std::nullopt;
  const auto wrong = [&](const char* problem) {
    fail(ErrorKind::bad_data, fmt::format("{}: '{}' {}; a matrix of numbers is needed", path, name, problem));
  };
  if (variable->rank != 2) wrong("does not have two dimensions");
  if (variable->isComplex) wrong("holds complex numbers");
  MatMatrix matrix;
  matrix.rows = variable->dims[0];
  matrix.columns = variable->dims[1];
  const bool is_sparse = variable->class_type == MAT_C_SPARSE;
  if (!is_sparse) require_table_memory(path, matrix.rows, 2 * matrix.columns);  // as stored, and as doubles
  if (!is_sparse && !is_of_numbers(variable->class_type)) wrong("does not hold numbers");
  if (Mat_VarReadDataAll(file, variable.get()) != 0 || variable->data == nullptr) wrong("is empty or cut off");
  const std::size_t cells = matrix.rows * matrix.columns;
  if (is_sparse) {
    const auto* sparse = static_cast<const mat_sparse_t*>(variable->data);
    std::vector<double> numbers;
    if (!copy_by_type(variable->data_type, sparse->data, sparse->ndata, numbers)) wrong("does not hold numbers");
    if (sparse->njc != matrix.columns + 1 || sparse->nir < sparse->ndata) wrong("is damaged");
    require_sparse_size(path, matrix.rows, matrix.columns, numbers.size());
    matrix.values.assign(cells, 0.0);
    for (std::size_t c = 0; c < matrix.columns; ++c) {
      for (std::size_t i = sparse->jc[c]; i < sparse->jc[c + 1]; ++i) {
        if (i >= numbers.size() || sparse->ir[i] >= matrix.rows) wrong("is damaged");
        matrix.values[c * matrix.rows + sparse->ir[i]] = numbers[i];
      }
    }
    return matrix;
  }
  if (variable->nbytes < cells * static_cast<std::size_t>(variable->data_size)) wrong("is cut off");
  if (!copy_by_type(variable->data_type, variable->data, cells, matrix.values)) wrong("does not hold numbers");
  return matrix;
}

}  // namespace

std::vector<std::optional<MatMatrix>> read_mat(const std::string& path, std::span<const std::string_view> names) {
  check_mat_elements(path);
  const std::unique_ptr<mat_t, CloseMat> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) fail(ErrorKind::bad_data, fmt::format("{}: is no .mat file that can be read", path));
  std::vector<std::optional<MatMatrix>> matrices;
  for (const std::string_view name : names) matrices.push_back(read_one(file.get(), path, std::string(name)));
  return matrices;
}

}  // namespace motet
