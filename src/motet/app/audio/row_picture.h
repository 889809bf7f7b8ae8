// The rows of a recording as they are drawn: so few of them that a picture can show each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace motet::audio {

// Where there are more rows than `most`, each that is kept is the mean of 2, 4, 8 ... that follow each other.
class RowPicture {
 public:
  explicit RowPicture(std::size_t width, std::size_t most = 1200) : width_(width), most_(most), sum_(width) {}

  void add(std::span<const double> rows);

  std::size_t width() const { return width_; }
  std::size_t rows() const { return kept_.size() / width_ + (in_sum_ > 0 ? 1 : 0); }
  std::size_t rows_taken_together() const { return together_; }
  std::vector<double> values() const;  // row by row

 private:
  void keep();

  std::size_t width_;
  std::size_t most_;
  std::size_t together_ = 1;
  std::vector<double> kept_;
  std::vector<double> sum_;
  std::size_t in_sum_ = 0;
};

}  // namespace motet::audio
