#include "motet/io/mat_file.h"

#include <matio.h>

#include <array>

#include "io/support.h"
#include "support/errors.h"

namespace motet::mat_file_test {
namespace {

using Numbers = std::vector<double>;
constexpr std::array<std::string_view, 3> names = {"a", "b", "none"};

void put(mat_t* file, matvar_t* variable, matio_compression packing) {
  ASSERT_EQ(Mat_VarWrite(file, variable, packing), 0);
  Mat_VarFree(variable);
}

// `a` is dense, 40 x 3, its value at (r, c) is r + 100 c; `b` is sparse, 3 x 4, with 5 at (2, 1) and 7 at (0, 3).
std::string a_mat(const TemporaryFolder& folder, matio_compression packing) {
  const std::string path = folder / "x.mat";
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  std::array<std::size_t, 2> sizes = {40, 3};
  Numbers values;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 40; ++r) values.push_back(r + 100 * c);
  }
  put(file, Mat_VarCreate("a", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes.data(), values.data(), 0), packing);
  std::array<std::size_t, 2> sparse_sizes = {3, 4};
  std::array<mat_uint32_t, 2> rows = {2, 0};
  std::array<mat_uint32_t, 5> starts = {0, 0, 1, 1, 2};
  Numbers entries = {5, 7};
  mat_sparse_t sparse = {2, rows.data(), 2, starts.data(), 5, 2, entries.data()};
  put(file, Mat_VarCreate("b", MAT_C_SPARSE, MAT_T_DOUBLE, 2, sparse_sizes.data(), &sparse, MAT_F_DONT_COPY_DATA),
      packing);
  Mat_Close(file);
  return path;
}

std::string refusal_of(const TemporaryFolder& folder, std::string_view content) {
  const std::string path = folder.write("cut.mat", content);
  return folder.error_of([&] { read_mat(path, names); });
}

constexpr const char* cut = "cut.mat: the .mat file is damaged or cut short; fetch or save it again";

TEST(ReadMat, DenseAndSparsePackedOrNot) {
  const TemporaryFolder folder;
  for (const auto packing : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    const auto found = read_mat(a_mat(folder, packing), names);
    ASSERT_TRUE(found[0] && found[1]);
    EXPECT_EQ(found[0]->rows, 40U);
    EXPECT_EQ(found[0]->columns, 3U);
    EXPECT_EQ(found[0]->values[40 + 7], 107.0);
    EXPECT_EQ(found[1]->rows, 3U);
    EXPECT_EQ(found[1]->values, (Numbers{0, 0, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0}));
    EXPECT_FALSE(found[2]);
  }
}

TEST(ReadMat, AFileThatIsCutShortAnywhereIsRefused) {
  const TemporaryFolder folder;
  for (const auto packing : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    a_mat(folder, packing);
    const std::string whole = folder.read("x.mat");
    std::size_t whole_elements = 0;
    for (std::size_t size = 129; size < whole.size(); ++size) {
      const std::string path = folder.write("cut.mat", whole.substr(0, size));
      try {
        read_mat(path, names);
        ++whole_elements;
      } catch (const Error& error) {
        EXPECT_EQ(folder.without_path(error.what()), cut) << size;
      }
    }
    EXPECT_EQ(whole_elements, 1U);  // between the two matrices
  }
}

TEST(ReadMat, DamageIsRefused) {
  const TemporaryFolder folder;
  a_mat(folder, MAT_COMPRESSION_ZLIB);
  std::string packed = folder.read("x.mat");
  packed[200] = static_cast<char>(packed[200] ^ 0x40);
  EXPECT_EQ(refusal_of(folder, packed), cut);
  a_mat(folder, MAT_COMPRESSION_NONE);
  std::string plain = folder.read("x.mat");
  const std::size_t sizes = plain.find(std::string("\x28\0\0\0\x03\0\0\0", 8));  // 40, 3
  ASSERT_NE(sizes, std::string::npos);
  plain[sizes] = 41;
  EXPECT_EQ(refusal_of(folder, plain), cut);
}

// A few bytes that ask for a table of any size.
TEST(ReadMat, ASparseMatrixWithHardlyAnythingInItIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.mat";
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  std::array<std::size_t, 2> sizes = {2'000'000'000, 1};
  std::array<mat_uint32_t, 1> rows = {3};
  std::array<mat_uint32_t, 2> starts = {0, 1};
  Numbers entries = {5};
  mat_sparse_t sparse = {1, rows.data(), 1, starts.data(), 2, 1, entries.data()};
  put(file, Mat_VarCreate("a", MAT_C_SPARSE, MAT_T_DOUBLE, 2, sizes.data(), &sparse, MAT_F_DONT_COPY_DATA),
      MAT_COMPRESSION_NONE);
  Mat_Close(file);
  EXPECT_LT(folder.read("x.mat").size(), 400U);
  EXPECT_EQ(folder.error_of([&] { read_mat(path, names); }),
            "x.mat: 2000000000 x 1 is too large a table for the 1 number in it; at least one in 10000 must be given");
}

TEST(ReadMat, SizesThatTheBytesDoNotHoldAreRefused) {
  const TemporaryFolder folder;
  const auto error_with = [&](char kind, int rank) {
    const std::string path = folder / "x.mat";
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    std::array<std::size_t, 3> sizes = {1, 1, 1};
    Numbers one = {1};
    put(file, Mat_VarCreate("a", MAT_C_DOUBLE, MAT_T_DOUBLE, rank, sizes.data(), one.data(), 0), MAT_COMPRESSION_NONE);
    Mat_Close(file);
    std::string bytes = folder.read("x.mat");
    bytes[128 + 16] = kind;  // behind the tags of the matrix and of its flags
    const std::size_t at = bytes.find(std::string("\1\0\0\0\1\0\0\0", 8), 128 + 24);
    bytes.replace(at, 8, std::string("\0\0\0\x40\0\1\0\0", 8));  // 2^30 x 256
    return refusal_of(folder, bytes);
  };
  EXPECT_EQ(error_with(MAT_C_DOUBLE, 2), cut);
  EXPECT_EQ(error_with(MAT_C_DOUBLE, 3), cut);
  EXPECT_EQ(error_with(MAT_C_CELL, 2), cut);
  EXPECT_EQ(error_with(MAT_C_STRUCT, 2), cut);
}

TEST(ReadMat, OtherFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal_of(folder, "hello"), "cut.mat: is no .mat file that can be read");
  EXPECT_EQ(refusal_of(folder, std::string(500, 'x')), "cut.mat: is no .mat file that can be read");
  std::string newer(128, ' ');
  newer.replace(124, 4, std::string("\0\2IM", 4));
  EXPECT_EQ(refusal_of(folder, newer), "cut.mat: is of MATLAB's version 7.3, which is not read; save it with -v7");
  EXPECT_EQ(folder.error_of([&] { read_mat(folder / "no.mat", names); }),
            "no.mat: cannot be opened: No such file or directory");
}

TEST(ReadMat, WhatIsNoMatrixOfNumbers) {
  const TemporaryFolder folder;
  const auto error_with = [&](matio_classes kind, matio_types type, int rank, void* data, int options) {
    const std::string path = folder / "x.mat";
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    std::array<std::size_t, 3> sizes = {1, 2, 2};
    put(file, Mat_VarCreate("a", kind, type, rank, sizes.data(), data, options), MAT_COMPRESSION_NONE);
    Mat_Close(file);
    return folder.error_of([&] { read_mat(path, names); });
  };
  Numbers four = {1, 2, 3, 4};
  mat_complex_split_t split = {four.data(), four.data()};
  char text[] = "ab";
  EXPECT_EQ(error_with(MAT_C_DOUBLE, MAT_T_DOUBLE, 3, four.data(), 0),
            "x.mat: 'a' does not have two dimensions; a matrix of numbers is needed");
  EXPECT_EQ(error_with(MAT_C_DOUBLE, MAT_T_DOUBLE, 2, &split, MAT_F_COMPLEX),
            "x.mat: 'a' holds complex numbers; a matrix of numbers is needed");
  EXPECT_EQ(error_with(MAT_C_CHAR, MAT_T_UTF8, 2, text, 0),
            "x.mat: 'a' does not hold numbers; a matrix of numbers is needed");
}

}  // namespace
}  // namespace motet::mat_file_test
