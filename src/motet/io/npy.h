// Arrays of numpy in files (.npy, versions 1 to 3).
//
// Little-endian f4, f8, i4, i8 of one or two dimensions, in C or Fortran order. One
// dimension is one column. Everything else is refused with its reason.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"

namespace motet {

struct NpyArray {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  // row by row
};

// Whole numbers beyond 2^53 are refused, as double cannot hold them. Throws Error{bad_data}
// "x.npy: the array has 3 dimensions; 1 or 2 are allowed".
NpyArray read_npy(const std::string& path, const RunContext& run);

// f8, C order, version 1.0: the same bytes as numpy.save writes.
void write_npy(const std::string& path, const NpyArray& table);
void write_npy(const std::string& path, std::size_t rows, std::size_t columns, std::span<const double> values);

// What stands before the numbers of such a file; its length is the same for any number of rows below 10^12.
std::string npy_header(std::size_t rows, std::size_t columns);

// Rows in time order as one sequence; columns are named x1, x2 ... Throws Error{bad_data}
// "x.npy: row 7 column 3 is nan; every feature needs a finite number".
Features read_features_npy(const std::string& path, const FrameClock& clock, const RunContext& run);

}  // namespace motet
