// Clips with what is to be learned of them, one row of features each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace motet::audio {

// A table of numbers as the methods here want it: all columns, row by row.
struct Rows2d {
  std::size_t width = 0;
  std::vector<double> values;

  std::size_t rows() const { return width == 0 ? 0 : values.size() / width; }
  std::span<const double> row(std::size_t n) const { return {values.data() + n * width, width}; }
};

Rows2d some_rows(const Rows2d& all, std::span<const std::uint32_t> rows);

// What is learned: one of some classes, or a number.
struct Target {
  std::vector<std::string> classes;  // empty: a number
  std::vector<double> values;        // the number of the class, from 0, or the number itself

  bool is_class() const { return !classes.empty(); }
};

Target some_targets(const Target& all, std::span<const std::uint32_t> rows);

// Off by its mean, by its deviation; a column that does not vary becomes 0. Learned from the rows of a training part
// alone.
struct Standard {
  std::vector<double> mean;
  std::vector<double> scale;  // 0 where nothing varies

  Rows2d of(const Rows2d& rows) const;
};
Standard standard_of(const Rows2d& rows);

// Mean over the classes that occur of the share of their items that are wrong.
double balanced_error(std::span<const double> truth, std::span<const double> said, std::size_t classes);

double mean_residual(std::span<const double> truth, std::span<const double> said);  // of |truth - said|

}  // namespace motet::audio
